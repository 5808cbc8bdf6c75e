/* wrappers: processes that only wait for one child after another. */
#include "report/stats/wrappers.h"

#include <stdlib.h>

#include "core/base/alloc_failed.h"

#define ROUNDED_S 0.0015 /* times are written with 3 decimals */

struct lived {
	double start_s, end_s;
	long parent;
	bool failed;
};

static int by_parent_and_start(const void *a, const void *b)
{
	const struct lived *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->start_s != y->start_s)
		return x->start_s < y->start_s ? -1 : 1;
	return (x->end_s > y->end_s) - (x->end_s < y->end_s);
}

static struct lived lived_of(const struct process_tree *t, const struct critical_path_job *job,
                             size_t i)
{
	const struct process_tree_node *p = &t->of[i];

	return (struct lived){.start_s = critical_path_start_s(p, job),
	                      .end_s = critical_path_end_s(p, job),
	                      .parent = p->parent,
	                      .failed = critical_path_failed(p)};
}

int wrappers_find(const struct process_tree *t, const struct critical_path_job *job, bool *is)
{
	struct lived *v = alloc_failed_note(calloc(t->kept + 1, sizeof *v));

	for (size_t i = 0; v && i < t->kept; i++) {
		v[i] = lived_of(t, job, i);
		is[i] = false;
	}
	if (!v)
		return -1;
	qsort(v, t->kept, sizeof *v, by_parent_and_start);
	for (size_t i = 0, end; i < t->kept; i = end) {
		double covered_s = 0;
		bool in_turn = true, failed = false;
		struct lived own;
		for (end = i; end < t->kept && v[end].parent == v[i].parent; end++) {
			covered_s += v[end].end_s - v[end].start_s;
			failed |= v[end].failed;
			in_turn &= end == i || v[end].start_s >= v[end - 1].end_s - ROUNDED_S;
		}
		if (v[i].parent < 0 || !in_turn)
			continue;
		own = lived_of(t, job, (size_t)v[i].parent);
		is[v[i].parent] =
		    own.parent >= 0 && (failed || !own.failed) &&
		    v[end - 1].end_s <= own.end_s + ROUNDED_S &&
		    covered_s >= WRAPPERS_COVERED * (own.end_s - own.start_s) &&
		    !(t->of[v[i].parent].cpu_s > WRAPPERS_CPU * (own.end_s - own.start_s));
	}
	free(v);
	return 0;
}
