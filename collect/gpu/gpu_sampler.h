/*
 * gpu_sampler: a separate process that reads the GPUs, so that a driver that hangs, crashes or
 * is slow disturbs neither the recording nor the command.
 *
 * It publishes each reading in shared memory. Only waitpid(2) with __WCLONE sees this child, and
 * it sends no SIGCHLD; it has a session of its own, inherits no file descriptor but the root
 * directory, and is killed when the recorder ends. Code that lists the recorder's children must
 * skip it and its descendants.
 */
#ifndef COLLECT_GPU_GPU_SAMPLER_H
#define COLLECT_GPU_GPU_SAMPLER_H

#include "collect/gpu/gpu_reading.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"

#define GPU_PIDS_MAX 2048 /* processes of the job whose fdinfo is read */

struct gpu_shared;

/* Valid when zero: no sampler. */
struct gpu_sampler {
	int pid;  /* 0: none */
	int wake; /* our end of a socket: a byte wakes the sampler, end of file ends it */
	struct gpu_shared *shared;
};

struct gpu_sampler_setup {
	const struct root *r;
	const char *library; /* the NVML library; NULL: no NVIDIA GPU */
	bool nested;         /* as in gpu_nvml_open */
	bool drm;            /* there are AMD or Intel GPUs */
	double interval_s;   /* readings are at least 0.1 s apart */
};

/* Forks the sampler, which waits for gpu_sampler_start. 0, or -1 with a sentence. */
int gpu_sampler_open(struct gpu_sampler *s, const struct gpu_sampler_setup *setup, struct err *e);

/* Starts the readings: one now, then one shortly before each multiple of the interval after origin
 * (CLOCK_MONOTONIC, ns). May be called again with another origin. */
void gpu_sampler_start(struct gpu_sampler *s, int64_t origin);

/* Publishes the PIDs of the job for the sampler. */
void gpu_sampler_set_pids(struct gpu_sampler *s, const int *pids, size_t n);

/* Copies the last reading; false if there is no complete one. The copy is validated: counts and
 * indexes are in range, and strings are terminated. */
bool gpu_sampler_read(const struct gpu_sampler *s, struct gpu_reading *out);

/* Kills the sampler. Waits at most 20 ms: it may be stuck in the driver, in uninterruptible
 * sleep. */
void gpu_sampler_close(struct gpu_sampler *s);

#endif
