/*
 * run_impossible: what a recording says of its run and cannot be true. Pure.
 *
 * A head that says a wall time of 10^15 s would cost $22 billion, so nothing is computed from it.
 */
#ifndef REPORT_RUNS_RUN_IMPOSSIBLE_H
#define REPORT_RUNS_RUN_IMPOSSIBLE_H

#include "core/base/quantity.h"
#include "core/recording/snapshot.h"

/* Clocks differ by minutes, and by hours where local time is taken for UTC. */
#define RUN_IMPOSSIBLE_CLOCK_S QUANTITY_DAY_S
/* CPU time is counted in ticks, and the wall clock may have been set meanwhile. */
#define RUN_IMPOSSIBLE_CPU   1.1
#define RUN_IMPOSSIBLE_CPU_S 1
/* × the machine's memory: processes share pages, and may be swapped out. */
#define RUN_IMPOSSIBLE_MEMORY 1.5
/* So many CPUs, or so many bytes, no machine has: an ask for them is a slip of the hand. */
#define RUN_IMPOSSIBLE_ASKED_CPUS   1e5
#define RUN_IMPOSSIBLE_ASKED_MEMORY 1125899906842624.0 /* 1 PiB */

/* NAN: unknown. */
struct run_claims {
	double start, wall_s, cpu_s, memory_b;
	double vcpus, machine_memory_b, asked_cpus, asked_memory_b;
};

/* A clause such as "it ends in the future"; NULL: all of it can be true. now: Unix seconds; 0:
 * unknown. */
const char *run_impossible(const struct run_claims *c, double now);

/* The same of a recording; its duration, stop and asks become unknown if it is impossible.
 * now: 0 if it starts in the future, because a clock that is behind is not a lie. */
const char *run_impossible_refuse(struct snapshot *s, double start, double *duration, double *stop,
                                  double memory_b, double now);

/* Makes that unknown. */
void run_impossible_forget(struct snapshot *s, double *duration, double *stop);

#endif
