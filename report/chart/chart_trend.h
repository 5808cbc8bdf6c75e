/*
 * chart_trend: a measure over many runs, as the numbers and strings of a small SVG picture: a point
 * for each run, and a line at the median of each part between two changes.
 */
#ifndef REPORT_CHART_CHART_TREND_H
#define REPORT_CHART_CHART_TREND_H

#include <stdbool.h>
#include <stddef.h>

#include "report/units/model_json.h"

#define CHART_TREND_WIDTH  480
#define CHART_TREND_HEIGHT 96
#define CHART_TREND_POINTS 120 /* the newest so many are given */

struct trend_point {
	double v;          /* finite */
	bool hollow;       /* contended */
	bool crossed;      /* failed: it does not count in the scale */
	bool other;        /* on another kind of machine */
	const char *text;  /* for its title */
	const char *place; /* of its run in the page: an anchor; "": none */
};

/* Runs with one level, first … last. */
struct trend_part {
	size_t first, last; /* indexes of points */
	double median;
	const char *label; /* of the change at its beginning; "": none */
};

struct trend_line {
	const struct trend_point *v; /* oldest first, drawn at equal distances */
	size_t n;
	size_t now; /* index of the point to mark; n: none */
	const struct trend_part *part;
	size_t parts;
};

/* Adds "svg" (docs/model.md) to the object. */
void chart_trend_add(cJSON *parent, const struct trend_line *t);

#endif
