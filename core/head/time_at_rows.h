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

/* Adds the rows that are in memory: none of a recording of the machine, or of the main process,
 * alone. nodes: the rows are the sums of so many. */
void time_at_rows_add(const struct snapshot *s, const struct stats *stats, double nodes,
                      struct time_at *t);

/* Adds rows as they are written: a reader gets the same from the file. 0, or -1 if a fetch failed
 * or there is no memory. */
int time_at_rows_written(const struct written *r, struct time_at *t, struct err *e);

#endif
