/*
 * chart_phases: the time span of a picture, and the job's phases in it.
 */
#ifndef REPORT_CHART_CHART_PHASES_H
#define REPORT_CHART_CHART_PHASES_H

#include <cjson/cJSON.h>

#include "report/chart/chart_grid.h"

struct chart_time {
	double from; /* Unix seconds */
	double span; /* seconds; more than 0 */
};

/* From the run's start to its end, if the samples begin and end near them (g->gap); else from the
 * first sample to the last. */
struct chart_time chart_time_of(const struct run *run, const struct chart_grid *g);

/* Adds "shade", the path of every other phase, and "phases", the names that fit. Shows at most
 * CHART_SVG_PHASES phases, and none of less than a few pixels. */
void chart_phases_add(cJSON *times, const struct run *run, const struct chart_time *t);

#endif
