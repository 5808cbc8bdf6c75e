/*
 * chart_data: a chart's points for programs: "data", in numbers, and "packed", in few bytes.
 */
#ifndef REPORT_CHART_CHART_DATA_H
#define REPORT_CHART_CHART_DATA_H

#include <cjson/cJSON.h>

#include "report/chart/chart_series.h"

/* Both (docs/model.md), added to the chart. */
void chart_data_add(cJSON *chart, const struct chart_view *v);

#endif
