/*
 * chart_grid: the points that all charts of a run share, and what falls on them.
 *
 * A point is a sample of a short run, or one of CHART_POINTS_MAX buckets of a long one. Every value
 * of a column falls on one point, whose cell keeps its extremes: no peak is lost.
 */
#ifndef REPORT_CHART_CHART_GRID_H
#define REPORT_CHART_CHART_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "report/runs/load.h"

#define CHART_POINTS_MAX 240 /* buckets of a long run */

/* What of one series fell on a point. Valid when zero: nothing did, which is a gap. */
struct chart_cell {
	double min, max;
	double sum, seconds; /* of value × seconds; the time that the samples represent */
	size_t n;
};

/* The points. Valid when zero: no time at all. */
struct chart_grid {
	double from, step; /* Unix seconds; step: of a bucket, or the sampling interval */
	double gap;        /* where samples are further apart than this, the line breaks */
	bool buckets;      /* points are buckets of equal length, not samples */
	unsigned scopes;   /* that have a sample on the last point: bits */
	size_t n;
	double *x; /* seconds since from: of a bucket its middle */
};

/* 0, or -1 without memory. */
int chart_grid_make(struct chart_grid *g, const struct run *run);

/* Puts a column's values into cells, of which there are g->n, in the chart's unit: amounts as
 * rates, shares as percent. */
void chart_grid_fill(struct chart_cell *cells, const struct chart_grid *g, const struct run *run,
                     const struct metric *m);

/* The mean and the peak of a column, in the same unit. Of rates, the mean is all over all the time,
 * and the peak is that of a single sample. NAN where not measured. */
void chart_grid_digest(const struct run *run, const struct metric *m, double *mean, double *max);

/* Over time. NAN where nothing fell. */
double chart_cell_mean(const struct chart_cell *c);

void chart_cell_join(struct chart_cell *to, const struct chart_cell *from);

void chart_grid_free(struct chart_grid *g);

#endif
