/*
 * chart_table: a chart as a short table of its means.
 */
#ifndef REPORT_CHART_CHART_TABLE_H
#define REPORT_CHART_CHART_TABLE_H

#include <cjson/cJSON.h>

#include "report/chart/chart_series.h"

#define CHART_TABLE_ROWS 10 /* at most */

/* Adds "table" (docs/model.md) to the chart. */
void chart_table_add(cJSON *chart, const struct chart_view *v);

#endif
