/*
 * load_memory: the job's peak memory, which is one number everywhere: with what the kernel knows of
 * the time between two samples (docs/snapshot.md, memory).
 */
#ifndef REPORT_RUNS_LOAD_MEMORY_H
#define REPORT_RUNS_LOAD_MEMORY_H

#include "core/recording/snapshot.h"

/* Sets *out, and the largest sample; changes the statistics of METRIC_PROCESS_MEMORY, whose maximum
 * becomes the peak. A process has memory: statistics of 0 become "not measured". */
void load_memory(const struct snapshot *s, struct stats stats[METRIC_COUNT],
                 struct snapshot_memory *out, double *sampled_b);

#endif
