/*
 * usage_column: which column a measure of usage is read from: the job's, or the machine's where the
 * recording has none of the job.
 *
 * Not all callers decide alike, so the decision is a parameter. A sentence on one run asks the
 * measure's own column: memory may be known of a job whose CPU usage is not. A comparison of runs
 * must read all of them from the same column: it asks whether the first run tracked a job at all,
 * that is, whether it has the job's CPU usage.
 */
#ifndef REPORT_STATS_USAGE_COLUMN_H
#define REPORT_STATS_USAGE_COLUMN_H

#include "core/numbers/usage.h"
#include "report/runs/load.h"

/* The job's column of `what` if `judge` recorded the job's `decides`, else the machine's. */
enum metric_id usage_column(enum usage what, const struct run *judge, enum usage decides);

/* The statistics of `what` in the run, by its own column. All NAN, and n 0, where neither the job's
 * nor the machine's was recorded. */
const struct stats *usage_stats(enum usage what, const struct run *run);

/* Whether the recording is of a job and not of the machine alone: it has the job's CPU usage. */
bool usage_tracks_job(const struct run *run);

/* Whether the job's columns are those of its main process alone, without its descendants. */
bool usage_is_partial(const struct run *run);

/* Whether there was a job, but only the machine was recorded. */
bool usage_lacks_job(const struct run *run);

/* CPU seconds of the job: exact if the recording has them, else the sum of its rows; NAN: not
 * measured. */
double usage_cpu_seconds(const struct run *run);

/* The total of an amount per interval over the run: exact if the recording has that, else the sum
 * of its rows; NAN: not measured. */
double usage_total(const struct run *run, enum metric_id id);

#endif
