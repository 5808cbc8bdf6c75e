/* chart_svg: a chart as the numbers and strings of an SVG picture. */
#include "report/chart/chart_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/chart/chart_axis.h"
#include "report/chart/chart_path.h"
#include "report/chart/chart_phases.h"

#define W          (CHART_SVG_PLOT_W / CHART_SVG_UNIT)
#define H          (CHART_SVG_PLOT_H / CHART_SVG_UNIT)
#define GAP        16  /* from the plot to the labels on its right */
#define MIDDLE     4   /* from the middle of a line of text to its baseline */
#define LIMIT_ROOM 1.1 /* the axis ends at this multiple of a limit or above, so the label fits */
#define LABEL_ROOM 15  /* pixels: with less space above a limit, its label is below it */

#define SOFT "#565c66" /* colour of lines that are not data */

/* Labels must not go below the plot, where the times are. */
#define LABEL_MIN (CHART_SVG_TOP - 4)
#define LABEL_MAX (CHART_SVG_BOTTOM - 2)

/* The label at the end of a line. */
struct mark {
	const char *text, *colour, *look;
	double end, at; /* y of the line's end, and of the label's centre */
};

static void add_axis_tick(cJSON *array, const char *key, double at, const char *text)
{
	cJSON *one = cJSON_CreateObject();

	model_json_number(one, key, at);
	cJSON_AddStringToObject(one, "text", text);
	cJSON_AddItemToArray(array, one);
}

static double plot_y(double v, double top)
{
	double share = v > 0 ? v / top : 0;

	return H * (1 - (share < 1 ? share : 1));
}

/* The value axis: grid lines across the plot, and their labels. */
static void add_value_axis(cJSON *svg, enum unit unit, double top)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = chart_axis_values(unit, top, ticks);
	cJSON *all = cJSON_AddArrayToObject(svg, "ticks_y");
	struct buf grid = {0};

	for (size_t i = 0; i < n; i++) {
		double y = CHART_SVG_TOP + round(plot_y(ticks[i].at, top)) * CHART_SVG_UNIT;
		if (i)
			buf_printf(&grid, "M%d %.4gh%d", CHART_SVG_LEFT, y, CHART_SVG_PLOT_W);
		add_axis_tick(all, "y", y + MIDDLE, ticks[i].text);
	}
	model_json_take(svg, "grid", &grid);
}

/* The time axis and the phases, which all pictures share. */
static void add_time_axis(cJSON *svg, const struct run *run, const struct chart_time *t)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = chart_axis_times(t->span, ticks);
	cJSON *times = cJSON_AddObjectToObject(svg, "times");
	cJSON *all = cJSON_AddArrayToObject(times, "ticks");

	for (size_t i = 0; i < n; i++) {
		double x = CHART_SVG_LEFT + CHART_SVG_PLOT_W * ticks[i].at / t->span;
		add_axis_tick(all, "x", stats_round(x, 1), ticks[i].text);
		model_json_number(cJSON_GetArrayItem(all, (int)i), "share",
		                  stats_round(100 * ticks[i].at / t->span, 2));
	}
	model_json_number(times, "head", CHART_SVG_TOP - 8);
	model_json_number(times, "foot", CHART_SVG_BOTTOM + 18);
	chart_phases_add(times, run, t);
}

/* The grid's cells as points of the picture; merges neighbours if there are too many. */
static size_t series_points(const struct chart_view *v, const struct chart_series *s,
                            const struct chart_time *t, double top, struct chart_point *out)
{
	const struct chart_grid *g = v->grid;
	size_t each = (g->n + CHART_SVG_POINTS - 1) / CHART_SVG_POINTS, n = 0;

	for (size_t i = 0; i < g->n; i += each) {
		struct bucket c = {0};
		struct chart_point *p = &out[n++];
		size_t end = i + each < g->n ? i + each : g->n;
		*p = (struct chart_point){0};
		for (size_t k = i; k < end; k++) {
			bucket_join(&c, &s->cells[k]);
			p->broken |= !s->cells[k].n;
		}
		p->known = c.n > 0;
		p->x = W * (g->from - t->from + (g->x[i] + g->x[end - 1]) / 2) / t->span;
		p->y = plot_y(chart_edge_up(bucket_mean(&c)), top);
		p->top = plot_y(chart_edge_up(c.max), top);
		p->bottom = plot_y(chart_edge_up(c.min), top);
	}
	return n;
}

static void add_series_path(cJSON *array, const struct chart_series *s, const struct chart_point *p,
                            size_t n)
{
	cJSON *one = cJSON_CreateObject();
	struct buf line = {0}, band = {0};

	chart_path_line(&line, p, n);
	chart_path_band(&band, p, n, n ? W / (double)n / 2 : 0);
	cJSON_AddStringToObject(one, "look", s->look->name);
	cJSON_AddStringToObject(one, "colour", s->look->colour);
	cJSON_AddStringToObject(one, "dash", s->look->dash);
	model_json_take(one, "line", &line);
	model_json_take(one, "band", &band);
	cJSON_AddItemToArray(array, one);
}

static int by_end(const void *a, const void *b)
{
	const struct mark *p = a, *q = b;

	return p->end != q->end ? (p->end < q->end ? -1 : 1) : p < q ? -1 : 1;
}

/* Pushes overlapping labels apart: down first, then up from the bottom of the plot. */
static void push_apart(struct mark *m, size_t n)
{
	double low = LABEL_MIN;

	qsort(m, n, sizeof *m, by_end);
	for (size_t i = 0; i < n; i++, low += CHART_SVG_LABEL_H)
		m[i].at = low = m[i].end > low ? m[i].end : low;
	low = LABEL_MAX;
	for (size_t i = n; i-- && m[i].at > low; low -= CHART_SVG_LABEL_H)
		m[i].at = low;
}

static void add_end_labels(cJSON *svg, struct mark *m, size_t n)
{
	cJSON *all = cJSON_AddArrayToObject(svg, "labels");

	push_apart(m, n);
	for (size_t i = 0; i < n; i++) {
		cJSON *one = cJSON_CreateObject();
		struct buf leader = {0};
		buf_printf(&leader, "M%d %.4gl%d %.4g", CHART_SVG_RIGHT + 2, m[i].end, GAP - 5,
		           m[i].at - m[i].end);
		model_json_number(one, "x", CHART_SVG_RIGHT + GAP);
		model_json_number(one, "y", stats_round(m[i].at + MIDDLE, 1));
		cJSON_AddStringToObject(one, "text", m[i].text);
		cJSON_AddStringToObject(one, "colour", m[i].colour);
		cJSON_AddStringToObject(one, "look", m[i].look);
		model_json_take(one, "leader", &leader);
		cJSON_AddItemToArray(all, one);
	}
}

/* A series without a value in the picture has no label: returns false. */
static bool end_label_of(struct mark *m, const struct chart_series *s, const struct chart_point *p,
                         size_t n)
{
	while (n && !p[n - 1].known)
		n--;
	if (n)
		*m = (struct mark){.text = s->mark,
		                   .colour = s->look->colour,
		                   .look = s->look->name,
		                   .end = CHART_SVG_TOP + round(p[n - 1].y) * CHART_SVG_UNIT};
	return n > 0;
}

static void add_drawing(cJSON *svg, const struct chart_view *v, const struct chart_time *t,
                        double top)
{
	struct chart_point p[CHART_SVG_POINTS];
	struct mark marks[CHART_SERIES_MAX + 1];
	cJSON *all = cJSON_AddArrayToObject(svg, "series"), *limit;
	size_t n_marks = 0;

	for (size_t i = 0; i < v->n; i++) {
		size_t n = series_points(v, &v->series[i], t, top, p);
		add_series_path(all, &v->series[i], p, n);
		n_marks += end_label_of(&marks[n_marks], &v->series[i], p, n);
	}
	all = cJSON_AddArrayToObject(svg, "limits");
	if (v->limit.drawn) {
		double y = CHART_SVG_TOP + round(plot_y(v->limit.value, top)) * CHART_SVG_UNIT;
		limit = cJSON_CreateObject();
		model_json_number(limit, "y", y);
		model_json_number(limit, "label", y - CHART_SVG_TOP < LABEL_ROOM ? y + 14 : y - 4);
		cJSON_AddStringToObject(limit, "text", v->limit.text);
		cJSON_AddItemToArray(all, limit);
		marks[n_marks++] = (struct mark){v->limit.mark, SOFT, "soft", y, 0};
	}
	add_end_labels(svg, marks, n_marks);
}

void chart_svg_add(cJSON *chart, const struct chart_view *v, bool first)
{
	cJSON *svg = cJSON_AddObjectToObject(chart, "svg");
	struct chart_time t = chart_time_of(v->run, v->grid);
	double top = chart_axis_top(v->chart->unit, v->peak);

	if (v->limit.drawn && v->limit.value * LIMIT_ROOM > top)
		top = v->limit.value * LIMIT_ROOM;
	if (v->chart->unit == UNIT_PERCENT && v->peak <= 100 && top > 100)
		top = 100;
	chart_svg_size_add(svg);
	model_json_number(svg, "scale", CHART_SVG_UNIT);
	model_json_number(svg, "peak", top);
	add_value_axis(svg, v->chart->unit, top);
	if (first)
		add_time_axis(svg, v->run, &t);
	else
		cJSON_AddNullToObject(svg, "times");
	add_drawing(svg, v, &t, top);
}
