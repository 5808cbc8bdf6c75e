/* chart_lines: a picture of several lines with the same axes. */
#include "report/chart/chart_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/numbers/stats.h"
#include "report/chart/chart_axis.h"

#define GAP    16 /* from the plot to the labels on its right */
#define MIDDLE 4  /* from the middle of a line of text down to its baseline */
#define LABEL  16 /* bytes of a name that fit beside the plot */

const struct chart_lines_look chart_lines_looks[CHART_LINES_MAX] = {
    {"#0b62b5", ""},
    {"#b9500a", "10 4"},
    {"#1b7447", "3 3"},
    {"#7a3fa0", "10 3 2 3"},
    {"#a3246f", "18 4"},
    {"#0f6e78", "6 3"},
    {"#6b6400", "12 3 2 3 2 3"},
    {"#b3261e", "1 3"},
    {"#4d5a6b", "18 3 2 3"},
    {"#1a1d21", "6 6"},
};

static cJSON *add_svg_tick(cJSON *array, const char *key, double at, const char *text)
{
	cJSON *one = cJSON_CreateObject();

	model_json_number(one, key, stats_round(at, 1));
	cJSON_AddStringToObject(one, "text", text);
	cJSON_AddItemToArray(array, one);
	return one;
}

double chart_lines_share(double v, double top)
{
	double share = v > 0 ? v / top : 0;

	return share < 1 ? share : 1;
}

void chart_lines_tick_share(cJSON *tick, double x)
{
	model_json_number(tick, "share",
	                  stats_round(100 * (x - CHART_SVG_LEFT) / CHART_SVG_PLOT_W, 2));
}

static void add_value_ticks(struct chart_lines *l, enum unit unit, double top)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = chart_axis_values(unit, top, ticks);
	cJSON *values = cJSON_AddArrayToObject(l->svg, "ticks_y");

	for (size_t i = 0; i < n; i++) {
		double y =
		    CHART_SVG_BOTTOM - CHART_SVG_PLOT_H * chart_lines_share(ticks[i].at, top);
		if (i)
			buf_printf(&l->grid, "M%d %.4gh%d", CHART_SVG_LEFT, y, CHART_SVG_PLOT_W);
		add_svg_tick(values, "y", y + MIDDLE, ticks[i].text);
	}
}

void chart_lines_begin(struct chart_lines *l, cJSON *chart, enum unit unit, double top)
{
	cJSON *svg = cJSON_AddObjectToObject(chart, "svg");

	*l = (struct chart_lines){.svg = svg};
	chart_svg_size_add(svg);
	model_json_number(svg, "foot", CHART_SVG_BOTTOM + 18);
	model_json_number(svg, "scale", CHART_SVG_UNIT);
	add_value_ticks(l, unit, top);
}

void chart_lines_times(cJSON *ticks, double span)
{
	struct chart_tick tick[CHART_TICKS_MAX];
	size_t n = chart_axis_times(span, tick);

	for (size_t i = 0; i < n; i++) {
		double x = CHART_SVG_LEFT + CHART_SVG_PLOT_W * tick[i].at / span;
		chart_lines_tick_share(add_svg_tick(ticks, "x", x, tick[i].text), x);
	}
}

void chart_lines_add(struct chart_lines *l, const char *label, size_t look,
                     struct chart_point *points, size_t n, double half)
{
	struct buf line = {0}, band = {0};
	struct chart_lines_end *end = &l->end[l->n];
	cJSON *one;

	if (!l->lines)
		l->lines = cJSON_AddArrayToObject(l->svg, "lines");
	chart_path_line(&line, points, n);
	if (half > 0)
		chart_path_band(&band, points, n, half);
	while (n && !points[n - 1].known)
		n--;
	if (n && l->n < CHART_LINES_MAX) {
		one = cJSON_CreateObject();
		cJSON_AddItemToArray(l->lines, one);
		cJSON_AddStringToObject(one, "colour", chart_lines_looks[look].colour);
		cJSON_AddStringToObject(one, "dash", chart_lines_looks[look].dash);
		cJSON_AddStringToObject(one, "line", buf_cstr(&line));
		if (half > 0)
			cJSON_AddStringToObject(one, "band", buf_cstr(&band));
		*end =
		    (struct chart_lines_end){.look = look,
		                             .x = CHART_SVG_LEFT + points[n - 1].x * CHART_SVG_UNIT,
		                             .y = CHART_SVG_TOP + points[n - 1].y * CHART_SVG_UNIT};
		snprintf(end->label, sizeof end->label, "%s", label);
		l->n++;
	}
	buf_free(&line);
	buf_free(&band);
}

static int by_height(const void *a, const void *b)
{
	const struct chart_lines_end *p = a, *q = b;

	if (p->y != q->y)
		return p->y < q->y ? -1 : 1;
	return (p->look > q->look) - (p->look < q->look);
}

/* Places labels from the top down; if room runs out, from the bottom up. */
static void spread_labels(struct chart_lines_end *ends, size_t n)
{
	double at = CHART_SVG_TOP;

	qsort(ends, n, sizeof *ends, by_height);
	for (size_t i = 0; i < n; i++, at += CHART_SVG_LABEL_H) {
		at = ends[i].y > at ? ends[i].y : at;
		ends[i].at = at;
	}
	at = CHART_SVG_BOTTOM;
	for (size_t i = n; i-- && ends[i].at > at; at -= CHART_SVG_LABEL_H)
		ends[i].at = at;
}

void chart_lines_end(struct chart_lines *l)
{
	cJSON *all;

	model_json_take(l->svg, "grid", &l->grid);
	if (!l->lines)
		l->lines = cJSON_AddArrayToObject(l->svg, "lines");
	all = cJSON_AddArrayToObject(l->svg, "labels");
	spread_labels(l->end, l->n);
	for (size_t i = 0; i < l->n; i++) {
		const struct chart_lines_end *end = &l->end[i];
		cJSON *one = cJSON_CreateObject();
		struct buf leader = {0};
		cJSON_AddItemToArray(all, one);
		buf_printf(&leader, "M%.4g %.4gH%dL%d %.4g", end->x, end->y, CHART_SVG_RIGHT + 2,
		           CHART_SVG_RIGHT + GAP - 3, end->at);
		model_json_number(one, "x", CHART_SVG_RIGHT + GAP);
		model_json_number(one, "y", stats_round(end->at + MIDDLE, 1));
		model_json_cut(one, "text", end->label, LABEL);
		cJSON_AddStringToObject(one, "colour", chart_lines_looks[end->look].colour);
		model_json_take(one, "leader", &leader);
	}
}
