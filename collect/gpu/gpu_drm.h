/*
 * gpu_drm: AMD's and Intel's GPUs, from /sys/class/drm and the fdinfo of the processes that have
 * them open (the kernel's Documentation/gpu/drm-usage-stats.rst, gpu/amdgpu/thermal.rst and the
 * rc6_residency_ms and idle_residency_ms of i915 and xe).
 *
 * Other drivers' devices (a virtual machine's or a server's display) are not counted. Intel's
 * drivers do not tell how busy a GPU is; they tell how long it slept, and the rest of the time is
 * taken for its utilisation.
 *
 * A driver whose GPU hangs may block a reading: like gpu_nvml it is called by the sampler's process
 * alone, gpu_drm_present aside.
 */
#ifndef COLLECT_GPU_GPU_DRM_H
#define COLLECT_GPU_GPU_DRM_H

#include "collect/gpu/gpu_reading.h"
#include "collect/procfs/root.h"

struct gpu_drm;

/* Whether there is such a GPU. Reads no file that a driver has to answer. */
bool gpu_drm_present(const struct root *r);

/* Enters its GPUs into t. r must live as long. NULL where there is none, or no memory. */
struct gpu_drm *gpu_drm_open(const struct root *r, struct gpu_reading *t);

/* Reads all values of its devices, and appends those of the n processes that use them. now is
 * CLOCK_MONOTONIC ns. What a process used before the first reading is not counted. */
void gpu_drm_read(struct gpu_drm *g, const int *pids, size_t n, int64_t now, struct gpu_reading *t);

/* NULL is fine. */
void gpu_drm_close(struct gpu_drm *g);

#endif
