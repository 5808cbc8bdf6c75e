/* chart_lines: a picture of several lines with the same axes. */
#include "report/chart/chart_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/numbers/stats.h"
#include "report/chart/chart_axis.h"

#define AXIS_GAP 8  /* from the labels of the value axis to the plot */
#define GAP      16 /* from the plot to the labels on its right */
#define MIDDLE   4  /* from the middle of a line of text down to its baseline */
#define LABEL    16 /* bytes of a name that fit beside the plot */
#define W        (CHART_SVG_PLOT_W / CHART_SVG_UNIT)
#define H        (CHART_SVG_PLOT_H / CHART_SVG_UNIT)

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

void chart_lines_size(cJSON *svg)
{
	model_json_number(svg, "width", CHART_SVG_WIDTH);
	model_json_number(svg, "height", CHART_SVG_HEIGHT);
	model_json_number(svg, "left", CHART_SVG_LEFT);
	model_json_number(svg, "right", CHART_SVG_RIGHT);
	model_json_number(svg, "top", CHART_SVG_TOP);
	model_json_number(svg, "bottom", CHART_SVG_BOTTOM);
	model_json_number(svg, "plot_width", CHART_SVG_PLOT_W);
	model_json_number(svg, "axis", CHART_SVG_LEFT - AXIS_GAP);
}

double chart_lines_share(double v, double top)
{
	double share = v > 0 ? v / top : 0;

	return share < 1 ? share : 1;
}

/* -- axes -------------------------------------------------------------------------------------- */

void chart_lines_tick_share(cJSON *tick, double x)
{
	model_json_number(tick, "share",
	                  stats_round(100 * (x - CHART_SVG_LEFT) / CHART_SVG_PLOT_W, 2));
}

void chart_lines_values(cJSON *svg, struct buf *grid, enum unit unit, double top, bool whole)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = chart_axis_values(unit, top, ticks);
	cJSON *values = cJSON_AddArrayToObject(svg, "ticks_y"), *one;

	for (size_t i = 0; i < n; i++) {
		double below = 1 - chart_lines_share(ticks[i].at, top);
		double y = CHART_SVG_TOP + CHART_SVG_PLOT_H * below;
		if (whole)
			y = CHART_SVG_TOP + round(H * below) * CHART_SVG_UNIT;
		if (i)
			buf_printf(grid, "M%d %.4gh%d", CHART_SVG_LEFT, y, CHART_SVG_PLOT_W);
		one = model_json_row(values);
		model_json_number(one, "y", whole ? y + MIDDLE : stats_round(y + MIDDLE, 1));
		cJSON_AddStringToObject(one, "text", ticks[i].text);
	}
}

void chart_lines_times(cJSON *ticks, double span)
{
	struct chart_tick tick[CHART_TICKS_MAX];
	size_t n = chart_axis_times(span, tick);

	for (size_t i = 0; i < n; i++) {
		double x = CHART_SVG_LEFT + CHART_SVG_PLOT_W * tick[i].at / span;
		cJSON *one = model_json_row(ticks);
		model_json_number(one, "x", stats_round(x, 1));
		cJSON_AddStringToObject(one, "text", tick[i].text);
		chart_lines_tick_share(one, x);
	}
}

/* -- labels ------------------------------------------------------------------------------------ */

static int by_height(const void *a, const void *b)
{
	const struct chart_lines_end *p = a, *q = b;

	if (p->y != q->y)
		return p->y < q->y ? -1 : 1;
	return (p->order > q->order) - (p->order < q->order);
}

/* Pushes overlapping labels apart: down first, then up from the lowest place. */
static void push_apart(struct chart_lines_end *end, size_t n, double low, double high)
{
	double at = low;

	qsort(end, n, sizeof *end, by_height);
	for (size_t i = 0; i < n; i++, at += CHART_SVG_LABEL_H)
		end[i].at = at = end[i].y > at ? end[i].y : at;
	at = high;
	for (size_t i = n; i-- && end[i].at > at; at -= CHART_SVG_LABEL_H)
		end[i].at = at;
}

/* From the line's end to its label. */
static void add_leader(cJSON *label, const struct chart_lines_end *end)
{
	if (end->look)
		model_json_printf(label, "leader", "M%d %.4gl%d %.4g", CHART_SVG_RIGHT + 2, end->y,
		                  GAP - 5, end->at - end->y);
	else
		model_json_printf(label, "leader", "M%.4g %.4gH%dL%d %.4g", end->x, end->y,
		                  CHART_SVG_RIGHT + 2, CHART_SVG_RIGHT + GAP - 3, end->at);
}

void chart_lines_labels(cJSON *svg, struct chart_lines_end *end, size_t n, double low, double high)
{
	cJSON *all = cJSON_AddArrayToObject(svg, "labels");

	for (size_t i = 0; i < n; i++)
		end[i].order = i;
	push_apart(end, n, low, high);
	for (size_t i = 0; i < n; i++) {
		cJSON *one = model_json_row(all);
		model_json_number(one, "x", CHART_SVG_RIGHT + GAP);
		model_json_number(one, "y", stats_round(end[i].at + MIDDLE, 1));
		cJSON_AddStringToObject(one, "text", end[i].label);
		cJSON_AddStringToObject(one, "colour", end[i].colour);
		if (end[i].look)
			cJSON_AddStringToObject(one, "look", end[i].look);
		add_leader(one, &end[i]);
	}
}

/* -- a picture --------------------------------------------------------------------------------- */

void chart_lines_begin(struct chart_lines *l, cJSON *chart, enum unit unit, double top)
{
	*l = (struct chart_lines){
	    .svg = cJSON_AddObjectToObject(chart, "svg"), .unit = unit, .top = top};
	chart_lines_size(l->svg);
	model_json_number(l->svg, "foot", CHART_SVG_BOTTOM + 18);
	model_json_number(l->svg, "scale", CHART_SVG_UNIT);
	chart_lines_values(l->svg, &l->grid, unit, top, false);
}

cJSON *chart_lines_chart(struct chart_lines *l, cJSON *charts, const struct chart_lines_kind *kind,
                         double top, double span)
{
	cJSON *chart = model_json_row(charts), *key;

	cJSON_AddStringToObject(chart, "id", kind->id);
	cJSON_AddStringToObject(chart, "title", kind->title);
	cJSON_AddStringToObject(chart, "unit", units_name(kind->unit));
	key = cJSON_AddArrayToObject(chart, "key");
	chart_lines_begin(l, chart, kind->unit, top);
	l->key = key;
	chart_lines_times(cJSON_AddArrayToObject(l->svg, "ticks_x"), span);
	return chart;
}

struct chart_point chart_lines_point(const struct chart_lines *l, double x, double least, double v,
                                     double most)
{
	return (struct chart_point){.x = W * x,
	                            .y = H * (1 - chart_lines_share(v, l->top)),
	                            .top = H * (1 - chart_lines_share(most, l->top)),
	                            .bottom = H * (1 - chart_lines_share(least, l->top)),
	                            .known = !isnan(v),
	                            .broken = isnan(v)};
}

static void set_label(struct chart_lines_end *end, const char *label)
{
	struct buf cut = {0};

	model_json_cut_text(&cut, label, LABEL);
	snprintf(end->label, sizeof end->label, "%s", buf_cstr(&cut));
	buf_free(&cut);
}

void chart_lines_add(struct chart_lines *l, const char *label, size_t look,
                     struct chart_point *points, size_t n, double half)
{
	struct buf line = {0}, band = {0};
	struct chart_lines_end *end = &l->end[l->n];
	cJSON *one;

	if (!l->lines)
		l->lines = cJSON_AddArrayToObject(l->svg, "lines");
	chart_path_line(&line, points, n, CHART_PATH_FINE);
	if (half > 0)
		chart_path_band(&band, points, n, half, CHART_PATH_FINE);
	while (n && !points[n - 1].known)
		n--;
	if (n && l->n < CHART_LINES_MAX) {
		one = model_json_row(l->lines);
		cJSON_AddStringToObject(one, "colour", chart_lines_looks[look].colour);
		cJSON_AddStringToObject(one, "dash", chart_lines_looks[look].dash);
		cJSON_AddStringToObject(one, "line", buf_cstr(&line));
		if (half > 0)
			cJSON_AddStringToObject(one, "band", buf_cstr(&band));
		*end =
		    (struct chart_lines_end){.colour = chart_lines_looks[look].colour,
		                             .x = CHART_SVG_LEFT + points[n - 1].x * CHART_SVG_UNIT,
		                             .y = CHART_SVG_TOP + points[n - 1].y * CHART_SVG_UNIT};
		set_label(end, label);
		l->n++;
	}
	buf_free(&line);
	buf_free(&band);
}

void chart_lines_key(cJSON *key, const char *label, size_t max, size_t look)
{
	cJSON *one = model_json_row(key);

	model_json_cut(one, "label", label, max);
	cJSON_AddStringToObject(one, "colour", chart_lines_looks[look].colour);
	cJSON_AddStringToObject(one, "dash", chart_lines_looks[look].dash);
}

void chart_lines_say(struct chart_lines *l, const char *name, double v)
{
	buf_printf(&l->summary, "%s%s %s", l->summary.len ? ", " : "", name,
	           UNITS_TEXT(l->unit, v));
}

void chart_lines_end(struct chart_lines *l)
{
	model_json_take(l->svg, "grid", &l->grid);
	if (!l->lines)
		l->lines = cJSON_AddArrayToObject(l->svg, "lines");
	chart_lines_labels(l->svg, l->end, l->n, CHART_SVG_TOP, CHART_SVG_BOTTOM);
}
