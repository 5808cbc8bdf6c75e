/*
 * chart: turns the columns of a run into the report's charts.
 */
#ifndef REPORT_CHART_CHART_H
#define REPORT_CHART_CHART_H

#include <cjson/cJSON.h>

#include "report/chart/chart_grid.h"

#define CHART_TABLE_ROWS 10 /* of a chart as a table, at most */

/* The model's "charts" (docs/model.md): a new array that the caller owns. NULL if out of memory. */
cJSON *chart_all(const struct run *run);

#endif
