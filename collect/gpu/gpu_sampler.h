/*
 * gpu_sampler: a process of ours that reads the GPUs, so that a driver which hangs, crashes or
 * takes its time disturbs neither the recording nor the command.
 *
 * It publishes each reading in shared memory. It is a child that only waitpid(2) with __WCLONE
 * sees and that sends no SIGCHLD; it has a session of its own, no descriptor of ours but the root,
 * and ends when we do. Who follows our children must leave it out, and what it has started.
 */
#ifndef COLLECT_GPU_GPU_SAMPLER_H
#define COLLECT_GPU_GPU_SAMPLER_H

#include "collect/gpu/gpu_reading.h"
#include "collect/procfs/root.h"
#include "core/err.h"

#define GPU_PIDS_MAX 2048 /* processes of the tree that are looked at */

struct gpu_shared;

/* Valid when zero: no sampler. */
struct gpu_sampler {
	int pid;  /* 0: none */
	int wake; /* our end of a socket; it ends with it */
	struct gpu_shared *shared;
};

struct gpu_sampler_setup {
	const struct root *r;
	const char *library; /* NVML's; NULL: none */
	bool nested;         /* as in gpu_nvml_open */
	bool drm;            /* there are AMD's or Intel's */
	double interval_s;   /* it reads no oftener than ten times a second */
};

/* Forks it; it waits for gpu_sampler_start. 0, or -1 with a sentence. */
int gpu_sampler_open(struct gpu_sampler *s, const struct gpu_sampler_setup *setup, struct err *e);

/* Lets it read: at once, and then shortly before each multiple of the interval after origin
 * (CLOCK_MONOTONIC ns). May be called again with another origin. */
void gpu_sampler_start(struct gpu_sampler *s, int64_t origin);

/* Tells it the processes of the tree. */
void gpu_sampler_tell(struct gpu_sampler *s, const int *pids, size_t n);

/* Copies the last reading. False where there is none that is whole. The table is checked: its
 * counts and indices can be relied on, its texts end. */
bool gpu_sampler_read(const struct gpu_sampler *s, struct gpu_reading *out);

/* Kills it. Waits for it no longer than 20 ms: the kernel may hold it in the driver. */
void gpu_sampler_close(struct gpu_sampler *s);

#endif
