/*
 * gpu: the GPUs of the machine, of every vendor: what they are, and how much of them the job uses.
 *
 * NVIDIA GPUs are read through NVML if NVIDIA's driver is loaded; AMD and Intel GPUs through sysfs
 * and fdinfo. A separate process reads them: gpu_read copies its last reading and
 * never blocks. On a machine without GPUs there is no such process, all values are 0, and no note
 * is written.
 */
#ifndef COLLECT_GPU_GPU_H
#define COLLECT_GPU_GPU_H

#include "collect/gpu/gpu_reading.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

struct gpu_options {
	const char *nvml;         /* path of the NVML library; NULL: GPU_NVML_LIBRARY */
	const char *const *uuids; /* the GPUs to measure; none: all */
	size_t n_uuids;
	double interval_s;
};

struct gpu;

/* r must outlive the result. If UUIDs are given, GPUs are looked for at once, and gpu_open waits up
 * to 30 s for their names. NULL with a sentence: no memory, or no GPU with such a UUID. */
struct gpu *gpu_open(const struct root *r, const struct gpu_options *o, struct err *e);

/* The same for the GPUs of a list: UUID[,UUID]…, or NULL for all. */
struct gpu *gpu_open_list(const struct root *r, const char *list, double interval_s, struct err *e);

/* Detects drivers and forks the sampler, which then waits for gpu_start. Only the first call does
 * something; gpu_wait and gpu_start call it. Before it, no GPU is known. */
void gpu_find(struct gpu *g);

/* The sampler's PID: a child of the recorder, not a process of the job; 0: no sampler. */
int gpu_pid(const struct gpu *g);

/* Whether there is a GPU to sample; if not, all values are known to be 0. */
bool gpu_any(const struct gpu *g);

/* Without a recording: starts the sampler, and waits until it knows the GPUs' names, at most until
 * a time of CLOCK_MONOTONIC. */
void gpu_wait(struct gpu *g, int64_t deadline_ns);

/* Call once the command has started. Samples will be taken at origin (CLOCK_MONOTONIC, ns) and at
 * multiples of the interval after it. */
void gpu_start(struct gpu *g, int64_t origin);

/* tree may be NULL. All values are NAN if a GPU exists but has no recent reading. The only system
 * call is clock_gettime(2). */
void gpu_read(struct gpu *g, const struct gpu_tree *tree, struct gpu_sample *out);

/* Fills s->server: the number of GPUs, their names, the most common name, and their total
 * memory, of all GPUs of the machine, even if only some are measured. Complete some time after
 * gpu_start. */
void gpu_describe(const struct gpu *g, struct snapshot *s);

/* Adds notes on what could not be measured, and why; the second: on drivers that do not answer
 * alone. */
void gpu_notes(const struct gpu *g, struct snapshot *s);
void gpu_notes_unread(const struct gpu *g, struct snapshot *s);

/* Writes the member "gpus" into the open object: an array with one object per measured GPU. */
void gpu_write(const struct gpu *g, struct json_write *j);

/* NULL is fine. */
void gpu_close(struct gpu *g);

#endif
