/*
 * chart_grid: the points on the time axis that all charts of a run share, and the values there.
 *
 * A point is a sample of a short run, or one of CHART_POINTS_MAX buckets of a long run. Every value
 * of a column belongs to one point, whose cell (struct bucket) keeps the extremes, so no peak is
 * lost.
 */
#ifndef REPORT_CHART_CHART_GRID_H
#define REPORT_CHART_CHART_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "core/numbers/buckets.h"
#include "report/runs/load.h"

#define CHART_POINTS_MAX BUCKETS_MAX /* of a long run */

/* The points. Valid when zero: no points. */
struct chart_grid {
	double from,
	    step;     /* from: Unix seconds; step: seconds of a bucket, or the sampling interval */
	double gap;   /* seconds: the line breaks between samples further apart than this */
	bool buckets; /* points are buckets of equal length, not samples */
	unsigned scopes; /* bit set: the scopes that have a sample at the last point */
	size_t n;
	double *x; /* seconds since `from`; the middle of a bucket */
};

/* 0, or -1 if out of memory. */
int chart_grid_make(struct chart_grid *g, const struct run *run);

/* Adds a column's values to the g->n cells, in the chart's unit: amounts as rates, shares as
 * percent. */
void chart_grid_fill(struct bucket *cells, const struct chart_grid *g, const struct run *run,
                     const struct metric *m);

/* The mean and the peak of a column, in the same unit. The mean of a rate is the total amount over
 * the total time; its peak is that of a single sample. NAN if not measured. */
void chart_grid_digest(const struct run *run, const struct metric *m, double *mean, double *max);

/* The time of day of a row of a table that stands for `each` seconds; with the date in runs of over
 * a day, with hundredths for rows of under 1 s. */
void chart_grid_time_text(const struct chart_grid *g, double each, double at, char out[32]);

/* A value to be rounded for a picture. Sums have an error in their last digits, by which values on
 * the edge between two steps would go either way: all go up. */
static inline double chart_edge_up(double v)
{
	return v * (1 + 1e-11);
}

void chart_grid_free(struct chart_grid *g);

#endif
