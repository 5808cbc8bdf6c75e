/*
 * cpu_rlimit: the CPU time limit of rtrack-collect itself.
 *
 * rtrack-collect inherits the command's RLIMIT_CPU, but the kernel counts CPU time per process. It
 * would kill rtrack-collect at the limit while the command, with its own count, runs on.
 */
#ifndef COLLECT_COMMAND_CPU_RLIMIT_H
#define COLLECT_COMMAND_CPU_RLIMIT_H

#include <stdbool.h>

/* {0}: no limit. */
struct cpu_rlimit {
	double limit_s;
	double used_s;     /* at the last check */
	double max_step_s; /* the most CPU time used between two checks */
};

/* Raises the soft limit to the hard limit. Call it after command_fork(), so that the command keeps
 * the original limit. */
void cpu_rlimit_open(struct cpu_rlimit *l);

/* Call this once per sample. Returns true when the remaining CPU time is needed to write the
 * snapshot: four fifths of the limit are used, or four more steps as long as the longest would
 * exceed it. */
bool cpu_rlimit_spent(struct cpu_rlimit *l);

#endif
