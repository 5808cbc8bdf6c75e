/*
 * gpu_nvml: NVIDIA GPUs, through the driver's own library (NVML API Reference), loaded with
 * dlopen(3); its header is not needed.
 *
 * The library starts threads, takes tens of megabytes, may block, and may crash: only the sampler
 * process calls this.
 */
#ifndef COLLECT_GPU_GPU_NVML_H
#define COLLECT_GPU_GPU_NVML_H

#include "collect/gpu/gpu_reading.h"
#include "core/base/err.h"

#define GPU_NVML_LIBRARY "libnvidia-ml.so.1"

struct gpu_nvml;

/* Loads the library and appends its GPUs to t; a GPU in MIG mode as its slices. nested: we run
 * inside a PID namespace, and the driver reports the host's PIDs. NULL if the library is
 * unusable: *e is a sentence, or "" if there is no GPU. */
struct gpu_nvml *gpu_nvml_open(const char *library, bool nested, struct gpu_reading *t,
                               struct err *e);

/* Reads the values of its GPUs, and appends their processes. A value that cannot be read is NAN. */
void gpu_nvml_read(struct gpu_nvml *n, struct gpu_reading *t);

/* NULL is fine. */
void gpu_nvml_close(struct gpu_nvml *n);

#endif
