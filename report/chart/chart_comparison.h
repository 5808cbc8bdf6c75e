/*
 * chart_comparison: lines of several runs by time since their start, as the numbers and strings of
 * an SVG picture, and the style of each run's line.
 */
#ifndef REPORT_CHART_CHART_COMPARISON_H
#define REPORT_CHART_CHART_COMPARISON_H

#include "report/chart/comparison.h"
#include "report/units/model_json.h"

/* The style of a run's lines: no two differ in colour alone. */
struct chart_comparison_look {
	const char *colour, *dash; /* of an SVG stroke, in pixels; "": solid */
};
extern const struct chart_comparison_look chart_comparison_looks[COMPARISON_MAX];

/* Adds "charts" (docs/model.md): one for each measure that any run has. */
void chart_comparison_add(cJSON *parent, const struct comparison *c, const struct runs *r);

#endif
