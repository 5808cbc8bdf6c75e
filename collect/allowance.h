/*
 * allowance: the CPU time that we may use ourselves.
 *
 * RLIMIT_CPU holds for each process by itself: ours too, which would be killed in the middle of a
 * command that is within its own.
 */
#ifndef COLLECT_ALLOWANCE_H
#define COLLECT_ALLOWANCE_H

#include <stdbool.h>

/* {0}: no limit. */
struct allowance {
	double most_s;
};

/* Raises our soft limit to the hard one. To be called when the command has been forked: its limit
 * stays. */
void allowance_open(struct allowance *a);

/* Whether so much is used that the rest is needed for the end. */
bool allowance_spent(const struct allowance *a);

#endif
