/*
 * gpu_brand: who made a GPU. A recording has its UUID and its name, which each driver spells in its
 * own way. Pure.
 */
#ifndef REPORT_MODEL_GPU_BRAND_H
#define REPORT_MODEL_GPU_BRAND_H

#include "core/recording/snapshot.h"

/* "nvidia", "amd", "intel"; "" if unknown. */
const char *gpu_brand(const struct snapshot_gpu *g);

#endif
