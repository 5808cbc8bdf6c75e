/*
 * chart_histogram: how often values occur, as the numbers and strings of an SVG picture.
 *
 * The axis of values begins at 0 and ends after the largest value. Lines mark values to compare
 * with ("Asked 4.00 GiB"); one that is far beyond the largest value would squeeze the bars into a
 * corner, so it is named at the edge instead.
 *
 * Set unit and lines; chart_histogram_begin; chart_histogram_count for each value, or for each
 * group of equal values; chart_histogram_add.
 */
#ifndef REPORT_CHART_CHART_HISTOGRAM_H
#define REPORT_CHART_CHART_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "report/units/model_json.h"

#define CHART_HISTOGRAM_BARS  40 /* at most, from 0 to the end of the axis */
#define CHART_HISTOGRAM_LINES 4

struct chart_histogram_line {
	const char *label; /* before the value: "Asked"; static */
	const char *after; /* after it: " (2 nodes)", or ""; static or the caller's */
	double at;         /* above 0 */
};

/* Valid when zero. */
struct chart_histogram {
	enum unit unit;
	struct chart_histogram_line line[CHART_HISTOGRAM_LINES];
	size_t n_lines;
	double step, top; /* of a bar; the end of the axis: filled by chart_histogram_begin */
	size_t n;         /* bars */
	size_t count[CHART_HISTOGRAM_BARS], apart[CHART_HISTOGRAM_BARS];
};

/* A good width of the bars for n values in ascending order, by Freedman and Diaconis: twice their
 * interquartile range, over the cube root of n. 0 for equal values. */
double chart_histogram_width(const double *sorted, size_t n);

/* Chooses the bars for values from 0 to largest, about as wide as `width` (0: any width), with
 * round edges. */
void chart_histogram_begin(struct chart_histogram *h, double largest, double width);

/* Counts n values in the bar that begins at or below value. apart: they are drawn apart from the
 * others, on top of them. Values that are not finite or negative are not counted. */
void chart_histogram_count(struct chart_histogram *h, double value, size_t n, bool apart);

/* Adds "svg" and "rows" (docs/model.md, histograms). */
void chart_histogram_add(cJSON *parent, const struct chart_histogram *h);

#endif
