/*
 * chart_limit: the upper bound of a chart's measures: CPUs, memory, disk space, GPUs.
 */
#ifndef REPORT_CHART_CHART_LIMIT_H
#define REPORT_CHART_CHART_LIMIT_H

#include <stdbool.h>

#include "report/runs/load.h"

struct chart_limit {
	bool known;
	bool drawn; /* false if it is far above the data, which would look flat */
	double value;
	char text[96]; /* "Memory limit 4.00 GiB" */
	char mark[40]; /* a short form for the end of the line */
};

/* The limit of a chart of this run: what the job may use, else what the machine has. peak: the
 * highest value of the chart's series. */
struct chart_limit chart_limit_of(enum metric_chart chart, const struct run *run, double peak);

#endif
