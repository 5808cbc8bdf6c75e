/*
 * host_sharing: whether the job had the machine to itself, from the mean usage of both.
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

/* Adds a row of so many seconds. Adds nothing if either value was not measured (NAN). */
void host_sharing_add(struct host_sharing *a, enum host_sharing_of what, double tree, double system,
                      double seconds);

/* Returns "shared" if the machine used clearly more than the job of any resource:
 *   CPU         over 1.25 times as much, or 0.25 cores more; and the gap is over 0.1 cores
 *   memory      over 1.5 times as much, or 512 MiB more; and the gap is over 64 MiB
 *   GPU usage   over 1.25 times as much, or 0.2 GPUs more; and the gap is over 0.1 GPUs
 *   GPU memory  over 1.25 times as much, or 512 MiB more; and the gap is over 64 MiB
 * Otherwise "dedicated"; "unknown" without rows. */
const char *host_sharing_word(const struct host_sharing *a);

#endif
