/* process_spill: ended processes on their way into the journal, the short ones of many as sums. */
#include "collect/events/process_spill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/larger.h"
#include "core/processes/process_join.h"
#include "core/processes/process_tree_write.h"

#define SPILL_GROUPS 256
#define CHOOSE_EVERY 256 /* processes */

int process_spill_open(struct process_spill *p)
{
	p->text.max = 16384;
	p->groups = alloc_failed_note(calloc(SPILL_GROUPS, sizeof *p->groups));
	return p->groups ? 0 : -1;
}

void process_spill_close(struct process_spill *p)
{
	buf_free(&p->text);
	free(p->groups);
	p->groups = NULL;
}

/* Counts a process that ends. Whether it is kept by itself: then spill_put is next, else
 * spill_sum. */
static bool spill_keeps(struct process_spill *p, double start_s, double end_s)
{
	unsigned class = process_tree_entries_class(start_s, end_s);

	p->in_class[class]++;
	if (++p->ended % CHOOSE_EVERY == 0 && p->ended > PROCESS_TREE_KEPT)
		p->least = process_tree_entries_least(p->in_class, PROCESS_TREE_KEPT);
	return class >= p->least;
}

void process_spill_flush(struct process_spill *p)
{
	if (p->n && p->journal && !p->failed)
		p->failed = journal_processes(p->journal, p->batch, p->n, &p->stopped) != 0;
	p->n = 0;
}

void process_spill_put(struct process_spill *p, const struct process_entry *e)
{
	size_t room = p->journal ? journal_processes_room(p->journal) : 0, n;

	room = room < sizeof p->batch ? room : sizeof p->batch;
	for (int i = 0; i < 2 && room && !p->failed; i++) {
		n = process_entry_pack(e, p->batch + p->n, room - p->n);
		p->n += n;
		if (n)
			return;
		/* An entry that does not fit into an empty record never will. */
		if (!p->n) {
			err_set(&p->stopped, "a record has no room for a process");
			p->failed = true;
		}
		process_spill_flush(p);
	}
}

static void spill_groups(struct process_spill *p)
{
	for (size_t i = 0; i < p->n_groups; i++)
		process_spill_put(p, &p->groups[i]);
	p->n_groups = 0;
}

static struct process_entry *find_sums(struct process_spill *p, uint32_t parent, const char *name)
{
	for (size_t i = 0; i < p->n_groups; i++)
		if (p->groups[i].parent == parent && strcmp(p->groups[i].name, name) == 0)
			return &p->groups[i];
	return NULL;
}

static void add_sums(struct process_entry *to, const struct process_entry *e)
{
	to->n += e->n;
	to->cpu_s += isnan(e->cpu_s) ? 0 : e->cpu_s;
	to->cpu_exact = to->cpu_exact > 0 && e->cpu_exact > 0;
	to->memory_b = larger(to->memory_b, e->memory_b);
	to->start_s = lesser(to->start_s, e->start_s);
	to->end_s = larger(to->end_s, e->end_s);
}

/* Adds an ended process to those of its name and parent. *spilled: sums went into the journal, so
 * that every process that lives now must be put there when it ends: it may be the parent of one. */
static void spill_sum(struct process_spill *p, const struct process_entry *e, bool *spilled)
{
	struct process_entry *g = find_sums(p, e->parent, e->name);

	*spilled = false;
	if (g) {
		add_sums(g, e);
		return;
	}
	if (p->n_groups == SPILL_GROUPS) {
		spill_groups(p);
		*spilled = true;
	}
	g = &p->groups[p->n_groups++];
	*g = *e;
	g->kind = PROCESS_ENTRY_GROUP;
	g->id = 0;
	g->pid = 0;
	g->status = PROCESS_ENTRY_UNKNOWN;
	g->cpu_s = isnan(e->cpu_s) ? 0 : e->cpu_s;
	g->command[0] = '\0';
}

/* A process that was summed up had children that were, too: they are now its parent's. */
static void spill_hand_on(struct process_spill *p, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < p->n_groups;) {
		struct process_entry *g = &p->groups[i], *same;
		if (g->parent != from) {
			i++;
			continue;
		}
		same = find_sums(p, to, g->name);
		if (!same) {
			g->parent = to;
			i++;
			continue;
		}
		add_sums(same, g);
		*g = p->groups[--p->n_groups];
	}
}

/* -- entries of processes that live or have just ended ----------------------------------------- */

/* As an entry has it. */
static double says_exact(const struct living *p)
{
	return isnan(p->cpu_s) ? (double)NAN : p->cpu_exact;
}

static void name_entry(struct process_entry *e, const struct living *p)
{
	if (p->program)
		memcpy(e->name, p->program->name, sizeof e->name);
}

/* Redacts the command line of a process into s->text: most have that of the one before. */
static bool redact_again(struct process_spill *s, const struct top_process *top)
{
	if (s->text_of.command_len == top->command_len && s->text_of.cut == top->cut &&
	    memcmp(s->text_of.command, top->command, top->command_len) == 0)
		return true;
	buf_clear(&s->text);
	s->text_of.command_len = 0;
	if (!top_processes_command(top, &s->text))
		return false;
	memcpy(s->text_of.command, top->command, top->command_len);
	s->text_of.command_len = top->command_len;
	s->text_of.cut = top->cut;
	return true;
}

void process_spill_living(struct process_spill *s, const struct living *p,
                          enum process_entry_kind kind, double end_s)
{
	struct process_entry e = {.kind = kind,
	                          .id = p->id,
	                          .parent = p->parent,
	                          .n = 1,
	                          .pid = p->pid,
	                          .status = p->status,
	                          .start_s = p->start_s,
	                          .end_s = end_s,
	                          .cpu_s = p->cpu_s,
	                          .memory_b = p->memory_b,
	                          .cpu_exact = says_exact(p)};

	name_entry(&e, p);
	if (p->program && p->program->top.command_len && redact_again(s, &p->program->top)) {
		size_t n = s->text.len < PROCESS_ENTRY_COMMAND_MAX ? s->text.len
		                                                   : PROCESS_ENTRY_COMMAND_MAX;
		memcpy(e.command, buf_cstr(&s->text), n);
	}
	process_spill_put(s, &e);
}

/* Its children are from now on its parent's. */
static void hand_on_children(struct process_spill *s, struct living_table *t,
                             const struct living *p)
{
	struct living *parent = living_parent(t, p);

	if (p->has_sums) {
		spill_hand_on(s, p->id, p->parent);
		if (parent)
			parent->has_sums = true;
	}
	for (int i = 0; p->children && i < t->high; i++) {
		struct living *child = &t->of[i];
		if (!child->pid || child->parent != p->id)
			continue;
		child->parent = p->parent;
		child->ppid = p->ppid;
		if (parent)
			parent->children++;
	}
}

static void sum_up(struct process_spill *s, struct living_table *t, const struct living *p,
                   double end_s)
{
	struct process_entry e = {.parent = p->parent,
	                          .n = 1,
	                          .start_s = p->start_s,
	                          .end_s = end_s,
	                          .cpu_s = p->cpu_s,
	                          .memory_b = p->memory_b,
	                          .cpu_exact = says_exact(p)};
	struct living *parent = living_parent(t, p);
	bool spilled;

	name_entry(&e, p);
	spill_sum(s, &e, &spilled);
	if (parent)
		parent->has_sums = true;
	for (int i = 0; spilled && i < t->high; i++)
		t->of[i].in_journal = true;
}

void process_spill_let_go(struct process_spill *s, struct living_table *t, struct living *p,
                          double end_s)
{
	bool keeps = spill_keeps(s, p->start_s, end_s) || p->in_journal;
	struct living *parent = living_parent(t, p);

	if (parent)
		parent->children--;
	if (keeps) {
		process_spill_living(s, p, PROCESS_ENTRY_ENDED, end_s);
	} else {
		sum_up(s, t, p, end_s);
		hand_on_children(s, t, p);
	}
	living_remove(t, p);
}

/* -- rtrack.tree, at the end ------------------------------------------------------------------- */

struct reading {
	struct journal *journal;
	const unsigned char *bytes; /* of the record that was read last */
	size_t n;
};

/* at: the next record, and the next entry in the record that was read last. */
static int next_in_journal(void *ctx, size_t at[2], struct process_entry *out, struct err *e)
{
	struct reading *r = ctx;
	int more;

	if (at[0] == 0)
		r->n = 0;
	while (!process_entry_next(r->bytes, r->n, &at[1], out)) {
		at[1] = 0;
		more = journal_processes_next(r->journal, &at[0], &r->bytes, &r->n, e);
		if (more <= 0)
			return more;
	}
	return 1;
}

/* Rows with what samples know of them. */
struct joined_rows {
	const struct process_tree_rows *of;
	const struct process_spill_samples *samples;
	size_t row;
	process_tree_visit visit;
	void *to;
};

static void join_row(void *ctx, const struct process_tree_node *row)
{
	struct joined_rows *r = ctx;
	const struct process_spill_samples *samples = r->samples;
	struct snapshot_wait waits[WAIT_NAMES_TOP];
	struct snapshot_process sampled = {.waits = waits};
	struct process_tree_node joined = *row;

	if (tree_sampled(samples->tree, r->row++, row->pid, samples->start + row->start_s, &sampled,
	                 waits))
		process_join_row(&joined, &sampled);
	r->visit(r->to, &joined);
}

static int each_joined(void *ctx, process_tree_visit visit, void *to, struct err *e)
{
	struct joined_rows *r = ctx;

	r->row = 0;
	r->visit = visit;
	r->to = to;
	return r->of->each(r->of->ctx, join_row, r, e);
}

int process_spill_write(struct process_spill *p, struct json_write *j,
                        const struct process_spill_samples *samples,
                        const struct process_tree_rows *said, struct err *e)
{
	struct joined_rows joined = {.samples = samples};
	struct reading reading = {.journal = p->journal, .bytes = p->batch};
	struct process_tree_index *x;
	struct process_tree_rows rows, all;
	int failed;

	spill_groups(p);
	process_spill_flush(p);
	if (!reading.journal)
		return 0;
	x = process_tree_entries_open(&(struct process_tree_entries){next_in_journal, &reading}, e);
	if (!x)
		return -1;
	rows = process_tree_entries_rows(x);
	rows.n = said->n;
	rows.source = p->failed ? PROCESS_TREE_SAMPLES : said->source;
	rows.why = p->failed ? p->stopped.msg : said->why;
	rows.kernel = said->kernel;
	rows.refused = said->refused;
	all = rows;
	joined.of = &all;
	rows.says_exact = true;
	rows.each = each_joined;
	rows.ctx = &joined;
	failed = process_tree_write(j, &rows, e);
	process_tree_entries_close(x);
	return failed;
}
