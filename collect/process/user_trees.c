/* user_trees: the processes of a user as trees. */
#include "collect/process/user_trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/larger.h"

#define NONE       SIZE_MAX
#define LEAST_CORE 0.01 /* cores, below which no tree is chosen for its CPU time */

static int pid_order(const void *a, const void *b)
{
	const struct user_process *p = a, *q = b;

	return (p->pid > q->pid) - (p->pid < q->pid);
}

void user_trees_order(struct user_process *p, size_t n)
{
	if (n)
		qsort(p, n, sizeof *p, pid_order);
}

static const struct user_process *find_pid(const struct user_process *p, size_t n, int pid)
{
	const struct user_process key = {.pid = pid};

	return n ? bsearch(&key, p, n, sizeof *p, pid_order) : NULL;
}

/* NULL: it is gone, and another process may have its pid. */
static const struct user_process *parent_of(const struct user_looks *l,
                                            const struct user_process *p)
{
	const struct user_process *parent = find_pid(l->now, l->n_now, p->ppid);

	return parent && parent != p && parent->start <= p->start ? parent : NULL;
}

/* Whether jobs are started from it, each in a process group of its own. */
static bool starts_jobs(const struct user_looks *l, const struct user_process *p)
{
	const struct user_process *leader = find_pid(l->now, l->n_now, p->session);

	return p->pid == 1 || (p->session == p->pid && p->terminal) ||
	       (leader && leader->uid != l->uid);
}

/* Its parent, where that is in the same tree; NULL: it is the root. */
static const struct user_process *above(const struct user_looks *l, const struct user_process *p)
{
	const struct user_process *parent = parent_of(l, p);

	if (!parent || parent->uid != l->uid || parent->cgroup != p->cgroup ||
	    (p->session == p->pid && p->terminal))
		return NULL;
	return p->group != parent->group && starts_jobs(l, parent) ? NULL : parent;
}

/* Follows parents to a root. As /proc is not read in one moment, they might form a circle. */
static size_t root_of(const struct user_looks *l, const struct user_process *p)
{
	const struct user_process *up;

	for (size_t steps = 0; steps < l->n_now && (up = above(l, p)) != NULL; steps++)
		p = up;
	return (size_t)(p - l->now);
}

static double memory(double pss_b, double rss_b)
{
	return isnan(pss_b) ? rss_b : pss_b;
}

static void count_process(const struct user_looks *l, struct user_tree *t, size_t place)
{
	const struct user_process *p = &l->now[place], *largest = &l->now[t->largest];
	const struct user_process *before = find_pid(l->before, l->n_before, p->pid);
	bool same = before && before->start == p->start;

	t->own_s += p->own_s - (same ? before->own_s : 0);
	t->reaped_s += p->reaped_s - (same ? before->reaped_s : 0);
	if (p->zombie)
		return;
	t->n++;
	t->rss_b += p->rss_b;
	t->pss_b += p->pss_b;
	if (memory(p->pss_b, p->rss_b) > memory(largest->pss_b, largest->rss_b))
		t->largest = place;
}

/* The time of a process that has ended was counted before, and its parent has inherited it. */
static void take_ended(const struct user_looks *l, struct user_tree *trees, const size_t *places)
{
	for (size_t i = 0; i < l->n_before; i++) {
		const struct user_process *p = &l->before[i], *up = p, *now = NULL;
		const struct user_process *same = find_pid(l->now, l->n_now, p->pid);
		size_t tree;

		if (same && same->start == p->start)
			continue;
		for (size_t steps = 0; !now && up && steps < l->n_before; steps++) {
			now = find_pid(l->now, l->n_now, up->ppid);
			if (now && now->start > p->start)
				now = NULL; /* it has the pid of one that is gone */
			up = find_pid(l->before, l->n_before, up->ppid);
		}
		tree = now ? places[now - l->now] : NONE;
		if (tree != NONE)
			trees[tree].reaped_s -= p->own_s + p->reaped_s;
	}
}

static int larger_tree(const void *a, const void *b)
{
	const struct user_tree *s = a, *t = b;
	double x = memory(s->pss_b, s->rss_b), y = memory(t->pss_b, t->rss_b);

	if (x > y || x < y)
		return x > y ? -1 : 1;
	return (s->root > t->root) - (s->root < t->root);
}

size_t user_trees_find(const struct user_looks *l, struct user_tree *out, size_t *places)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < l->n_now; i++) {
		places[i] = NONE;
		if (l->now[i].uid != l->uid || above(l, &l->now[i]))
			continue;
		out[n] = (struct user_tree){.root = i, .largest = i};
		out[n].age_s = (double)(l->ticks - l->now[i].start) / l->ticks_per_s;
		if (l->ticks < l->now[i].start)
			out[n].age_s = 0;
		places[i] = n++;
	}
	for (size_t i = 0; i < l->n_now; i++) {
		if (l->now[i].uid == l->uid)
			places[i] = places[root_of(l, &l->now[i])];
		if (places[i] != NONE)
			count_process(l, &out[places[i]], i);
	}
	take_ended(l, out, places);
	for (size_t i = 0; i < n; i++) {
		out[i].cores = (larger(out[i].own_s, 0) + larger(out[i].reaped_s, 0)) / l->seconds;
		if (out[i].n)
			out[kept++] = out[i];
	}
	if (kept)
		qsort(out, kept, sizeof *out, larger_tree);
	return kept;
}

/* How many trees use more CPU time. */
static size_t busier(const struct user_tree *trees, size_t n, size_t i)
{
	size_t more = 0;

	for (size_t k = 0; k < n; k++)
		more += trees[k].cores > trees[i].cores;
	return more;
}

size_t user_trees_choose(struct user_tree *trees, size_t n, size_t most)
{
	size_t kept = n < most ? n : most, busy = 0;

	for (size_t i = kept; i < n; i++) {
		struct user_tree t = trees[i];

		if (busy == most || t.cores < LEAST_CORE || busier(trees, n, i) >= most)
			continue;
		memmove(trees + kept + 1, trees + kept, (i - kept) * sizeof *trees);
		trees[kept++] = t;
		busy++;
	}
	return kept;
}

struct user_tree user_trees_sum(const struct user_tree *trees, size_t n)
{
	struct user_tree sum = {.root = NONE, .largest = NONE};

	for (size_t i = 0; i < n; i++) {
		sum.n += trees[i].n;
		sum.rss_b += trees[i].rss_b;
		sum.pss_b += trees[i].pss_b;
		sum.cores += trees[i].cores;
	}
	return sum;
}
