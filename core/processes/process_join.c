/* process_join: one table of processes from what a recording says of them. */
#include "core/processes/process_join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/larger.h"
#include "core/processes/process_tree.h"

#define SAME_S    1      /* a process of both: its starts, of which samples have one in ticks */
#define MISSING_S 0.05   /* so much more in a sample than at its end: the end lacks a part */
#define ROUNDED_S 0.0006 /* CPU times are written with 3 decimals */

/* -- of both ----------------------------------------------------------------------------------- */

static int by_pid(const void *a, const void *b)
{
	const struct process_tree_node *const *x = a, *const *y = b;

	if ((*x)->pid != (*y)->pid)
		return (*x)->pid < (*y)->pid ? -1 : 1;
	return ((*x)->start_s > (*y)->start_s) - ((*x)->start_s < (*y)->start_s);
}

/* The row of a process that samples saw, which no other has; NULL: there is none. */
static struct process_tree_node *find_row(struct process_tree_node *const *v, size_t n,
                                          double start_time, const struct snapshot_process *p)
{
	double start_s = p->start - start_time, nearest_s = SAME_S;
	struct process_tree_node *found = NULL;
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (v[middle]->pid < p->pid)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < n && v[low]->pid == p->pid; low++)
		if (!v[low]->sampled && fabs(v[low]->start_s - start_s) < nearest_s) {
			nearest_s = fabs(v[low]->start_s - start_s);
			found = v[low];
		}
	return found;
}

/* Older recorders without events took all CPU time of the command's wait(2) for the command's own,
 * with that of its children. */
static bool counts_children(const struct snapshot *s, const struct process_tree_node *row)
{
	return strcmp(s->tree->source, PROCESS_TREE_EVENTS) != 0 && row->parent < 0 &&
	       row->pid == s->meta.pid;
}

/* Takes what samples know of it. row->cpu_exact is what the recording's events alone say. */
static void take_facts(const struct snapshot *s, struct process_tree_node *row,
                       const struct snapshot_process *p)
{
	double missing_s = row->cpu_exact > 0 ? MISSING_S : ROUNDED_S;
	bool more = isnan(row->cpu_s) || p->cpu_s > row->cpu_s + missing_s;

	row->sampled = p;
	/* Its end said more than the last sample. */
	if (strcmp(s->tree->source, PROCESS_TREE_EVENTS) == 0 && row->cpu_s > p->cpu_s + ROUNDED_S)
		row->cpu_exact = 1;
	if (!isnan(p->cpu_s) && (more || counts_children(s, row))) {
		row->cpu_s = p->cpu_s;
		row->cpu_exact = 0;
	}
	row->memory_b = larger(row->memory_b, p->peak_rss_b);
	if (row->status != PROCESS_TREE_NO_STATUS || (isnan(p->exit_code) && !*p->signal))
		return;
	if (*p->signal && snapshot_signal_number(p->signal))
		row->status = -snapshot_signal_number(p->signal);
	else if (!*p->signal && p->exit_code >= 0 && p->exit_code < 256)
		row->status = (int)p->exit_code;
}

/* The end of a process says exact numbers, which the kernel counts. Of one that a sample saw it may
 * be what that sample saw. */
static void set_exact(const struct process_tree *t)
{
	bool events = strcmp(t->source, PROCESS_TREE_EVENTS) == 0;
	bool perf = t->kernel && strcmp(t->kernel, PROCESS_TREE_PERF) == 0;

	for (size_t i = 0; i < t->kept; i++) {
		struct process_tree_node *row = &t->of[i];
		row->cpu_exact = events && (perf || isnan(row->memory_b));
		if (isnan(row->cpu_s))
			row->cpu_exact = NAN;
	}
}

static void join_both(struct snapshot *s)
{
	struct process_tree *t = s->tree;
	struct process_tree_node **v = alloc_failed_note(calloc(t->kept + 1, sizeof(*v)));

	set_exact(t);
	for (size_t i = 0; v && i < t->kept; i++)
		v[i] = &t->of[i];
	if (v) {
		qsort(v, t->kept, sizeof(*v), by_pid);
		for (size_t i = 0; i < s->processes.n_top; i++) {
			const struct snapshot_process *p = &s->processes.top[i];
			struct process_tree_node *row = find_row(v, t->kept, s->meta.start_time, p);
			if (row)
				take_facts(s, row, p);
		}
	}
	free(v);
}

/* -- of samples alone -------------------------------------------------------------------------- */

static bool same_node(const struct snapshot_process *a, const struct snapshot_process *b)
{
	return strcmp(a->node ? a->node : "", b->node ? b->node : "") == 0;
}

/* The process that started p, if it is listed: it began before. */
static long parent_row(const struct snapshot_processes *all, const struct snapshot_process *p)
{
	for (size_t i = 0; i < all->n_top; i++)
		if (all->top[i].pid == p->ppid && all->top[i].start < p->start &&
		    same_node(&all->top[i], p))
			return (long)i;
	return -1;
}

static void take_sampled_row(struct snapshot *s, size_t i)
{
	const struct snapshot_process *p = &s->processes.top[i];
	struct process_tree_node *row = &s->tree->of[i];
	bool is_pid = p->pid >= 0 && p->pid <= 1 << 30;

	*row = (struct process_tree_node){.pid = is_pid ? (int)p->pid : -1,
	                                  .parent = parent_row(&s->processes, p),
	                                  .start_s = p->start - s->meta.start_time,
	                                  .end_s = p->end - s->meta.start_time,
	                                  .cpu_s = p->cpu_s,
	                                  .memory_b = p->peak_rss_b,
	                                  .status = PROCESS_TREE_NO_STATUS,
	                                  .name = p->name,
	                                  .command = p->command};
	take_facts(s, row, p);
	row->cpu_exact = isnan(p->cpu_s) ? (double)NAN : p->cpu_exact > 0;
}

/* False without memory. */
static bool make_of_samples(struct snapshot *s)
{
	const struct snapshot_processes *from = &s->processes;
	struct process_tree *t = snapshot_alloc(s, sizeof *t);
	size_t n = from->n_top, groups = from->n_others;

	s->tree = t;
	if (!t)
		return false;
	*t = (struct process_tree){.source = PROCESS_TREE_SAMPLES,
	                           .why = "",
	                           .largest = true,
	                           .n = (double)n,
	                           .of = snapshot_alloc(s, (n + 1) * sizeof *t->of),
	                           .groups = snapshot_alloc(s, (groups + 1) * sizeof *t->groups)};
	if (!t->of || !t->groups)
		return false;
	for (t->kept = 0; t->kept < n; t->kept++)
		take_sampled_row(s, t->kept);
	for (; t->n_groups < groups; t->n_groups++) {
		const struct snapshot_process *p = &from->others[t->n_groups];
		bool pss = !isnan(p->peak_pss_b);
		t->groups[t->n_groups] =
		    (struct process_tree_group){.name = p->name,
		                                .parent = -1,
		                                .n = p->count > 0 ? p->count : 0,
		                                .cpu_s = p->cpu_s > 0 ? p->cpu_s : 0,
		                                .memory_b = pss ? p->peak_pss_b : p->peak_rss_b,
		                                .start_s = NAN,
		                                .end_s = NAN};
		t->n += t->groups[t->n_groups].n;
	}
	t->n = larger(t->n, from->seen > 0 ? from->seen : 0);
	return true;
}

/* -- the whole --------------------------------------------------------------------------------- */

/* A page of an older version has only the number of the processes, if there are many. */
static void join_number(struct snapshot *s)
{
	const struct process_tree *all = s->tree;

	if (!make_of_samples(s)) {
		s->tree = NULL;
		return;
	}
	s->tree->why = all->why;
	s->tree->kernel = all->kernel;
	s->tree->refused = all->refused;
	s->tree->n = larger(all->n, s->tree->n);
}

void process_join(struct snapshot *s)
{
	const struct snapshot_processes *p = &s->processes;
	bool any = p->known && p->n_top + p->n_others;

	if (s->tree && s->tree->kept && !s->tree->says_exact)
		join_both(s);
	else if (s->tree && !s->tree->kept && any)
		join_number(s);
	else if (!s->tree && any && !make_of_samples(s))
		s->tree = NULL;
	if (s->tree)
		s->tree->says_exact = true;
}
