/*
 * chart_table: a chart as text: a short table of its means, and a sparkline of block characters for
 * each series.
 */
#ifndef REPORT_CHART_CHART_TABLE_H
#define REPORT_CHART_CHART_TABLE_H

#include <cjson/cJSON.h>

#include "report/chart/chart_series.h"

#define CHART_TABLE_ROWS   10 /* at most */
#define CHART_SPARK_LENGTH 30 /* characters, at most */

/* Adds "table" (docs/model.md) to the chart. */
void chart_table_add(cJSON *chart, const struct chart_view *v);

/* Adds "spark" to a series: the highest value of each thirtieth of the run; ' ' is a gap. */
void chart_spark_add(cJSON *series, const struct chart_view *v, const struct chart_series *s);

#endif
