/*
 * time_at_run: how long a run would take with another number of CPUs (core/numbers/time_at.h).
 */
#ifndef REPORT_STATS_TIME_AT_RUN_H
#define REPORT_STATS_TIME_AT_RUN_H

#include "core/numbers/time_at.h"
#include "report/runs/load.h"

/* The run's samples, of one node. False, and *out without samples, where too little was measured of
 * the job. */
bool time_at_run(const struct run *run, struct time_at *out);

/* The same without a copy where the recording has the sums; else they are made in *own. NULL: too
 * little was measured. */
const struct time_at *time_at_run_sums(const struct run *run, struct time_at *own);

#endif
