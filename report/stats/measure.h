/*
 * measure: a statistic of a run by its name, as gates and comparisons speak of it.
 *
 * Names are those of the model's "statistics" with all that stats.h has: a column's scope and
 * schema 1 name, a point, and min, max, mean, sum, sd, p50 or p95 ("process_memory.max"); also
 * "duration" (stop - start), "timestamp.duration" (the same; of recordings of other tools last −
 * first time stamp + interval), "cpu_seconds" (of the tree, exact where the recording has it) and
 * "cost" (of the run, in the report's currency).
 */
#ifndef REPORT_STATS_MEASURE_H
#define REPORT_STATS_MEASURE_H

#include "core/buf.h"
#include "report/runs/load.h"

/* What a measure is counted in: only like can be compared with like. */
enum measure_unit { MEASURE_NUMBER, MEASURE_BYTES, MEASURE_SECONDS, MEASURE_MONEY, MEASURE_UNITS };

enum measure_stat {
	MEASURE_MIN,
	MEASURE_MAX,
	MEASURE_MEAN,
	MEASURE_SUM,
	MEASURE_SD,
	MEASURE_P50,
	MEASURE_P95,
	MEASURE_STATS,
};

enum measure_kind {
	MEASURE_OF_COLUMN,
	MEASURE_DURATION,
	MEASURE_SAMPLED_DURATION,
	MEASURE_CPU_SECONDS,
	MEASURE_COST,
};

struct measure {
	enum measure_kind kind;
	enum metric_id id;      /* of a column's */
	enum measure_stat stat; /* of a column's */
};

/* The measure of this name (n bytes). -1 with a sentence that suggests the nearest right name. */
int measure_find(const char *name, size_t n, struct measure *out, struct err *e);

enum measure_unit measure_unit(const struct measure *m);

/* Appends its name for people, in small letters: "peak memory (PSS)", "mean CPU usage of the
 * machine". */
void measure_label(const struct measure *m, struct buf *out);

/* In base units; NAN where not measured. price_hour is what the machine costs, NAN if not known. */
double measure_value(const struct measure *m, const struct run *run, double price_hour);

/* What the run may use of it: CPUs, memory or GPU memory; NAN where there is no such limit. */
double measure_limit(const struct measure *m, const struct run *run);

#endif
