/*
 * chart_comparison: lines of several runs by time since their start, as the numbers and strings of
 * an SVG picture.
 */
#ifndef REPORT_CHART_CHART_COMPARISON_H
#define REPORT_CHART_CHART_COMPARISON_H

#include "report/chart/comparison.h"
#include "report/units/model_json.h"

/* Adds "charts" (docs/model.md): one for each measure that any run has. */
void chart_comparison_add(cJSON *parent, const struct comparison *c, const struct runs *r);

#endif
