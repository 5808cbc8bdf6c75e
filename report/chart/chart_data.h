/*
 * chart_data: a chart's points for programs: "data" as numbers, "packed" as short strings.
 */
#ifndef REPORT_CHART_CHART_DATA_H
#define REPORT_CHART_CHART_DATA_H

#include <cjson/cJSON.h>

#include "report/chart/chart_series.h"

/* Adds both (docs/model.md) to the chart. */
void chart_data_add(cJSON *chart, const struct chart_view *v);

#endif
