/*
 * gpu_reading: one reading of all GPUs, as the sampler publishes it, and its sums for the machine
 * and for the job.
 *
 * Plain data without pointers, because it passes through shared memory. Valid when zero: no reading
 * yet. NAN means not measured.
 *
 * If the driver reports utilisation per process, the job's utilisation is the sum over its
 * processes. If it does not (MIG slices, old GPUs, another PID namespace), a GPU's utilisation is
 * the job's if its processes hold all of the memory that is in use on the GPU, and unknown
 * otherwise.
 */
#ifndef COLLECT_GPU_GPU_READING_H
#define COLLECT_GPU_GPU_READING_H

#include "core/numbers/metric.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GPU_MAX           64   /* GPUs or MIG slices; more are not counted */
#define GPU_PROCESSES_MAX 1024 /* processes on all GPUs together; more are not counted */

struct gpu_device {
	char uuid[96], name[96]; /* NUL-terminated; bytes as the driver gives them */
	double memory_b, used_b;
	double utilisation; /* 0 … 1, over the driver's last period or since the last reading */
	double power_w, temperature_c;
	bool by_process; /* utilisation is known per process, by PIDs of our PID namespace */
	bool foreign;    /* PIDs on it belong to another PID namespace */
	bool awake_only; /* utilisation is the share of time that the GPU was awake */
};

struct gpu_process {
	int device, pid;
	double used_b;      /* of the GPU's memory */
	double utilisation; /* 0 … 1; 0 where by_process is false */
};

struct gpu_reading {
	int64_t at; /* CLOCK_MONOTONIC, ns, when the reading was complete; 0: none yet */
	uint64_t readings;
	size_t devices, processes;
	bool cut;    /* there were more devices or processes than fit */
	bool denied; /* the fdinfo of a process of the job could not be read */
	char
	    why[256]; /* why a driver that is loaded could not be used: the end of a sentence; "" */
	struct gpu_device device[GPU_MAX];
	struct gpu_process process[GPU_PROCESSES_MAX];
};

/* Appends a device with all values NAN; NULL if the table is full. */
struct gpu_device *gpu_reading_device(struct gpu_reading *t);

/* The entry of a process on a device, appended with zeros if it is new; NULL if the table is
 * full. */
struct gpu_process *gpu_reading_process(struct gpu_reading *t, int device, int pid);

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
void gpu_reading_fill(struct gpu_sample *out, double v);

/* chosen[i] says whether to measure device i. tree NULL: the job's values are 0. A sum skips GPUs
 * whose value is NAN; it is NAN only if all are. */
void gpu_reading_sum(const struct gpu_reading *t, const bool chosen[GPU_MAX],
                     const struct gpu_tree *tree, struct gpu_sample *out);

#endif
