/*
 * chart_axis: where the ticks of an axis are, and how they read.
 */
#ifndef REPORT_CHART_CHART_AXIS_H
#define REPORT_CHART_CHART_AXIS_H

#include <stddef.h>

#include "report/units/model_json.h"

#define CHART_TICKS_MAX 12

struct chart_tick {
	double at; /* in the axis' unit */
	char text[40];
};

/* The top of an axis that begins at 0: a little above the peak. peak may be anything. */
double chart_axis_top(enum unit u, double peak);

/* Ticks from 0 to top, in steps of 1, 2, 5 and their tens; of bytes, of powers of two. At most 6.
 * Returns how many. */
size_t chart_axis_values(enum unit u, double top, struct chart_tick out[CHART_TICKS_MAX]);

/* Ticks of a span of s seconds from its start, as elapsed time: "0", "10 min", "20 min". At most 8.
 */
size_t chart_axis_times(double s, struct chart_tick out[CHART_TICKS_MAX]);

#endif
