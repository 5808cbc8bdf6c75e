/*
 * gpu_busy: how busy a run's GPUs were.
 */
#ifndef REPORT_STATS_GPU_BUSY_H
#define REPORT_STATS_GPU_BUSY_H

#include "report/runs/load.h"

/* Below this mean utilisation the GPUs waited for their job nine tenths of the time. */
#define GPU_BUSY_IDLE 0.1
/* From this mean utilisation on the GPUs were what the job waited for. */
#define GPU_BUSY_FULL 0.9

struct gpu_busy {
	double gpus;   /* whose utilisation was measured; 0: none */
	double unused; /* of these: never used */
	double mean;   /* utilisation over all of them, 0 to 1 */
};

struct gpu_busy gpu_busy_of(const struct run *run);

#endif
