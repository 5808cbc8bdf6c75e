/* chart_scatter: two values of many runs against each other. */
#include "report/chart/chart_scatter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/stats.h"
#include "report/chart/chart_axis.h"
#include "report/units/units.h"

/* Pixels of the picture. Places across are in percent of the plot's width. */
#define LEFT       64 /* room for the labels of the axis */
#define TOP        18
#define PLOT_H     170
#define FOOT       18   /* from the plot down to the baseline of the ticks' labels */
#define UNDER      10   /* below them */
#define MIDDLE     4    /* from the middle of a line of text down to its baseline */
#define ROOM       1.15 /* of a logarithmic axis, beyond the values */
#define DOT_MIN    2.5
#define DOT_MAX    9
#define DOT_ONE    4  /* where no dot is of several */
#define ABOVE      4  /* from a line up to the baseline of its text */
#define BELOW      13 /* down to it, for a text below its line */
#define CROWDED    8
#define MARK_SHARE 45 /* of the width; names that are further apart cannot hide each other */
#define TEXT_H     15 /* of a line of text; closer lines cannot both have their text above them */

struct scatter_axis {
	enum unit unit;
	bool log;         /* already before its ends are set: it must be */
	double low, high; /* of the values; then the ends */
	const char *currency;
};

static void widen_axis(struct scatter_axis *a, double v)
{
	if (!(v > 0) || !isfinite(v))
		return;
	a->low = v < a->low ? v : a->low;
	a->high = v > a->high ? v : a->high;
}

/* The last tick below the values, so that an axis to compare ratios shows no range without any. */
static double linear_start(const struct scatter_axis *a)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = chart_axis_ticks(a->unit, chart_axis_top(a->unit, a->high), ticks);
	double start = 0;

	for (size_t i = 0; i < n && ticks[i].at < a->low; i++)
		start = ticks[i].at;
	return start;
}

static void end_axis(struct scatter_axis *a, bool ratios)
{
	a->log = a->log || a->high > a->low * (ratios ? CROWDED : CHART_SCATTER_LINEAR);
	if (a->log) {
		a->low /= ROOM;
		a->high *= ROOM;
	} else {
		a->low = ratios ? linear_start(a) : 0;
		a->high = chart_axis_top(a->unit, a->high);
	}
}

/* From 0 to 1. */
static double share_of_scatter(const struct scatter_axis *a, double v)
{
	double at = a->log ? log(fmax(v, a->low) / a->low) / log(a->high / a->low)
	                   : (v - a->low) / (a->high - a->low);

	return fmin(fmax(0, at), 1);
}

/* -- ticks ------------------------------------------------------------------------------------- */

/* 1, 2 and 5 times powers of ten; these powers alone where there would be too many. */
static size_t money_ticks(const struct scatter_axis *a, double out[CHART_TICKS_MAX])
{
	static const double times[] = {1, 2, 5};
	size_t each = a->high / a->low > 1e3 ? 1 : 3, n = 0;

	for (double k = floor(log10(a->low)); k <= log10(a->high); k++)
		for (size_t i = 0; i < each; i++) {
			double v = times[i] * pow(10, k);
			if (v >= a->low && v <= a->high && n < CHART_TICKS_MAX)
				out[n++] = v;
		}
	return n;
}

/* Powers of two for bytes; round times for seconds. */
static size_t log_ticks(const struct scatter_axis *a, double out[CHART_TICKS_MAX])
{
	static const double times[] = {1e-3, 1e-2, 0.1,  1,     10,    60,
	                               600,  3600, 36e3, 86400, 864e3, 864e4};
	double first = ceil(log2(a->low)), last = floor(log2(a->high));
	double step = fmax(1, ceil((last - first) / 5));
	size_t n = 0;

	if (units_is_money(a->unit))
		return money_ticks(a, out);
	if (a->unit == UNIT_SECONDS) {
		for (size_t i = 0; i < sizeof times / sizeof *times && n < CHART_TICKS_MAX; i++)
			if (times[i] >= a->low && times[i] <= a->high)
				out[n++] = times[i];
		return n;
	}
	for (double k = first; k <= last && n < CHART_TICKS_MAX; k += step)
		out[n++] = exp2(k);
	return n;
}

static size_t scatter_ticks(const struct scatter_axis *a, struct chart_tick out[CHART_TICKS_MAX])
{
	double at[CHART_TICKS_MAX];
	size_t n;

	n = a->log ? log_ticks(a, at) : chart_axis_ticks(a->unit, a->high, out);
	if (!a->log && a->low > 0) {
		size_t below = 0;
		while (below < n && out[below].at < a->low)
			below++;
		n -= below;
		memmove(out, out + below, n * sizeof *out);
	}
	for (size_t i = 0; i < n && (a->log || units_is_money(a->unit)); i++) {
		if (a->log)
			out[i].at = at[i];
		snprintf(out[i].text, sizeof out[i].text, "%.39s",
		         UNITS_MONEY(a->unit, out[i].at, a->currency));
	}
	return n;
}

static double y_of(const struct scatter_axis *a, double v)
{
	return stats_round(TOP + PLOT_H * (1 - share_of_scatter(a, v)), 1);
}

static void add_scatter_ticks(cJSON *svg, const struct scatter_axis *x,
                              const struct scatter_axis *y)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = scatter_ticks(x, ticks);
	cJSON *all = cJSON_AddArrayToObject(svg, "ticks_x");

	for (size_t i = 0; i < n; i++) {
		cJSON *one = model_json_row(all);
		cJSON_AddStringToObject(one, "text", ticks[i].text);
		model_json_number(one, "share",
		                  stats_round(100 * share_of_scatter(x, ticks[i].at), 2));
	}
	n = scatter_ticks(y, ticks);
	all = cJSON_AddArrayToObject(svg, "ticks_y");
	for (size_t i = 0; i < n; i++) {
		cJSON *one = model_json_row(all);
		double at = y_of(y, ticks[i].at);
		cJSON_AddStringToObject(one, "text", ticks[i].text);
		model_json_number(one, "y", at + MIDDLE);
		model_json_number(one, "line", y->log || i ? at : (double)NAN);
	}
}

/* -- dots and lines ---------------------------------------------------------------------------- */

static int largest_dot_first(const void *a, const void *b)
{
	const struct chart_scatter_dot *p = a, *q = b;

	if (p->n != q->n)
		return p->n > q->n ? -1 : 1;
	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->y > q->y) - (p->y < q->y);
}

/* The largest first, so that none hides another. */
static void add_scatter_dots(cJSON *svg, const struct chart_scatter *s,
                             const struct scatter_axis *x, const struct scatter_axis *y)
{
	struct chart_scatter_dot *dot = alloc_failed_note(calloc(s->n + 1, sizeof *dot));
	cJSON *dots = cJSON_AddArrayToObject(svg, "dots");

	for (size_t i = 0; dot && i < s->n; i++)
		dot[i] = s->dot[i];
	if (dot)
		qsort(dot, s->n, sizeof *dot, largest_dot_first);
	for (size_t i = 0; dot && i < s->n; i++) {
		cJSON *one = model_json_row(dots);
		model_json_number(one, "share",
		                  stats_round(100 * share_of_scatter(x, dot[i].x), 2));
		model_json_number(one, "y", y_of(y, dot[i].y));
		model_json_number(
		    one, "r",
		    dot[0].n > 1
			? stats_round(fmax(DOT_MIN, DOT_MAX * sqrt(dot[i].n / dot[0].n)), 1)
			: DOT_ONE);
		cJSON_AddBoolToObject(one, "oom", dot[i].apart);
	}
	free(dot);
}

/* Each with the end of its line to the next one. */
static void add_scatter_joined(cJSON *svg, const struct chart_scatter *s,
                               const struct scatter_axis *x, const struct scatter_axis *y)
{
	cJSON *joined = cJSON_AddArrayToObject(svg, "joined");

	for (size_t i = 0; i < s->n_joined; i++) {
		const struct chart_scatter_dot *to = &s->joined[i + 1 < s->n_joined ? i + 1 : i];
		cJSON *one = model_json_row(joined);
		model_json_number(one, "share",
		                  stats_round(100 * share_of_scatter(x, s->joined[i].x), 2));
		model_json_number(one, "y", y_of(y, s->joined[i].y));
		model_json_number(one, "share_to",
		                  stats_round(100 * share_of_scatter(x, to->x), 2));
		model_json_number(one, "y_to", y_of(y, to->y));
		if (!s->range || !(s->range[i].most > s->range[i].least))
			continue;
		model_json_number(one, "least",
		                  stats_round(100 * share_of_scatter(x, s->range[i].least), 2));
		model_json_number(one, "most",
		                  stats_round(100 * share_of_scatter(x, s->range[i].most), 2));
	}
}

/* Each above its dot, or below it where another name is, or the reverse: in the left half to the
 * right of the dot, else to the left. */
static void add_scatter_marks(cJSON *svg, const struct chart_scatter *s,
                              const struct scatter_axis *x, const struct scatter_axis *y)
{
	cJSON *marks = cJSON_AddArrayToObject(svg, "marks");
	double taken[CHART_SCATTER_MARKS], place[CHART_SCATTER_MARKS];
	size_t n = 0;

	for (size_t i = 0; i < s->n_marks; i++) {
		double share = 100 * share_of_scatter(x, s->mark[i].x);
		double dot = y_of(y, s->mark[i].y), at = dot;
		bool free = false;
		cJSON *one;
		for (size_t try = 0; !free && try < 2; try++) {
			at = dot + ((try == 1) != s->mark[i].below ? TEXT_H : -DOT_MAX);
			free = at > 0 && at < TOP + PLOT_H;
			for (size_t k = 0; k < n; k++)
				free = free && (fabs(taken[k] - at) >= TEXT_H ||
				                fabs(place[k] - share) > MARK_SHARE);
		}
		if (!free)
			continue;
		place[n] = share;
		taken[n++] = at;
		one = model_json_row(marks);
		model_json_cut(one, "text", s->mark[i].text, MODEL_JSON_NAME_MAX);
		model_json_number(one, "share", stats_round(share, 2));
		model_json_number(one, "y", stats_round(at, 1));
		cJSON_AddStringToObject(one, "anchor", share < 50 ? "start" : "end");
	}
}

/* The baselines of the texts of two lines at these heights. Each is above its line, but where the
 * lines are close: then that of the lower line is below it, or, where the plot ends, that of the
 * upper line is above both. */
static void place_texts(const double at[CHART_SCATTER_LINES], double text[CHART_SCATTER_LINES])
{
	size_t lower = at[1] >= at[0], upper = !lower;

	for (size_t i = 0; i < CHART_SCATTER_LINES; i++)
		text[i] = at[i] - ABOVE;
	if (at[lower] - at[upper] > TEXT_H)
		return;
	if (at[lower] + BELOW < TOP + PLOT_H)
		text[lower] = at[lower] + BELOW;
	else
		text[upper] = text[lower] - TEXT_H;
}

static void add_scatter_lines(cJSON *svg, const struct chart_scatter *s,
                              const struct scatter_axis *y)
{
	cJSON *lines = cJSON_AddArrayToObject(svg, "lines");
	double at[CHART_SCATTER_LINES] = {0}, baseline[CHART_SCATTER_LINES];

	/* A line that is missing is far from the other. */
	for (size_t i = 0; i < CHART_SCATTER_LINES; i++)
		at[i] = i < s->n_lines ? y_of(y, s->line[i].y) : -PLOT_H;
	place_texts(at, baseline);
	for (size_t i = 0; i < s->n_lines; i++) {
		cJSON *one = model_json_row(lines);
		model_json_printf(one, "text", "%s %s", s->line[i].label,
		                  UNITS_TEXT(y->unit, s->line[i].y));
		model_json_number(one, "y", at[i]);
		model_json_number(one, "label", stats_round(baseline[i], 1));
		cJSON_AddStringToObject(one, "dash", i % 2 ? "2 3" : "8 4");
	}
}

/* Across, points are in percent of the plot's width. */
static void add_scatter_curves(cJSON *svg, const struct chart_scatter *s,
                               const struct scatter_axis *x, const struct scatter_axis *y)
{
	cJSON *all = cJSON_AddArrayToObject(svg, "curves");

	for (size_t i = 0; i < s->n_curves; i++) {
		cJSON *one = model_json_row(all);
		struct buf points = {0};
		for (size_t k = 0; k < s->curve[i].n; k++)
			buf_printf(&points, "%s%g,%g", k ? " " : "",
			           stats_round(100 * share_of_scatter(x, s->curve[i].p[k].x), 2),
			           y_of(y, s->curve[i].p[k].y));
		model_json_take(one, "points", &points);
		cJSON_AddStringToObject(one, "dash", s->curve[i].dash);
	}
}

void chart_scatter_add(cJSON *parent, const struct chart_scatter *s)
{
	struct scatter_axis x = {s->unit_x, false, INFINITY, 0, s->currency};
	struct scatter_axis y = {s->unit_y, false, INFINITY, 0, s->currency};
	cJSON *svg = model_json_object_if(s->n + s->n_joined, parent, "svg");

	if (!svg)
		return;
	for (size_t i = 0; i < s->n; i++) {
		widen_axis(&x, s->dot[i].x);
		widen_axis(&y, s->dot[i].y);
	}
	for (size_t i = 0; i < s->n_joined; i++) {
		widen_axis(&x, s->joined[i].x);
		widen_axis(&x, s->range ? s->range[i].least : 0);
		widen_axis(&x, s->range ? s->range[i].most : 0);
		widen_axis(&y, s->joined[i].y);
	}
	for (size_t i = 0; i < s->n_lines; i++)
		widen_axis(&y, s->line[i].y);
	for (size_t i = 0; i < s->n_curves; i++)
		for (size_t k = 0; k < s->curve[i].n; k++) {
			widen_axis(&x, s->curve[i].p[k].x);
			widen_axis(&y, s->curve[i].p[k].y);
		}
	end_axis(&x, s->ratios);
	end_axis(&y, s->ratios);
	model_json_number(svg, "left", LEFT);
	model_json_number(svg, "axis", LEFT - 8);
	model_json_number(svg, "height", TOP + PLOT_H + FOOT + UNDER);
	model_json_number(svg, "top", TOP);
	model_json_number(svg, "bottom", TOP + PLOT_H);
	model_json_number(svg, "foot", TOP + PLOT_H + FOOT);
	cJSON_AddBoolToObject(svg, "log_x", x.log);
	cJSON_AddBoolToObject(svg, "log_y", y.log);
	add_scatter_ticks(svg, &x, &y);
	add_scatter_dots(svg, s, &x, &y);
	add_scatter_joined(svg, s, &x, &y);
	add_scatter_marks(svg, s, &x, &y);
	add_scatter_lines(svg, s, &y);
	if (s->n_curves)
		add_scatter_curves(svg, s, &x, &y);
}
