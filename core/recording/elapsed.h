/*
 * elapsed: the time that each row of a recording represents. Statistics are weighted by it.
 *
 * A row represents the time since the row before it, the first row the time since the start. If the
 * machine was suspended in between, the row represents only the time that the machine was awake.
 * The CPU columns of the row give that time, because cpu_usage is (utime + stime) divided by it.
 *
 * Other tools may measure their first row from another moment than start_time, and their time
 * stamps jitter although each row represents one interval. So in their recordings a row within a
 * tenth of the interval counts as the interval, and so does a longer first row.
 */
#ifndef CORE_RECORDING_ELAPSED_H
#define CORE_RECORDING_ELAPSED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/numbers/metric.h"
#include "core/recording/snapshot.h"

/* The same for all rows of a recording. start is NAN if unknown. */
struct elapsed {
	double start, interval;
	bool own; /* recorded by rtrack-collect */
};

/* For a snapshot that is being written. */
struct elapsed elapsed_written(const struct snapshot *s);

/* The seconds that the row at time t represents, from time stamps alone. before is the time of the
 * row before it, or e->start for the first. Always above 0: the interval if the time stamps are of
 * no use. */
double elapsed_row(const struct elapsed *e, double before, double t, bool first);

/* Whether the row is so long that it may contain a suspension: then ask elapsed_awake. */
bool elapsed_is_gap(const struct elapsed *e, double seconds);

/* The seconds that such a row represents, from its CPU time (cpu_s) and its cpu_usage (cores). */
double elapsed_awake(double seconds, double cpu_s, double cores);

/* The rows of one scope of a snapshot in memory. Borrows its frames; valid when zero. */
struct elapsed_rows {
	struct elapsed rule;
	size_t n;
	const double *t;                     /* NULL: no time stamps */
	const double *utime, *stime, *cores; /* NULL: not known */
};

struct elapsed_rows elapsed_rows(const struct snapshot *s, enum metric_scope scope);

double elapsed_at(const struct elapsed_rows *r, size_t row);

/* elapsed_at of all rows, for free(3). NULL with a sentence without memory. */
double *elapsed_all(const struct elapsed_rows *r, struct err *e);

#endif
