/*
 * cpu_rlimit: the CPU time that the collector may use.
 *
 * RLIMIT_CPU counts for each process separately, and the collector inherits the command's limit.
 * The kernel would kill the collector at the limit while the command, which has its own count, goes
 * on.
 */
#ifndef COLLECT_COMMAND_CPU_RLIMIT_H
#define COLLECT_COMMAND_CPU_RLIMIT_H

#include <stdbool.h>

/* {0}: no limit. */
struct cpu_rlimit {
	double limit_s;
	double used_s;     /* at the last check */
	double max_step_s; /* the most that was used between two checks */
};

/* Raises the collector's soft limit to the hard one. Call it after the command was forked, so that
 * the command keeps its limit. */
void cpu_rlimit_open(struct cpu_rlimit *l);

/* To be called once for each sample. True if the rest of the limit is needed to end the recording:
 * four fifths are used, or a few samples like the dearest one would reach the limit. */
bool cpu_rlimit_spent(struct cpu_rlimit *l);

#endif
