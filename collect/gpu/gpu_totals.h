/*
 * gpu_totals: sums of one reading, for the machine and for the job.
 *
 * If the driver reports utilisation per process, the job's utilisation is the sum over its
 * processes. If it does not (MIG slices, old GPUs, another PID namespace), a GPU's utilisation
 * is the job's if its processes hold all of the memory that is in use on the GPU, and unknown
 * otherwise.
 */
#ifndef COLLECT_GPU_GPU_TOTALS_H
#define COLLECT_GPU_GPU_TOTALS_H

#include "collect/gpu/gpu_reading.h"
#include "core/numbers/metric.h"

/* The processes of the job, as the caller knows them. */
struct gpu_tree {
	bool (*has)(void *ctx, int pid);
	int (*pid)(void *ctx, size_t i); /* the i-th process; -1: skip it, 0: there are no more */
	void *ctx;
	int main_pid; /* the command's own process */
};

/* In GPUs, bytes and counts; NAN: not measured. */
struct gpu_sample {
	double system_usage, system_vram_b, system_utilized;
	double tree_usage, tree_vram_b, tree_utilized;
	double main_vram_b;
	/* Each of the first GPUs that are measured; NAN if there is no such GPU. */
	double each_usage[METRIC_GPUS], each_vram_b[METRIC_GPUS];
};

/* Sets all sums to v (0 or NAN), and the values of each GPU to NAN. */
void gpu_totals_fill(struct gpu_sample *out, double v);

/* chosen[i] says whether to measure device i. tree NULL: the job's values are 0. A sum skips GPUs
 * whose value is NAN; it is NAN only if all are. */
void gpu_totals_of(const struct gpu_reading *t, const bool chosen[GPU_MAX],
                   const struct gpu_tree *tree, struct gpu_sample *out);

#endif
