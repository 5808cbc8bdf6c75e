/*
 * allocation: whether the job had the machine to itself, from what both used on average.
 */
#ifndef COLLECT_ALLOCATION_H
#define COLLECT_ALLOCATION_H

#include <stddef.h>

enum allocation_of {
	ALLOCATION_CPU,    /* cores */
	ALLOCATION_MEMORY, /* bytes */
	ALLOCATION_GPU,    /* GPUs */
	ALLOCATION_VRAM,   /* bytes */
	ALLOCATION_KINDS
};

/* Sums of value × seconds over the rows; valid when zero. */
struct allocation {
	double tree[ALLOCATION_KINDS], system[ALLOCATION_KINDS];
	double seconds[ALLOCATION_KINDS];
};

/* Adds what a row of so many seconds says of both; where either was not measured (NAN) nothing is
 * added. */
void allocation_add(struct allocation *a, enum allocation_of what, double tree, double system,
                    double seconds);

/* "shared" where the machine used clearly more than the tree, of any of them: over a quarter more,
 * or 0.25 cores, of CPU; half as much more, or 512 MiB, of memory; a quarter more, or 0.2 GPUs, of
 * GPU usage; a quarter more, or 512 MiB, of GPU memory; the gap being over 0.1 cores or GPUs, 64
 * MiB. "dedicated" where not, "unknown" without rows. */
const char *allocation_word(const struct allocation *a);

#endif
