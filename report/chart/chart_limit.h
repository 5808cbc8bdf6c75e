/*
 * chart_limit: what bounds the measures of a chart: CPUs, memory, space, GPUs.
 */
#ifndef REPORT_CHART_CHART_LIMIT_H
#define REPORT_CHART_CHART_LIMIT_H

#include "report/chart/chart_series.h"

/* Sets v->limit, for v->peak: what the job may use, else what the machine has. */
void chart_limit_find(struct chart_view *v);

#endif
