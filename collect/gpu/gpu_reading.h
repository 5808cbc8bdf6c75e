/*
 * gpu_reading: one reading of all GPUs, as the sampler publishes it.
 *
 * It is plain data without pointers, since it crosses a process boundary in shared memory. Valid
 * when zero: nothing was read yet. NAN means not measured.
 */
#ifndef COLLECT_GPU_GPU_READING_H
#define COLLECT_GPU_GPU_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GPU_MAX           64   /* GPUs (or slices of them); further ones are not counted */
#define GPU_PROCESSES_MAX 1024 /* processes on all GPUs; further ones are not counted */

struct gpu_device {
	char uuid[96], name[96]; /* NUL-terminated; bytes as the driver gives them */
	double memory_b, used_b;
	double
	    utilisation; /* 0 … 1: share of the driver's last period, or since the last reading */
	double power_w, temperature_c;
	bool by_process; /* how busy each process keeps it is told; by pids of ours */
	bool foreign;    /* the pids on it are those of another PID namespace */
	bool awake_only; /* utilisation is the time that it was not asleep */
};

struct gpu_process {
	int device, pid;
	double used_b;      /* of its memory */
	double utilisation; /* 0 … 1; 0 where by_process is false */
};

struct gpu_reading {
	int64_t at; /* CLOCK_MONOTONIC ns, when the reading was complete; 0: none yet */
	uint64_t readings;
	size_t devices, processes;
	bool cut;      /* there are more devices or processes */
	bool denied;   /* of a process of the tree it could not be read what it uses */
	char why[256]; /* a driver that is there but does not serve, a sentence's end; "" */
	struct gpu_device device[GPU_MAX];
	struct gpu_process process[GPU_PROCESSES_MAX];
};

/* The next device, with all numbers NAN; NULL where the table is full. */
struct gpu_device *gpu_reading_device(struct gpu_reading *t);

/* What a process has on a device; it is entered, with both numbers 0, where it was not. NULL where
 * the table is full. */
struct gpu_process *gpu_reading_process(struct gpu_reading *t, int device, int pid);

#endif
