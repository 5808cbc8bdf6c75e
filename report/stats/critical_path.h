/*
 * critical_path: what the end of a job waited for.
 *
 * From the end of the job backwards: a process that ended last among the children of the process
 * that waited is followed to its start, with its own children, and so on; the rest of the time is
 * the process's own. So the path has one process for each moment. If children end together, as
 * those of a pipeline do, the one with most CPU time is followed.
 *
 *	struct critical_path p;
 *	if (critical_path_of(tree, &job, &p) == 0) ... p.v[0 ... p.n - 1]
 *	critical_path_free(&p);
 */
#ifndef REPORT_STATS_CRITICAL_PATH_H
#define REPORT_STATS_CRITICAL_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/processes/process_tree.h"

#define CRITICAL_PATH_NONE (-1L) /* no process is known that was waited for */

/* The run that the tree is of. */
struct critical_path_job {
	double pid;        /* of its root process; NAN: unknown */
	double duration_s; /* more than 0 */
	double interval_s; /* between samples; NAN: unknown */
};

struct critical_path_step {
	long at; /* index of the process, or CRITICAL_PATH_NONE */
	double from_s, to_s;
};

/* The time at the end in which one process ran alone, but for its ancestors, and for processes that
 * only waited. One that itself only waited is none. */
struct critical_path_last {
	long at; /* CRITICAL_PATH_NONE: there is none */
	double from_s, to_s;
	double cores;  /* its CPU time by its duration; NAN: not known of this time */
	double before; /* processes that ran before it, on average */
};

/* Valid when zero: no path. */
struct critical_path {
	struct critical_path_step
	    *v; /* in the order of time, each from where the one before ends */
	size_t n;
	double *on_s; /* of each process of the tree: its seconds on the path */
	double none_s;
	struct critical_path_last last;
};

/* 0, or -1 without memory. */
int critical_path_of(const struct process_tree *t, const struct critical_path_job *job,
                     struct critical_path *out);

/* When a process began and ended in the run, from 0 to its duration. */
double critical_path_start_s(const struct process_tree_node *p,
                             const struct critical_path_job *job);
double critical_path_end_s(const struct process_tree_node *p, const struct critical_path_job *job);

/* Whether a process failed: another status than 0, a signal. */
bool critical_path_failed(const struct process_tree_node *p);

void critical_path_free(struct critical_path *p);

#endif
