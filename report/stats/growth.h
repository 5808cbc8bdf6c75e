/*
 * growth: whether something that a job holds (memory, threads) grew while it ran, and straight, as
 * a leak does, or as a cache that fills.
 *
 * Minima of GROWTH_WINDOWS windows of the last three quarters of the run, so that neither warming
 * up nor what a garbage collector frees again counts. The slope is Theil–Sen's; its range of 98 %
 * comes from a bootstrap of the residuals in blocks, with a fixed seed: the same answer each time.
 */
#ifndef REPORT_STATS_GROWTH_H
#define REPORT_STATS_GROWTH_H

#include "report/runs/load.h"
#include "report/units/units.h"

#define GROWTH_WINDOWS 30
#define GROWTH_LEAST_S 1200 /* a shorter run shows nothing */

enum growth_kind {
	GROWTH_UNKNOWN,  /* too short, gaps, or not measured */
	GROWTH_STEADY,   /* no growth that this run could have shown */
	GROWTH_UNEVEN,   /* it grew, but not straight */
	GROWTH_STRAIGHT, /* it grew all the time */
};

struct growth {
	enum growth_kind kind;
	double per_s, low, high; /* the slope and its range, in base units a second */
	double grew;             /* slope × span */
	double last;             /* the line's level at the end */
	double shown_per_s;      /* growth below this would not have been seen */
};

/* Growth in the minima of GROWTH_WINDOWS windows of equal length, which cover span_s seconds
 * together; below `least` it is none. Nothing in v may be NAN. */
struct growth growth_of_minima(const double v[GROWTH_WINDOWS], double span_s, double least);

/* Growth of a level (METRIC_KIND_GAUGE) of a run, in base units: from its overview, else from its
 * rows. Unknown where all of it is 0. */
struct growth growth_of_column(const struct run *run, enum metric_id id);

/* Appends it in words: "grows by 38.0 MiB an hour (31.0 MiB to 44.0 MiB), straight". Nothing where
 * it is unknown. */
void growth_say(const struct growth *g, enum unit u, struct buf *text);

/* Seconds after the end until a straight growth would have reached the limit; NAN: never, or not
 * known. */
double growth_reaches(const struct growth *g, double limit);

#endif
