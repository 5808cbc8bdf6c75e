/*
 * chart_svg: a chart as the numbers and strings of an SVG picture, which a template only prints.
 */
#ifndef REPORT_CHART_CHART_SVG_H
#define REPORT_CHART_CHART_SVG_H

#include <cjson/cJSON.h>

#include "report/chart/chart_series.h"
#include "report/chart/chart_svg_size.h"

/* "svg" of a chart (docs/model.md), added to it. Only the first picture of a page has what all
 * share, the axis of time and the phases: the others refer to it. */
void chart_svg_add(cJSON *chart, const struct chart_view *v, bool first);

#endif
