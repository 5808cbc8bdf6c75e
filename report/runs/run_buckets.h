/*
 * run_buckets: the buckets of a run, whether its recording has them or they are made of its rows.
 */
#ifndef REPORT_RUNS_RUN_BUCKETS_H
#define REPORT_RUNS_RUN_BUCKETS_H

#include "core/numbers/buckets.h"
#include "report/runs/load.h"

/* Those of the overview, else those that the rows would be put into. n = 0: no time is known. */
struct buckets run_buckets(const struct run *run);

/* The time stamps of the rows of one scope; NULL and 0 without any. Borrowed. */
const double *run_times(const struct run *run, enum metric_scope scope, size_t *n);

/* Seconds between samples; 1 where that is not known. */
double run_interval(const struct run *run);

#endif
