/*
 * gpu_fdinfo: what one open GPU file has used, from /proc/PID/fdinfo/FD (the kernel's
 * Documentation/gpu/drm-usage-stats.rst).
 */
#ifndef COLLECT_GPU_GPU_FDINFO_H
#define COLLECT_GPU_GPU_FDINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GPU_FDINFO_ENGINES 12 /* further ones are left out */

struct gpu_fdinfo_engine {
	char name[16];
	uint64_t busy_ns;              /* drm-engine-NAME */
	uint64_t cycles, total_cycles; /* drm-cycles-NAME, drm-total-cycles-NAME */
	uint64_t capacity;             /* how many there are of it, 1 or more */
	bool has_ns, has_cycles, has_total;
};

struct gpu_fdinfo {
	char driver[16], pdev[24]; /* "amdgpu"; "0000:03:00.0", "" where not told */
	uint64_t client;           /* the same in every descriptor of one open(2) */
	bool has_client;
	double vram_b; /* resident in the card's own memory; 0 where it has none */
	size_t engines;
	struct gpu_fdinfo_engine engine[GPU_FDINFO_ENGINES];
};

/* 0, or -1 where it is no GPU's. */
int gpu_fdinfo_parse(const char *text, size_t n, struct gpu_fdinfo *out);

/* The share of the time since the reading before that its busiest engine was busy, 0 … 1. before
 * NULL, or an engine that is not in it: since zero. Counters that fell did not move. */
double gpu_fdinfo_busy(const struct gpu_fdinfo *before, const struct gpu_fdinfo *now,
                       int64_t elapsed_ns);

#endif
