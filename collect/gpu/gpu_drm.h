/*
 * gpu_drm: AMD and Intel GPUs, from /sys/class/drm and the fdinfo of the processes that have them
 * open (kernel documentation: gpu/drm-usage-stats.rst, gpu/amdgpu/thermal.rst, and rc6_residency_ms
 * and idle_residency_ms of i915 and xe).
 *
 * Devices of other drivers (the display of a virtual machine or a server) are not counted. Intel's
 * drivers do not report utilisation but the time that the GPU slept; the rest of the time counts as
 * utilisation.
 *
 * A hanging GPU may block a read: except for gpu_drm_present, only the sampler process calls this.
 */
#ifndef COLLECT_GPU_GPU_DRM_H
#define COLLECT_GPU_GPU_DRM_H

#include "collect/gpu/gpu_reading.h"
#include "collect/procfs/root.h"

struct gpu_drm;

/* Whether there is an AMD or Intel GPU. Reads no file that a driver must answer. */
bool gpu_drm_present(const struct root *r);

/* Appends the GPUs to t. r must outlive the result. NULL: no GPU, or no memory. */
struct gpu_drm *gpu_drm_open(const struct root *r, struct gpu_reading *t);

/* Reads the values of its GPUs, and appends the use by the n processes. now is CLOCK_MONOTONIC, ns.
 * Use before the first reading is not counted. */
void gpu_drm_read(struct gpu_drm *g, const int *pids, size_t n, int64_t now, struct gpu_reading *t);

/* NULL is fine. */
void gpu_drm_close(struct gpu_drm *g);

#endif
