/* chart_histogram: bars of how often values occur. */
#include "report/chart/chart_histogram.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/buf.h"
#include "core/numbers/stats.h"
#include "report/chart/chart_axis.h"
#include "report/units/units.h"

/* Pixels of the picture. Places across are in percent of the plot's width. */
#define LEFT     44 /* room for the numbers of the axis */
#define PLOT_H   150
#define ROW      18   /* of a line's label, above the plot */
#define FOOT     18   /* from the plot down to the baseline of the ticks' labels */
#define UNDER    10   /* below them */
#define MIDDLE   4    /* from the middle of a line of text down to its baseline */
#define LEAST_H  2    /* of a bar: one of thousands must be seen */
#define GAP      0.06 /* of a bar's width */
#define LEAST    10   /* bars, without a better number */
#define REACH    4    /* × the largest value: lines beyond are named at the edge */
#define LEFT_END 25   /* percent: further left a label does not fit before its line */

static double quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;

	return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

double chart_histogram_width(const double *sorted, size_t n)
{
	if (!n)
		return 0;
	return 2 * (quantile(sorted, n, 0.75) - quantile(sorted, n, 0.25)) / cbrt((double)n);
}

/* -- bars -------------------------------------------------------------------------------------- */

static bool is_whole(double v)
{
	return fabs(v - round(v)) < 1e-6;
}

/* The finest round step of at most `wanted` bars whose edges meet the ticks of the axis. */
static double bar_step(const struct chart_histogram *h, int wanted)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = chart_axis_ticks(h->unit, h->top, ticks);
	double tick = n > 1 ? ticks[1].at : h->top;

	for (int max = wanted; max > 1; max--) {
		double step = chart_axis_step(h->unit, h->top, max);
		if (is_whole(tick / step))
			return step;
	}
	return tick;
}

static bool is_beyond(const struct chart_histogram *h, const struct chart_histogram_line *line)
{
	return !(line->at <= h->top);
}

void chart_histogram_begin(struct chart_histogram *h, double largest, double width)
{
	double top = largest;
	int wanted = CHART_HISTOGRAM_BARS;

	for (size_t i = 0; i < h->n_lines; i++)
		if (h->line[i].at <= REACH * largest)
			top = fmax(top, h->line[i].at);
	h->top = chart_axis_top(h->unit, top);
	if (width <= 0)
		wanted = 2 * LEAST;
	else if (h->top / width < CHART_HISTOGRAM_BARS)
		wanted = (int)fmax(LEAST, ceil(h->top / width));
	h->step = bar_step(h, wanted);
	h->n = (size_t)fmin(CHART_HISTOGRAM_BARS, ceil(h->top / h->step));
}

void chart_histogram_count(struct chart_histogram *h, double value, size_t n, bool apart)
{
	size_t bar;

	if (!(value >= 0) || !isfinite(value) || !h->n)
		return;
	bar = (size_t)fmin(floor(value / h->step), (double)(h->n - 1));
	*(apart ? &h->apart[bar] : &h->count[bar]) += n;
}

/* -- the picture ------------------------------------------------------------------------------- */

static double share_of_axis(const struct chart_histogram *h, double v)
{
	return stats_round(100 * fmin(1, v / h->top), 2);
}

static double bar_height(size_t n, double top)
{
	return n ? fmax(LEAST_H, stats_round(PLOT_H * (double)n / top, 1)) : 0;
}

static void add_histogram_bar(cJSON *bars, const struct chart_histogram *h, size_t i, double y,
                              double height, bool apart)
{
	cJSON *one = model_json_row(bars);
	double from = share_of_axis(h, (double)i * h->step),
	       to = share_of_axis(h, (double)(i + 1) * h->step);

	model_json_number(one, "share", stats_round(from + GAP / 2 * (to - from), 2));
	model_json_number(one, "width", stats_round((1 - GAP) * (to - from), 2));
	model_json_number(one, "y", stats_round(y, 1));
	model_json_number(one, "height", stats_round(height, 1));
	cJSON_AddBoolToObject(one, "apart", apart);
}

static void add_bars(cJSON *svg, const struct chart_histogram *h, double top, double bottom)
{
	cJSON *bars = cJSON_AddArrayToObject(svg, "bars");

	for (size_t i = 0; i < h->n; i++) {
		double height = bar_height(h->count[i], top), apart = bar_height(h->apart[i], top);
		if (h->count[i])
			add_histogram_bar(bars, h, i, bottom - height, height, false);
		if (h->apart[i])
			add_histogram_bar(bars, h, i, bottom - height - apart, apart, true);
	}
}

static cJSON *add_place(cJSON *array, const char *key, double at, const char *text)
{
	cJSON *one = model_json_row(array);

	model_json_number(one, key, stats_round(at, 2));
	cJSON_AddStringToObject(one, "text", text);
	return one;
}

static void add_histogram_axes(cJSON *svg, const struct chart_histogram *h, double top,
                               double bottom)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	cJSON *x = cJSON_AddArrayToObject(svg, "ticks_x"), *y;
	size_t n = chart_axis_ticks(h->unit, h->top, ticks);

	for (size_t i = 0; i < n; i++)
		add_place(x, "share", share_of_axis(h, ticks[i].at), ticks[i].text);
	y = cJSON_AddArrayToObject(svg, "ticks_y");
	n = chart_axis_values(UNIT_COUNT, top, ticks);
	for (size_t i = 0; i < n; i++) {
		double at = bottom - PLOT_H * ticks[i].at / top;
		model_json_number(add_place(y, "y", at + MIDDLE, ticks[i].text), "line",
		                  i ? stats_round(at, 1) : (double)NAN);
	}
}

/* Where a line's label is, so that no other line crosses it: labels on the right stand before their
 * line, and the further right, the higher; labels on the left stand after their line, above all
 * others. */
static int by_row(const void *a, const void *b, void *histogram)
{
	const struct chart_histogram *h = histogram;
	double p = h->line[*(const size_t *)a].at, q = h->line[*(const size_t *)b].at;
	bool left = share_of_axis(h, p) < LEFT_END, other = share_of_axis(h, q) < LEFT_END;

	if (left != other)
		return left ? -1 : 1;
	if (p == q)
		return *(const size_t *)a < *(const size_t *)b ? -1 : 1;
	return (p < q) == left ? -1 : 1;
}

static void add_histogram_lines(cJSON *svg, const struct chart_histogram *h)
{
	size_t order[CHART_HISTOGRAM_LINES];
	cJSON *lines = cJSON_AddArrayToObject(svg, "lines");

	for (size_t i = 0; i < h->n_lines; i++)
		order[i] = i;
	qsort_r(order, h->n_lines, sizeof *order, by_row, (void *)h);
	for (size_t i = 0; i < h->n_lines; i++) {
		const struct chart_histogram_line *line = &h->line[order[i]];
		bool beyond = is_beyond(h, line);
		double share = share_of_axis(h, line->at), y = ROW * (double)i;
		double dx = share < LEFT_END ? 5 : -5;
		struct buf text = {0};
		cJSON *one;
		buf_printf(&text, "%s %s%s%s", line->label, UNITS_TEXT(h->unit, line->at),
		           line->after, beyond ? " →" : "");
		one = add_place(lines, "share", share, buf_cstr(&text));
		model_json_number(one, "y", y + MIDDLE);
		model_json_number(one, "label", y + ROW - MIDDLE);
		cJSON_AddBoolToObject(one, "beyond", beyond);
		cJSON_AddStringToObject(one, "anchor", share < LEFT_END ? "start" : "end");
		model_json_number(one, "dx", beyond ? 0 : dx);
		cJSON_AddStringToObject(one, "dash", order[i] % 2 ? "2 3" : "8 4");
		buf_free(&text);
	}
}

static void add_rows(cJSON *parent, const struct chart_histogram *h)
{
	cJSON *rows = cJSON_AddArrayToObject(parent, "rows");

	for (size_t i = 0; i < h->n; i++) {
		double from = (double)i * h->step, to = (double)(i + 1) * h->step;
		cJSON *one;
		if (!h->count[i] && !h->apart[i])
			continue;
		one = model_json_row(rows);
		model_json_printf(one, "text", "%s to %s", UNITS_TEXT(h->unit, from),
		                  UNITS_TEXT(h->unit, to));
		model_json_number(one, "from", from);
		model_json_number(one, "to", to);
		model_json_number(one, "count", (double)h->count[i]);
		model_json_number(one, "apart", (double)h->apart[i]);
	}
}

void chart_histogram_add(cJSON *parent, const struct chart_histogram *h)
{
	cJSON *svg = cJSON_AddObjectToObject(parent, "svg");
	double above = ROW * (double)(h->n_lines ? h->n_lines : 1), bottom = above + PLOT_H;
	size_t most = 0;
	double top;

	for (size_t i = 0; i < h->n; i++)
		most = h->count[i] + h->apart[i] > most ? h->count[i] + h->apart[i] : most;
	top = chart_axis_top(UNIT_COUNT, (double)most);
	model_json_number(svg, "left", LEFT);
	model_json_number(svg, "axis", LEFT - 8);
	model_json_number(svg, "height", bottom + FOOT + UNDER);
	model_json_number(svg, "bottom", bottom);
	model_json_number(svg, "foot", bottom + FOOT);
	add_histogram_axes(svg, h, top, bottom);
	add_bars(svg, h, top, bottom);
	add_histogram_lines(svg, h);
	add_rows(parent, h);
}
