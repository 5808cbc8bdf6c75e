/*
 * gpu: all GPUs of the machine, whoever made them: what they are, and what the tree uses of them.
 *
 * NVIDIA's by the driver's library, where its driver is loaded; AMD's and Intel's by sysfs and
 * fdinfo. They are read by a process of our own (gpu_sampler.h): gpu_read takes what it published
 * last, and never waits. Where the machine has no GPU there is no such process, all values are 0,
 * and nothing is said.
 */
#ifndef COLLECT_GPU_GPU_H
#define COLLECT_GPU_GPU_H

#include "collect/gpu/gpu_totals.h"
#include "collect/procfs/root.h"
#include "core/err.h"
#include "core/json_write.h"
#include "core/snapshot.h"

struct gpu_options {
	const char *nvml;         /* another library; NULL: the driver's own */
	const char *const *uuids; /* which GPUs count; none: all */
	size_t n_uuids;
	double interval_s;
};

struct gpu;

/* Looks what there is, and forks the sampler, which waits for gpu_start. r must live as long. Where
 * uuids are given it reads at once, and the names are waited for, at most 30 s. NULL with a
 * sentence: no memory, or a UUID that is not there. */
struct gpu *gpu_open(const struct root *r, const struct gpu_options *o, struct err *e);

/* The sampler's process, which is our child and not the tree's; 0 where there is none. */
int gpu_pid(const struct gpu *g);

/* Whether a value of a GPU may ever come: else all there is to measure is known to be none. */
bool gpu_any(const struct gpu *g);

/* To be called once the command has started; the samples are to be taken at origin (CLOCK_MONOTONIC
 * ns) and multiples of the interval after it. */
void gpu_start(struct gpu *g, int64_t origin);

/* tree may be NULL. All is NAN where there is a GPU that was not read yet, or not lately. Makes no
 * system call but one for the time. */
void gpu_read(struct gpu *g, const struct gpu_tree *tree, struct gpu_sample *out);

/* Fills s->server: the count, the names, the commonest name, and the total memory of all GPUs of
 * the machine, whichever of them were chosen. The names are known some time after gpu_start. */
void gpu_describe(const struct gpu *g, struct snapshot *s);

/* Notes in the snapshot what could not be measured, and why. */
void gpu_notes(const struct gpu *g, struct snapshot *s);

/* Writes the member "gpus" into an object that is open: an array with an object for each chosen
 * GPU.
 */
void gpu_write(const struct gpu *g, struct json_write *j);

/* NULL is fine. */
void gpu_close(struct gpu *g);

#endif
