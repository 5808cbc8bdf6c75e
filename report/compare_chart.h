/*
 * compare_chart: lines of several runs over time since their start, as the numbers and strings of
 * an SVG picture, and how each run's line looks.
 */
#ifndef REPORT_COMPARE_CHART_H
#define REPORT_COMPARE_CHART_H

#include "compare.h"

/* How the lines of a run look: none differs from another in colour alone. */
struct compare_look {
	const char *colour, *dash; /* of an SVG stroke, in pixels; "": solid */
};
extern const struct compare_look compare_looks[COMPARE_MAX];

/* "charts" (docs/model.md), added to the object: of each measure that any run has. */
void compare_charts_add(cJSON *parent, const struct compare *c, const struct runs *r);

#endif
