/*
 * gpu_totals: what a reading of all GPUs comes to for the machine, and for the tree.
 *
 * A process belongs to the tree where the caller says so. Utilisation of the tree is the sum of its
 * processes' where the driver tells it by process. Where it does not (slices, old cards, the
 * numbers of another PID namespace), a GPU's whole utilisation is the tree's if the tree's
 * processes hold all of the memory that is in use on it; else it is not known.
 */
#ifndef COLLECT_GPU_GPU_TOTALS_H
#define COLLECT_GPU_GPU_TOTALS_H

#include "collect/gpu/gpu_reading.h"
#include "core/metric.h"

/* Which processes are the tree's. ctx is the caller's. */
struct gpu_tree {
	bool (*has)(void *ctx, int pid);
	int (*pid)(void *ctx, size_t i); /* the i-th of it, -1: left out, 0: there are no more */
	void *ctx;
	int main_pid; /* the root process */
};

/* In GPUs, bytes and counts; NAN: not measured. */
struct gpu_sample {
	double system_usage, system_vram_b, system_utilized;
	double tree_usage, tree_vram_b, tree_utilized;
	double main_vram_b;
	/* of the machine's GPUs that count, each; NAN also where there is none of that number */
	double each_usage[METRIC_GPUS], each_vram_b[METRIC_GPUS];
};

/* All not measured, or all zero; of each GPU nothing is measured. */
void gpu_totals_fill(struct gpu_sample *out, double v);

/* chosen[i] is whether device i counts. tree NULL: the tree's values are 0. A value of one GPU that
 * was not measured is left out of a sum that others are in. */
void gpu_tally(const struct gpu_reading *t, const bool chosen[GPU_MAX], const struct gpu_tree *tree,
               struct gpu_sample *out);

#endif
