/*
 * load_memory: the job's peak memory, which is one number everywhere: with what the kernel knows of
 * the time between two samples (docs/snapshot.md, memory).
 */
#ifndef REPORT_RUNS_LOAD_MEMORY_H
#define REPORT_RUNS_LOAD_MEMORY_H

#include "report/runs/load.h"

/* Sets ->memory, ->memory_sampled_b and the statistics of METRIC_PROCESS_MEMORY, whose maximum
 * becomes the peak. A process has memory: statistics of 0 become "not measured". */
void load_memory(struct run *run);

#endif
