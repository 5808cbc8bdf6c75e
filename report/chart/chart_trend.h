/*
 * chart_trend: a measure over many runs, as the numbers and strings of a small SVG picture.
 */
#ifndef REPORT_CHART_CHART_TREND_H
#define REPORT_CHART_CHART_TREND_H

#include <stddef.h>

#include "report/units/model_json.h"

#define CHART_TREND_WIDTH  320
#define CHART_TREND_HEIGHT 64
#define CHART_TREND_POINTS                                                                         \
	300 /* at most; of more runs, the lowest and highest of each group are kept */

struct trend_line {
	const double *v; /* finite values, oldest first, drawn at equal distances */
	size_t n;
	size_t now;    /* index of the value to mark; n: none */
	double median; /* NAN: no line */
	double margin; /* around the median; NAN: no band */
};

/* Adds "svg" (docs/model.md) to the object. */
void chart_trend_add(cJSON *parent, const struct trend_line *t);

#endif
