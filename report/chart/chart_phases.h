/*
 * chart_phases: the span of time that a picture shows, and the phases of the job in it.
 */
#ifndef REPORT_CHART_CHART_PHASES_H
#define REPORT_CHART_CHART_PHASES_H

#include <cjson/cJSON.h>

#include "report/chart/chart_grid.h"

struct chart_time {
	double from; /* Unix seconds */
	double span; /* seconds; more than 0 */
};

/* From the run's start to its end, where they are near the samples; else from the first sample to
 * the last. */
struct chart_time chart_time_of(const struct run *run, const struct chart_grid *g);

/* "shade", the path of every second phase, and "phases", the names for which there is room. Phases
 * of less than some pixels are not shown, and at most CHART_SVG_PHASES are. */
void chart_phases_add(cJSON *times, const struct run *run, const struct chart_time *t);

#endif
