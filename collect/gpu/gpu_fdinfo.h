/*
 * gpu_fdinfo: the use counters of one open GPU file, from /proc/PID/fdinfo/FD (kernel
 * documentation: gpu/drm-usage-stats.rst).
 */
#ifndef COLLECT_GPU_GPU_FDINFO_H
#define COLLECT_GPU_GPU_FDINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GPU_FDINFO_ENGINES 12 /* more are ignored */

struct gpu_fdinfo_engine {
	char name[16];
	uint64_t busy_ns;              /* drm-engine-NAME */
	uint64_t cycles, total_cycles; /* drm-cycles-NAME, drm-total-cycles-NAME */
	uint64_t capacity;             /* number of such engines, at least 1 */
	bool has_ns, has_cycles, has_total;
};

struct gpu_fdinfo {
	char driver[16], pdev[24]; /* "amdgpu"; "0000:03:00.0", "" if missing */
	uint64_t client;           /* equal in all descriptors of one open file description */
	bool has_client;
	double vram_b; /* resident in the GPU's own memory; 0 if it has none */
	size_t engines;
	struct gpu_fdinfo_engine engine[GPU_FDINFO_ENGINES];
};

/* 0, or -1 if it is not a GPU file. */
int gpu_fdinfo_parse(const char *text, size_t n, struct gpu_fdinfo *out);

/* The share of the elapsed time in which the busiest engine was busy, 0 … 1. With before NULL,
 * or without the engine in it, counters start at 0. A counter that went backwards counts as
 * unchanged. */
double gpu_fdinfo_busy(const struct gpu_fdinfo *before, const struct gpu_fdinfo *now,
                       int64_t elapsed_ns);

#endif
