/*
 * perf_cost: what the events of perf_events.h cost the job that they follow, and whether that is
 * too much.
 *
 * Each fork copies all events, and each switch to another thread starts and stops those of its
 * CPU. A job may lose a hundredth of its CPU time by them, and 30 ms in advance. Switches are
 * counted apart: of threads that live, by their schedstat, as far as a look has seen them.
 *
 *	perf_cost_begin(&c, now);
 *	c.forks++;
 *	if (now >= c.due) {
 *		perf_cost_count(&c, r, pid of a process that lives); …of each
 *		why = perf_cost_charge(&c, &u);
 *	}
 */
#ifndef COLLECT_EVENTS_PERF_COST_H
#define COLLECT_EVENTS_PERF_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/procfs/root.h"

#define PERF_COST_THREADS 64   /* whose switches are counted, of one look */
#define PERF_COST_RATE    2000 /* switches a second and CPU, at most … */
#define PERF_COST_S       2    /* … for so long */

struct perf_cost_thread {
	int tid;
	uint64_t slices; /* times that it was given a CPU */
};

/* Times are CLOCK_MONOTONIC, ns. Valid after perf_cost_begin(). */
struct perf_cost {
	double forks, switches; /* since the last look */
	int64_t looked, due;    /* the last look, and the next … */
	int64_t pause;          /* … so much later */
	double saved_ns;        /* CPU time that may be lost now */
	int64_t calm;           /* the last look that did not find too many switches */
	/* Those of this look and of the one before */
	int n, n_before;
	struct perf_cost_thread now[PERF_COST_THREADS], before[PERF_COST_THREADS];
};

void perf_cost_begin(struct perf_cost *c, int64_t now);

/* Counts the switches of a process that began after perf_cost_begin(). False: no more threads are
 * counted in this look. */
bool perf_cost_count(struct perf_cost *c, const struct root *r, int pid);

/* Whether it is worth to ask for the job's CPU time: it has lost something since the last look. */
bool perf_cost_is_worth(const struct perf_cost *c, int events);

enum perf_cost_why { PERF_COST_FINE, PERF_COST_FORKS, PERF_COST_SWITCHES };

struct perf_cost_use {
	int64_t now;
	double used_ns; /* CPU time of the job since it was last asked for; 0: not asked for */
	int cpus, events;
};

/* Ends a look. Whether the job loses too much, and by what; then *per_s is how many a second. */
enum perf_cost_why perf_cost_charge(struct perf_cost *c, const struct perf_cost_use *u,
                                    double *per_s);

#endif
