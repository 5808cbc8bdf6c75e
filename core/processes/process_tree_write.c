/* process_tree_write: rtrack.tree, as JSON. */
#include "core/processes/process_tree_write.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/stats.h"
#include "core/recording/snapshot_fields.h"

/* Texts by their hash: which number each has. Two texts of one hash would be shown as one; that
 * takes a job that makes such texts, and shows one of its own for another of its own. */
struct numbered {
	struct slot {
		uint64_t hash;
		size_t number; /* 1 more than the number; 0: free */
	} * slots;
	size_t n_slots; /* a power of 2, more than twice of .max */
	size_t n, max;
};

/* Times are to the microsecond. Rounded to 0.001 s, many processes of 0.9 ms would add up to more
 * than the job used, and each of them would use more than it lived. */
#define DECIMALS 6

struct column {
	struct json_write *j;
	struct numbered names, commands;
	enum {
		NAMES,
		COMMANDS,
		PID,
		PARENT,
		START,
		END,
		CPU,
		MEMORY,
		STATUS,
		NAME,
		COMMAND,
		CPU_EXACT,
		SAMPLED,
		COLUMNS
	} of;
	size_t row; /* of SAMPLED */
};

static const char *const keys[COLUMNS] = {
    "names",        "commands", "pid",  "parent",  "start_s",   "end_s",  "cpu_s",
    "memory_bytes", "status",   "name", "command", "cpu_exact", "sampled"};

static uint64_t text_hash(const char *text)
{
	uint64_t h = 1469598103934665603u; /* FNV-1a */

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 1099511628211u;
	return h;
}

/* The number of a text, given now if it has none; -1 if there is no room. *is_new: it was given. */
static int number_of_hash(struct numbered *t, const char *text, bool *is_new)
{
	const uint64_t h = text_hash(text);
	size_t i = (h ^ h >> 32) % t->n_slots;

	while (t->slots[i].number && t->slots[i].hash != h)
		i = (i + 1) % t->n_slots;
	*is_new = !t->slots[i].number && t->n < t->max;
	if (*is_new)
		t->slots[i] = (struct slot){h, ++t->n};
	return (int)t->slots[i].number - 1;
}

static bool numbered_open(struct numbered *t, size_t max, size_t kept)
{
	t->max = kept < max ? kept : max;
	for (t->n_slots = 16; t->n_slots <= 2 * t->max;)
		t->n_slots *= 2;
	t->slots = alloc_failed_note(calloc(t->n_slots, sizeof *t->slots));
	return t->slots;
}

static void put_rounded(struct json_write *j, const char *key, double v, int decimals)
{
	json_write_num(j, key, isfinite(v) ? stats_round(v, decimals) : v);
}

static void put_sampled(struct json_write *j, const struct snapshot_process *p, size_t row)
{
	struct snapshot_process one = *p;

	one.row = (double)row;
	one.node = p->node && *p->node ? p->node : snapshot_field_left_out;
	json_write_object(j, NULL);
	snapshot_fields_write(j, SNAPSHOT_SAMPLED, SCHEMA_1, &one);
	snapshot_fields_process_states(j, p->states_s);
	if (p->n_waits)
		json_write_array(j, snapshot_fields_key(SNAPSHOT_WAIT));
	for (size_t i = 0; i < p->n_waits; i++)
		snapshot_fields_element(j, SNAPSHOT_WAIT, &p->waits[i]);
	if (p->n_waits)
		json_write_array_end(j);
	json_write_object_end(j);
}

/* A text that appears for the first time. */
static void put_distinct(struct column *c, struct numbered *t, const char *text)
{
	bool is_new;

	(void)number_of_hash(t, text, &is_new);
	if (is_new)
		json_write_str(c->j, NULL, text);
}

static void put_row_cell(void *to, const struct process_tree_node *row)
{
	struct column *c = to;
	bool is_new;

	switch (c->of) {
	case NAMES:
		put_distinct(c, &c->names, row->name);
		break;
	case COMMANDS:
		if (*row->command)
			put_distinct(c, &c->commands, row->command);
		break;
	case PID:
		json_write_num(c->j, NULL, row->pid);
		break;
	case PARENT:
		json_write_num(c->j, NULL, (double)row->parent);
		break;
	case START:
		put_rounded(c->j, NULL, row->start_s, DECIMALS);
		break;
	case END:
		put_rounded(c->j, NULL, row->end_s, DECIMALS);
		break;
	case CPU:
		put_rounded(c->j, NULL, row->cpu_s, DECIMALS);
		break;
	case MEMORY:
		put_rounded(c->j, NULL, row->memory_b, 0);
		break;
	case STATUS:
		json_write_num(c->j, NULL,
		               row->status == PROCESS_TREE_NO_STATUS ? (double)NAN
		                                                     : (double)row->status);
		break;
	case NAME:
		json_write_num(c->j, NULL, number_of_hash(&c->names, row->name, &is_new));
		break;
	case COMMAND:
		json_write_num(c->j, NULL,
		               *row->command ? number_of_hash(&c->commands, row->command, &is_new)
		                             : -1);
		break;
	case CPU_EXACT:
		json_write_num(c->j, NULL, row->cpu_exact);
		break;
	case SAMPLED:
		if (row->sampled)
			put_sampled(c->j, row->sampled, c->row);
		c->row++;
		break;
	case COLUMNS:
		break;
	}
}

static void put_groups(struct column *c, const struct process_tree_rows *rows)
{
	json_write_array(c->j, "groups");
	for (size_t i = 0; i < rows->n_groups; i++) {
		const struct process_tree_group *g = &rows->groups[i];
		json_write_object(c->j, NULL);
		json_write_str(c->j, "name", g->name);
		json_write_num(c->j, "parent", (double)g->parent);
		json_write_num(c->j, "n", g->n);
		put_rounded(c->j, "cpu_s", g->cpu_s, DECIMALS);
		if (g->cpu_exact > 0)
			json_write_num(c->j, "cpu_exact", 1);
		put_rounded(c->j, "memory_bytes", g->memory_b, 0);
		put_rounded(c->j, "start_s", g->start_s, DECIMALS);
		put_rounded(c->j, "end_s", g->end_s, DECIMALS);
		json_write_object_end(c->j);
	}
	json_write_array_end(c->j);
}

int process_tree_write(struct json_write *j, const struct process_tree_rows *rows, struct err *e)
{
	struct column column = {.j = j}, *c = &column;
	int failed = 0;

	if (!numbered_open(&c->names, PROCESS_TREE_NAMES, rows->kept) ||
	    !numbered_open(&c->commands, PROCESS_TREE_COMMANDS, rows->kept)) {
		free(c->names.slots);
		return err_set(e, "no memory for the processes");
	}
	json_write_object(j, PROCESS_TREE_KEY);
	json_write_str(j, "source", rows->source);
	json_write_str(j, "why", rows->why);
	if (rows->kernel)
		json_write_str(j, "kernel", rows->kernel);
	if (rows->refused)
		json_write_str(j, "refused", rows->refused);
	if (rows->largest)
		json_write_num(j, "largest", 1);
	json_write_num(j, "n", rows->n);
	json_write_num(j, "kept", (double)rows->kept);
	for (c->of = 0; c->of < COLUMNS && !failed && !j->failed; c->of++) {
		if (c->of >= CPU_EXACT && !rows->says_exact)
			continue;
		json_write_array(j, keys[c->of]);
		failed = rows->each(rows->ctx, put_row_cell, c, e);
		json_write_array_end(j);
	}
	put_groups(c, rows);
	json_write_object_end(j);
	free(c->names.slots);
	free(c->commands.slots);
	return failed;
}
