/*
 * time_at_rows: the samples of core/numbers/time_at.h, from the columns of a recording.
 */
#ifndef CORE_RECORDING_TIME_AT_ROWS_H
#define CORE_RECORDING_TIME_AT_ROWS_H

#include "core/numbers/metric.h"
#include "core/numbers/time_at.h"
#include "core/recording/snapshot.h"
#include "core/recording/written.h"

/* The columns that a sample needs, of both scopes. */
enum time_at_cell {
	TIME_AT_CPU_USAGE,
	TIME_AT_MAIN_CPU_USAGE,
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

/* A sample of h seconds from its cells, in base units, NAN where not measured; a job that was never
 * in a state has 0 there, if states were recorded. cpus: those that the job could use; NAN:
 * unknown. */
struct time_at_sample time_at_rows_sample(const double cell[TIME_AT_CELLS], double h, double cpus);

/* The CPUs that the job of a recording could use, by its limits and the machine; NAN: unknown. */
double time_at_rows_cpus(const struct snapshot *s);

/* Adds the rows that are in memory: none of a recording of the machine, or of the main process,
 * alone. nodes: of so many
 * the rows are the sums, and then the time is that of a mean node. */
void time_at_rows_add(const struct snapshot *s, double nodes, struct time_at *t);

/* Adds rows as they are written: a reader gets the same from the file. 0, or -1 if a fetch failed
 * or there is no memory. */
int time_at_rows_written(const struct written *r, struct time_at *t, struct err *e);

#endif
