/*
 * chart_svg: a chart as the numbers and strings of an SVG picture, which a template prints as they
 * are.
 */
#ifndef REPORT_CHART_CHART_SVG_H
#define REPORT_CHART_CHART_SVG_H

#include <cjson/cJSON.h>

#include "report/chart/chart_series.h"

/* The time that the pictures of a run show. */
struct chart_time {
	double from; /* Unix seconds */
	double span; /* seconds; more than 0 */
};
struct chart_time chart_svg_time(const struct run *run, const struct chart_grid *g);

/* Adds "svg" (docs/model.md) to the chart. Only the first picture of a page has the parts that all
 * share, the time axis and the phases; the others refer to it. */
void chart_svg_add(cJSON *chart, const struct chart_view *v, bool first);

#endif
