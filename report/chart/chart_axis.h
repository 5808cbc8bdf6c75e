/*
 * chart_axis: the positions of the ticks of an axis, and their labels.
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

/* The top of an axis that begins at 0: a little above the peak. peak may be any double. */
double chart_axis_top(enum unit u, double peak);

/* The smallest round step that divides top into at most max parts: 1, 2 or 5 times a power of ten;
 * for bytes a power of two, for seconds a step of a clock. */
double chart_axis_step(enum unit u, double top, int max);

/* Ticks from 0 to top, in steps of 1, 2 or 5 times a power of ten; for bytes, of powers of two.
 * Returns their number, at most 6. */
size_t chart_axis_values(enum unit u, double top, struct chart_tick out[CHART_TICKS_MAX]);

/* Ticks for a span of s seconds, as elapsed time: "0", "10 min", "20 min". Returns their number, at
 * most 8. */
size_t chart_axis_times(double s, struct chart_tick out[CHART_TICKS_MAX]);

/* Ticks of a unit: chart_axis_times for seconds, else chart_axis_values. */
size_t chart_axis_ticks(enum unit u, double top, struct chart_tick out[CHART_TICKS_MAX]);

#endif
