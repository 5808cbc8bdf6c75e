/*
 * gpu_nvml: NVIDIA's GPUs, through the driver's own library (NVML API Reference), which is loaded
 * with dlopen(3) and of which no header is needed.
 *
 * The library starts threads, takes tens of megabytes, may block, and may crash: all of this is
 * called by the sampler's process alone.
 */
#ifndef COLLECT_GPU_GPU_NVML_H
#define COLLECT_GPU_GPU_NVML_H

#include "collect/gpu/gpu_reading.h"
#include "core/err.h"

#define GPU_NVML_LIBRARY "libnvidia-ml.so.1"

struct gpu_nvml;

/* Loads the library and enters its GPUs into t; one that is split into slices (MIG) as its slices.
 * nested: we are not in the machine's first PID namespace. NULL where it cannot serve: *e is a
 * sentence, or "" where there is simply no GPU. */
struct gpu_nvml *gpu_nvml_open(const char *library, bool nested, struct gpu_reading *t,
                               struct err *e);

/* Reads all values of its devices, and appends its processes. What fails is NAN. */
void gpu_nvml_read(struct gpu_nvml *n, struct gpu_reading *t);

/* NULL is fine. */
void gpu_nvml_close(struct gpu_nvml *n);

#endif
