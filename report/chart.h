/*
 * chart: the columns of this run → the series of the report's charts.
 */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include <cjson/cJSON.h>

#include "load.h"

#define CHART_POINTS_MAX 240 /* buckets of a long run */

/* The model's "charts" (docs/model.md): a new array that the caller owns. NULL without memory. */
cJSON *chart_all(const struct run *run);

#endif
