/*
 * chart_comparison: lines of several runs over time since their start, as the numbers and strings
 * of
 * an SVG picture, and how each run's line looks.
 */
#ifndef REPORT_CHART_CHART_COMPARISON_H
#define REPORT_CHART_CHART_COMPARISON_H

#include "report/chart/comparison.h"
#include "report/units/model_json.h"

/* How the lines of a run look: none differs from another in colour alone. */
struct chart_comparison_look {
	const char *colour, *dash; /* of an SVG stroke, in pixels; "": solid */
};
extern const struct chart_comparison_look chart_comparison_looks[COMPARISON_MAX];

/* "charts" (docs/model.md), added to the object: of each measure that any run has. */
void chart_comparison_add(cJSON *parent, const struct comparison *c, const struct runs *r);

#endif
