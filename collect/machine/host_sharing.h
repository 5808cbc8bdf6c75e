/*
 * host_sharing: whether the job had the machine to itself, from what both used on average.
 */
#ifndef COLLECT_MACHINE_HOST_SHARING_H
#define COLLECT_MACHINE_HOST_SHARING_H

#include <stddef.h>

enum host_sharing_of {
	HOST_SHARING_CPU,    /* cores */
	HOST_SHARING_MEMORY, /* bytes */
	HOST_SHARING_GPU,    /* GPUs */
	HOST_SHARING_VRAM,   /* bytes */
	HOST_SHARING_KINDS
};

/* Sums of value × seconds over the rows; valid when zero. */
struct host_sharing {
	double tree[HOST_SHARING_KINDS], system[HOST_SHARING_KINDS];
	double seconds[HOST_SHARING_KINDS];
};

/* Adds what a row of so many seconds says of both; where either was not measured (NAN) nothing is
 * added. */
void host_sharing_add(struct host_sharing *a, enum host_sharing_of what, double tree, double system,
                      double seconds);

/* "shared" where the machine used clearly more than the tree, of any of them: over a quarter more,
 * or 0.25 cores, of CPU; half as much more, or 512 MiB, of memory; a quarter more, or 0.2 GPUs, of
 * GPU usage; a quarter more, or 512 MiB, of GPU memory; the gap being over 0.1 cores or GPUs, 64
 * MiB. "dedicated" where not, "unknown" without rows. */
const char *host_sharing_word(const struct host_sharing *a);

#endif
