/*
 * elapsed: the time that each row of a recording represents. Statistics are weighted by it.
 *
 * A row represents the time since the row before it, the first row the time since the start. Where
 * the machine was suspended in between, it represents the time that the machine was awake. The CPU
 * columns of the row tell that time, because cpu_usage is (utime + stime) divided by it.
 *
 * Other tools may measure their first row from another moment than start_time, and their time
 * stamps jitter although each row represents one interval. So a row of theirs that is within a
 * tenth of the interval counts as the interval, and so does a first row that is longer.
 */
#ifndef CORE_ELAPSED_H
#define CORE_ELAPSED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "core/metric.h"
#include "core/snapshot.h"

/* What does not change between rows. start is NAN where it is not known. */
struct elapsed {
	double start, interval;
	bool own; /* recorded by rtrack-collect */
};

/* For a snapshot that is being written, whose rows are our own. */
struct elapsed elapsed_written(const struct snapshot *s);

/* Seconds that the row at time t represents by the time stamps alone: before is the time of the row
 * before it, or elapsed->start. Always above 0: the interval where the time stamps do not tell. */
double elapsed_row(const struct elapsed *e, double before, double t, bool first);

/* Whether a row may contain a suspension: then elapsed_awake needs its CPU columns. */
bool elapsed_is_gap(const struct elapsed *e, double seconds);

/* Seconds that such a row represents: of cpu_s CPU seconds its cpu_usage was cores. */
double elapsed_awake(double seconds, double cpu_s, double cores);

/* The rows of one scope of a snapshot that was read. Borrows its frames; valid when zero. */
struct elapsed_rows {
	struct elapsed rule;
	size_t n;
	const double *t;                     /* NULL: no time stamps */
	const double *utime, *stime, *cores; /* NULL: not known */
};

struct elapsed_rows elapsed_rows(const struct snapshot *s, enum metric_scope scope);

double elapsed_at(const struct elapsed_rows *r, size_t row);

/* elapsed_at of all rows, for free(3). NULL with a sentence where there is no memory. */
double *elapsed_all(const struct elapsed_rows *r, struct err *e);

#endif
