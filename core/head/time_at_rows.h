/*
 * time_at_rows: the samples of core/numbers/time_at.h, from the columns of a recording.
 */
#ifndef CORE_HEAD_TIME_AT_ROWS_H
#define CORE_HEAD_TIME_AT_ROWS_H

#include <stdbool.h>

#include "core/numbers/metric.h"
#include "core/numbers/time_at.h"
#include "core/recording/snapshot.h"
#include "core/recording/written.h"

/* The columns that a sample needs, of both scopes. */
enum time_at_cell {
	TIME_AT_CPU_USAGE,
	TIME_AT_MAIN_CPU_USAGE,
	TIME_AT_MAIN_THREADS,
	TIME_AT_BUSIEST_THREAD,
	TIME_AT_CPU_WAIT,
	TIME_AT_STATE_CPU,
	TIME_AT_STATE_CPU_WAIT,
	TIME_AT_STATE_THROTTLED,
	TIME_AT_THROTTLED,
	TIME_AT_MACHINE_CPU_USAGE,
	TIME_AT_STEAL,
	TIME_AT_CELLS
};
extern const enum metric_id time_at_rows_columns[TIME_AT_CELLS];

/* The totals of the whole recording. Threads that live for less than a sample take their waits with
 * them, but the pressure of the job's cgroup has all. */
struct time_at_rows {
	double cpus;       /* that the job could use at once, a quota left aside; NAN: unknown */
	double machine;    /* CPUs of the machine; NAN: unknown */
	double more_ready; /* share of the time that the rows do not count as ready, and is */
	double more_wait;  /* lost waits, for each second of CPU time */
	bool states;       /* were recorded: a state without a column has 0 */
};

/* stats: of every metric, by its id. nodes: of so many the rows are the sums. */
struct time_at_rows time_at_rows_of(const struct snapshot *s, const struct stats *stats,
                                    double nodes);

/* A sample of h seconds from its cells, in base units, NAN where not measured. */
struct time_at_sample time_at_rows_sample(const struct time_at_rows *all,
                                          const double cell[TIME_AT_CELLS], double h);

/* Adds the rows that are in memory: none of a recording of the machine, or of the main process,
 * alone. nodes: the rows are the sums of so many. */
void time_at_rows_add(const struct snapshot *s, const struct stats *stats, double nodes,
                      struct time_at *t);

/* Adds rows as they are written: a reader gets the same from the file. 0, or -1 if a fetch failed
 * or there is no memory. */
int time_at_rows_written(const struct written *r, struct time_at *t, struct err *e);

#endif
