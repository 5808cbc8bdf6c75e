/* parts_processes: the processes of several recordings as one list. */
#include "report/runs/parts_processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/processes/process_join.h"
#include "core/processes/process_tree.h"

#define KEPT        256 /* by CPU time, and as many by memory, where the list is full */
#define NAME_MAX_B  128
#define LINE_MAX_B  512 /* of a command line */
#define OTHER_NAMES ""  /* the group of names that find no room */

static const char *owned(const char *text, size_t max)
{
	return alloc_failed_note(strndup(text ? text : "", max));
}

static void free_strings(struct snapshot_process *p)
{
	for (size_t i = 0; i < p->n_waits; i++)
		free((char *)p->waits[i].name);
	free((struct snapshot_wait *)p->waits);
	free((char *)p->name);
	free((char *)p->command);
	free((char *)p->node);
	free((char *)p->signal);
	*p = (struct snapshot_process){0};
}

/* 0, or -1 without memory. */
static int own_waits(struct snapshot_process *p)
{
	const struct snapshot_wait *from = p->waits;
	struct snapshot_wait *to = NULL;
	size_t n = from ? p->n_waits : 0;

	p->waits = NULL;
	p->n_waits = 0;
	if (!n)
		return 0;
	p->waits = to = alloc_failed_note(calloc(n, sizeof *to));
	for (size_t i = 0; to && i < n; i++) {
		enum states_id state = states_find(from[i].state ? from[i].state : "");
		if (state == STATES_N)
			continue;
		to[p->n_waits] = (struct snapshot_wait){states_word(state),
		                                        owned(from[i].name, LINE_MAX_B), from[i].s};
		if (!to[p->n_waits++].name)
			return -1;
	}
	return to ? 0 : -1;
}

/* 0, or -1 without memory. */
static int own_strings(struct snapshot_process *p, const char *node)
{
	p->name = owned(p->name, NAME_MAX_B);
	p->command = owned(p->command, LINE_MAX_B);
	p->signal = owned(p->signal, NAME_MAX_B);
	p->node = node ? owned(node, NAME_MAX_B) : NULL;
	if (own_waits(p))
		return -1;
	return p->name && p->command && p->signal && (!node || p->node) ? 0 : -1;
}

static double plus_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* The sum of processes of one name; a peak is that of the largest. */
static int add_to_group(struct parts_processes *all, const struct snapshot_process *p)
{
	const char *name = all->n_others < SNAPSHOT_PROCESSES_MAX - 1 ? p->name : OTHER_NAMES;
	struct snapshot_process *g = NULL;

	for (size_t i = 0; i < all->n_others && !g; i++)
		if (strncmp(all->others[i].name, p->name, NAME_MAX_B) == 0)
			g = &all->others[i];
	for (size_t i = 0; i < all->n_others && !g; i++)
		if (strcmp(all->others[i].name, name) == 0)
			g = &all->others[i];
	if (!g) {
		g = &all->others[all->n_others];
		*g = (struct snapshot_process){.name = name,
		                               .count = NAN,
		                               .cpu_s = NAN,
		                               .peak_rss_b = NAN,
		                               .peak_pss_b = NAN,
		                               .read_b = NAN,
		                               .write_b = NAN};
		if (own_strings(g, NULL)) {
			free_strings(g);
			return -1;
		}
		all->n_others++;
	}
	g->count = plus_known(g->count, isnan(p->count) ? 1 : p->count);
	g->cpu_s = plus_known(g->cpu_s, p->cpu_s);
	g->peak_rss_b = fmax(g->peak_rss_b, p->peak_rss_b);
	g->peak_pss_b = fmax(g->peak_pss_b, p->peak_pss_b);
	g->read_b = plus_known(g->read_b, p->read_b);
	g->write_b = plus_known(g->write_b, p->write_b);
	return 0;
}

static int descending(double x, double y)
{
	double a = isnan(x) ? -1 : x, b = isnan(y) ? -1 : y;

	return (a < b) - (a > b);
}

static int most_cpu(const void *a, const void *b)
{
	const struct snapshot_process *x = a, *y = b;

	return descending(x->cpu_s, y->cpu_s);
}

static int most_memory(const void *a, const void *b)
{
	const struct snapshot_process *x = a, *y = b;

	return descending(isnan(x->peak_pss_b) ? x->peak_rss_b : x->peak_pss_b,
	                  isnan(y->peak_pss_b) ? y->peak_rss_b : y->peak_pss_b);
}

/* Keeps the largest, and adds the others to the sums of their names. */
static int make_room(struct parts_processes *all)
{
	int failed = 0;

	qsort(all->top, all->n_top, sizeof *all->top, most_cpu);
	qsort(all->top + KEPT, all->n_top - KEPT, sizeof *all->top, most_memory);
	while (all->n_top > 2 * (size_t)KEPT) {
		struct snapshot_process *p = &all->top[--all->n_top];
		failed = failed || add_to_group(all, p);
		free_strings(p);
	}
	return failed ? -1 : 0;
}

static int add_top(struct parts_processes *all, const struct snapshot_process *p, const char *node)
{
	struct snapshot_process *to;

	if (all->n_top == SNAPSHOT_PROCESSES_MAX && make_room(all))
		return -1;
	to = &all->top[all->n_top++];
	*to = *p;
	return own_strings(to, node);
}

/* A row of the table of a part, which borrows from it. */
static struct snapshot_process of_row(const struct snapshot *s, size_t i)
{
	static const struct snapshot_process nothing = {
	    .peak_pss_b = NAN, .read_b = NAN, .write_b = NAN};
	const struct process_tree_node *row = &s->tree->of[i];
	struct snapshot_process p = row->sampled ? *row->sampled : nothing;

	for (int k = 0; k < STATES_N && !row->sampled; k++)
		p.states_s[k] = NAN;
	p.name = row->name;
	p.command = row->command;
	p.pid = row->pid;
	p.ppid = row->parent >= 0 ? s->tree->of[row->parent].pid : (double)NAN;
	p.start = s->meta.start_time + row->start_s;
	p.end = s->meta.start_time + row->end_s;
	p.cpu_s = row->cpu_s;
	p.cpu_exact = row->cpu_exact;
	p.peak_rss_b = row->memory_b;
	p.exit_code = row->status >= 0 ? row->status : (double)NAN;
	p.signal = row->status < 0 && row->status != PROCESS_TREE_NO_STATUS
	               ? snapshot_signal_name(-row->status)
	               : "";
	return p;
}

static struct snapshot_process of_sum(const struct process_tree_group *g)
{
	return (struct snapshot_process){.name = g->name,
	                                 .command = "",
	                                 .signal = "",
	                                 .count = g->n,
	                                 .cpu_s = g->cpu_s,
	                                 .peak_rss_b = g->memory_b,
	                                 .peak_pss_b = NAN,
	                                 .read_b = NAN,
	                                 .write_b = NAN};
}

int parts_processes_add(struct parts_processes *all, const struct snapshot *s,
                        const struct part *part)
{
	const struct process_tree *t = s->tree;
	int failed = 0;

	if (!all->top) {
		all->top = alloc_failed_note(calloc(SNAPSHOT_PROCESSES_MAX, sizeof *all->top));
		all->others =
		    alloc_failed_note(calloc(SNAPSHOT_PROCESSES_MAX, sizeof *all->others));
		if (!all->top || !all->others)
			return -1;
	}
	all->lacks |= !t;
	all->some_by_samples |= t && strcmp(t->source, PROCESS_TREE_EVENTS) != 0;
	all->n += t ? t->n : 0;
	for (size_t i = 0; t && i < t->kept && !failed; i++) {
		struct snapshot_process p = of_row(s, i);
		failed = add_top(all, &p, part->node);
	}
	for (size_t i = 0; t && i < t->n_groups && !failed; i++) {
		struct snapshot_process p = of_sum(&t->groups[i]);
		failed = add_to_group(all, &p);
	}
	return failed ? -1 : 0;
}

static const struct snapshot_wait *move_waits(struct snapshot *out, struct snapshot_process *to)
{
	struct snapshot_wait *waits =
	    to->n_waits ? snapshot_alloc(out, to->n_waits * sizeof *waits) : NULL;

	for (size_t i = 0; waits && i < to->n_waits; i++) {
		waits[i] = to->waits[i];
		waits[i].name = snapshot_strdup(out, to->waits[i].name);
	}
	to->n_waits = waits ? to->n_waits : 0;
	return waits;
}

static struct snapshot_process *move_list(struct snapshot *out, struct snapshot_process *from,
                                          size_t n)
{
	struct snapshot_process *to = n ? snapshot_alloc(out, n * sizeof *to) : NULL;

	for (size_t i = 0; to && i < n; i++) {
		to[i] = from[i];
		to[i].name = snapshot_strdup(out, from[i].name);
		to[i].command = snapshot_strdup(out, from[i].command);
		to[i].signal = snapshot_strdup(out, from[i].signal);
		to[i].node = from[i].node ? snapshot_strdup(out, from[i].node) : NULL;
		to[i].waits = move_waits(out, &to[i]);
	}
	return to;
}

void parts_processes_end(struct parts_processes *all, struct snapshot *out)
{
	out->tree = NULL;
	out->processes = (struct snapshot_processes){
	    .known = !all->lacks, .seen = all->n, .seen_cpu_s = NAN, .unseen_cpu_s = NAN};
	out->processes.top = move_list(out, all->top, all->n_top);
	out->processes.others = move_list(out, all->others, all->n_others);
	out->processes.n_top = out->processes.top ? all->n_top : 0;
	out->processes.n_others = out->processes.others ? all->n_others : 0;
	process_join(out);
	if (out->tree && !all->some_by_samples)
		out->tree->source = PROCESS_TREE_EVENTS;
	parts_processes_free(all);
}

void parts_processes_free(struct parts_processes *all)
{
	for (size_t i = 0; i < all->n_top; i++)
		free_strings(&all->top[i]);
	for (size_t i = 0; i < all->n_others; i++)
		free_strings(&all->others[i]);
	free(all->top);
	free(all->others);
	*all = (struct parts_processes){0};
}
