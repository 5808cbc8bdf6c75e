/* chart_axis: the positions of the ticks of an axis, and their labels. */
#include "report/chart/chart_axis.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/base/quantity.h"
#include "report/units/units.h"

#define ROOM       1.06 /* the top of the axis, as a multiple of the peak */
#define VALUES_MAX 5    /* steps on the axis of values */
#define TIMES_MAX  7
#define LARGE      1e300 /* larger values are drawn at the top */

static bool is_binary(enum unit u)
{
	return u == UNIT_BYTES || u == UNIT_RATE;
}

/* The least top of an axis: on a smaller scale, noise would look like a mountain. */
static double least_top(enum unit u)
{
	if (is_binary(u))
		return 1024;
	if (u == UNIT_PERCENT)
		return 5;
	return u == UNIT_COUNT ? 2 : 0.1;
}

double chart_axis_top(enum unit u, double peak)
{
	double top = peak < LARGE ? peak * ROOM : LARGE;

	return top > least_top(u) ? top : least_top(u);
}

/* The smallest of 1, 2, 5, 10 … that divides top into at most max steps. */
static double decimal_step(double top, int max)
{
	double ten = pow(10, floor(log10(top / max)));

	for (int k = 0; k < 2; k++, ten *= 10)
		for (int i = 0; i < 3; i++) {
			double step = ten * (double[]){1, 2, 5}[i];
			if (top / step <= max)
				return step;
		}
	return ten;
}

/* The whole axis uses the unit of its last tick. */
static void bytes_text(enum unit u, double v, double last, char out[40])
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	int k = 0;

	for (; last >= 1024 && k < 6; k++, last /= 1024)
		v /= 1024;
	snprintf(out, 40, "%.4g %s%s", v, names[k], u == UNIT_RATE ? "/s" : "");
}

static void value_text(enum unit u, double v, double last, char out[40])
{
	char number[UNITS_SIZE];

	if (is_binary(u))
		bytes_text(u, v, last, out);
	else if (u == UNIT_PERCENT)
		snprintf(out, 40, "%.4g%%", v);
	else if (u == UNIT_COUNT)
		snprintf(out, 40, "%s", units_count(v, number));
	else {
		const char *one = u == UNIT_GPUS ? "GPU" : "core";
		if (v < 1000)
			snprintf(number, sizeof number, "%.4g", v);
		else
			units_count(v, number);
		snprintf(out, 40, "%.30s %s%s", number, one, v == 1 ? "" : "s");
	}
}

/* Steps of a clock, and the unit of their labels. */
static const struct time_step {
	double s, unit;
	const char *name;
} time_steps[] = {
    {1, 1, "s"},        {2, 1, "s"},         {5, 1, "s"},          {10, 1, "s"},
    {20, 1, "s"},       {30, 1, "s"},        {60, 60, "min"},      {120, 60, "min"},
    {300, 60, "min"},   {600, 60, "min"},    {1200, 60, "min"},    {1800, 60, "min"},
    {3600, 3600, "h"},  {7200, 3600, "h"},   {10800, 3600, "h"},   {21600, 3600, "h"},
    {43200, 3600, "h"}, {86400, 86400, "d"}, {172800, 86400, "d"}, {432000, 86400, "d"},
};

static struct time_step time_step_of(double s, int max)
{
	size_t n = sizeof time_steps / sizeof *time_steps;

	if (s / max < 1)
		return (struct time_step){decimal_step(s, max), 1, "s"};
	for (size_t i = 0; i < n; i++)
		if (s / time_steps[i].s <= max)
			return time_steps[i];
	return (struct time_step){decimal_step(s / QUANTITY_DAY_S, max) * QUANTITY_DAY_S,
	                          QUANTITY_DAY_S, "d"};
}

double chart_axis_step(enum unit u, double top, int max)
{
	double step;

	if (u == UNIT_SECONDS)
		return time_step_of(top, max).s;
	if (is_binary(u))
		return exp2(ceil(log2(top / max)));
	step = decimal_step(top, max);
	return u == UNIT_COUNT && step < 1 ? 1 : step;
}

size_t chart_axis_values(enum unit u, double top, struct chart_tick out[CHART_TICKS_MAX])
{
	double step = chart_axis_step(u, top, VALUES_MAX);
	size_t n = 0, steps = (size_t)floor(top / step + 1e-9);

	for (; n <= steps && n < CHART_TICKS_MAX; n++) {
		out[n].at = (double)n * step;
		if (n)
			value_text(u, out[n].at, (double)steps * step, out[n].text);
		else
			snprintf(out[n].text, sizeof out[n].text, "0");
	}
	return n;
}

size_t chart_axis_times(double s, struct chart_tick out[CHART_TICKS_MAX])
{
	double span = fmin(fmax(s, 1e-6), LARGE);
	struct time_step step = time_step_of(span, TIMES_MAX);
	size_t n = 0;

	for (; (double)n * step.s <= span * (1 + 1e-9) && n < CHART_TICKS_MAX; n++) {
		out[n].at = (double)n * step.s;
		if (n)
			snprintf(out[n].text, sizeof out[n].text, "%.4g %s", out[n].at / step.unit,
			         step.name);
		else
			snprintf(out[n].text, sizeof out[n].text, "0");
	}
	return n;
}

size_t chart_axis_ticks(enum unit u, double top, struct chart_tick out[CHART_TICKS_MAX])
{
	return u == UNIT_SECONDS ? chart_axis_times(top, out) : chart_axis_values(u, top, out);
}
