/*
 * chart_table: a chart in words: a coarse table of its means, and a line of blocks for a series.
 */
#ifndef REPORT_CHART_CHART_TABLE_H
#define REPORT_CHART_CHART_TABLE_H

#include <cjson/cJSON.h>

#include "report/chart/chart_series.h"

#define CHART_TABLE_ROWS   10 /* at most */
#define CHART_SPARK_LENGTH 30 /* characters */

/* "table" of a chart (docs/model.md), added to it. */
void chart_table_add(cJSON *chart, const struct chart_view *v);

/* "spark" of a series: the highest value of each thirtieth, ' ' where there is none. */
void chart_spark_add(cJSON *series, const struct chart_view *v, const struct chart_series *s);

#endif
