/*
 * chart_spark: a series as a sparkline: of block characters, and as a small picture.
 */
#ifndef REPORT_CHART_CHART_SPARK_H
#define REPORT_CHART_CHART_SPARK_H

#include <cjson/cJSON.h>

#include "core/base/buf.h"
#include "report/chart/chart_series.h"

#define CHART_SPARK_LENGTH 30 /* characters, at most */
#define CHART_SPARK_POINTS 40 /* of the picture, at most */
#define CHART_SPARK_WIDTH  120
#define CHART_SPARK_HEIGHT 24

/* Adds "spark" to a series: the highest value of each thirtieth of the run; ' ' is a gap. */
void chart_spark_add(cJSON *series, const struct chart_view *v, const struct chart_series *s);

/* Adds "sparkline" (docs/model.md) to a series, from 0 to its peak; null if that is 0. */
void chart_spark_add_picture(cJSON *series, const struct chart_view *v,
                             const struct chart_series *s);

#define CHART_SPARK_TREND_WIDTH  80
#define CHART_SPARK_TREND_HEIGHT 20

/* Appends the path of a line through n values at equal distances, at most CHART_SPARK_POINTS, from
 * 0 to the largest. NAN is a gap. Nothing if no value is above 0. */
void chart_spark_trend(struct buf *path, const double *v, size_t n);

#endif
