/* chart_comparison: lines of several runs as an SVG picture. */
#include "report/chart/chart_comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/chart/chart_axis.h"
#include "report/chart/chart_path.h"
#include "report/chart/chart_svg.h"
#include "report/chart/phase_align.h"
#include "report/units/units.h"

#define RIGHT  (CHART_SVG_LEFT + CHART_SVG_PLOT_W)
#define BOTTOM (CHART_SVG_TOP + CHART_SVG_PLOT_H)
#define GAP    16 /* from the plot to the labels on its right */
#define MIDDLE 4  /* from the middle of a line of text down to its baseline */
#define LETTER 8  /* pixels of a wide letter */
#define LABEL  16 /* bytes of a name that fit beside the plot */

const struct chart_comparison_look chart_comparison_looks[COMPARISON_MAX] = {
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

static const struct {
	const char *id, *title;
	enum unit unit;
} lines[COMPARISON_LINES] = {
    [COMPARISON_CPU] = {"cpu", "CPU usage", UNIT_CORES},
    [COMPARISON_MEMORY] = {"memory", "Memory", UNIT_BYTES},
};

/* Shared by all lines of a picture. */
struct compare_plot {
	double span, top;
	enum comparison_line_id line;
	const struct phase_align *align; /* NULL: by time since the start */
};

/* Where a line ends, and where its label is. */
struct line_end {
	size_t run;
	double x, y, at;
};

static void add_buf(cJSON *o, const char *key, struct buf *b)
{
	cJSON_AddStringToObject(o, key, buf_cstr(b));
	buf_free(b);
}

static cJSON *add_svg_tick(cJSON *array, const char *key, double at, const char *text)
{
	cJSON *one = cJSON_CreateObject();

	model_json_number(one, key, stats_round(at, 1));
	cJSON_AddStringToObject(one, "text", text);
	cJSON_AddItemToArray(array, one);
	return one;
}

static double share_of_top(double v, double top)
{
	double share = v > 0 ? v / top : 0;

	return share < 1 ? share : 1;
}

static double x_at(const struct compare_plot *p, double at)
{
	return CHART_SVG_LEFT + CHART_SVG_PLOT_W * at / p->span;
}

static void add_tick_share(cJSON *tick, double x)
{
	model_json_number(tick, "share",
	                  stats_round(100 * (x - CHART_SVG_LEFT) / CHART_SVG_PLOT_W, 2));
}

/* A grid line where each phase ends, and its name in the middle. */
static void add_phase_names(cJSON *ticks, struct buf *grid, const struct compare_plot *p)
{
	for (size_t k = 0; k < p->align->n; k++) {
		double from = x_at(p, p->align->at[k]);
		double to = x_at(p, p->align->at[k] + p->align->width[k]);
		size_t room = (size_t)((to - from) / LETTER);
		cJSON *one;
		buf_printf(grid, "M%.4g %dv%d", to, CHART_SVG_TOP, CHART_SVG_PLOT_H);
		if (room < 4)
			continue;
		one = cJSON_CreateObject();
		cJSON_AddItemToArray(ticks, one);
		model_json_number(one, "x", stats_round((from + to) / 2, 1));
		add_tick_share(one, (from + to) / 2);
		model_json_cut(one, "text", p->align->name[k], room);
	}
}

static void add_comparison_axes(cJSON *svg, const struct compare_plot *p)
{
	struct chart_tick ticks[CHART_TICKS_MAX];
	size_t n = chart_axis_values(lines[p->line].unit, p->top, ticks);
	cJSON *values = cJSON_AddArrayToObject(svg, "ticks_y"), *times;
	struct buf grid = {0};

	for (size_t i = 0; i < n; i++) {
		double y = BOTTOM - CHART_SVG_PLOT_H * share_of_top(ticks[i].at, p->top);
		if (i)
			buf_printf(&grid, "M%d %.4gh%d", CHART_SVG_LEFT, y, CHART_SVG_PLOT_W);
		add_svg_tick(values, "y", y + MIDDLE, ticks[i].text);
	}
	times = cJSON_AddArrayToObject(svg, "ticks_x");
	n = p->align ? 0 : chart_axis_times(p->span, ticks);
	for (size_t i = 0; i < n; i++)
		add_tick_share(add_svg_tick(times, "x", x_at(p, ticks[i].at), ticks[i].text),
		               x_at(p, ticks[i].at));
	if (p->align)
		add_phase_names(times, &grid, p);
	add_buf(svg, "grid", &grid);
}

/* The place of a point on the axis; NAN: none. *ends: its phase ends, and the line with it. */
static double place_on_axis(const struct compare_plot *p, const struct comparison_run *one,
                            double unix_s, double next, bool *ends)
{
	size_t phase = 0, after = 0;
	double at;

	if (!p->align)
		return unix_s - one->begin;
	at = phase_align_at(p->align, one->run, unix_s, &phase);
	*ends = isnan(phase_align_at(p->align, one->run, next, &after)) || after != phase;
	return at;
}

/* The grid's cells as points of the picture; too many cells are joined. */
static size_t points_of_run(const struct comparison_run *one, const struct compare_plot *p,
                            struct chart_point out[CHART_PATH_POINTS_MAX])
{
	const struct chart_grid *g = &one->grid;
	const struct chart_cell *cells = one->cells[p->line];
	/* Do not join: a point across the end of a phase would belong to both. */
	size_t max = p->align ? CHART_PATH_POINTS_MAX : CHART_SVG_POINTS;
	size_t each = (g->n + max - 1) / max, n = 0;

	for (size_t i = 0; cells && i < g->n; i += each) {
		size_t end = i + each < g->n ? i + each : g->n;
		double t = g->from + (g->x[i] + g->x[end - 1]) / 2, at;
		double next = g->from + (end < g->n ? g->x[end] : g->x[end - 1]) + g->step;
		bool ends = false;
		struct chart_cell c = {0};
		out[n] = (struct chart_point){0};
		for (size_t k = i; k < end; k++) {
			chart_cell_join(&c, &cells[k]);
			out[n].broken |= !cells[k].n;
		}
		at = place_on_axis(p, one, t, next, &ends);
		if (isnan(at))
			continue;
		out[n].broken |= ends;
		out[n].known = c.n > 0;
		out[n].x = CHART_SVG_PLOT_W / CHART_SVG_UNIT * at / p->span;
		out[n].y = CHART_SVG_PLOT_H / CHART_SVG_UNIT *
		           (1 - share_of_top(chart_cell_mean(&c), p->top));
		n++;
	}
	return n;
}

static int by_height(const void *a, const void *b)
{
	const struct line_end *p = a, *q = b;

	if (p->y != q->y)
		return p->y < q->y ? -1 : 1;
	return (p->run > q->run) - (p->run < q->run);
}

/* Places labels from the top down; if room runs out, from the bottom up. */
static void spread_labels(struct line_end *ends, size_t n)
{
	double at = CHART_SVG_TOP;

	qsort(ends, n, sizeof *ends, by_height);
	for (size_t i = 0; i < n; i++, at += CHART_SVG_LABEL_H) {
		at = ends[i].y > at ? ends[i].y : at;
		ends[i].at = at;
	}
	at = BOTTOM;
	for (size_t i = n; i-- && ends[i].at > at; at -= CHART_SVG_LABEL_H)
		ends[i].at = at;
}

static void add_line_labels(cJSON *svg, const struct comparison *c, struct line_end *ends, size_t n)
{
	cJSON *all = cJSON_AddArrayToObject(svg, "labels");

	spread_labels(ends, n);
	for (size_t i = 0; i < n; i++) {
		const struct line_end *end = &ends[i];
		cJSON *one = cJSON_CreateObject();
		struct buf leader = {0};
		cJSON_AddItemToArray(all, one);
		buf_printf(&leader, "M%.4g %.4gH%dL%d %.4g", end->x, end->y, RIGHT + 2,
		           RIGHT + GAP - 3, end->at);
		model_json_number(one, "x", RIGHT + GAP);
		model_json_number(one, "y", stats_round(end->at + MIDDLE, 1));
		model_json_cut(one, "text", buf_cstr(&c->v[end->run].label), LABEL);
		cJSON_AddStringToObject(one, "colour", chart_comparison_looks[end->run].colour);
		add_buf(one, "leader", &leader);
	}
}

static void add_run_lines(cJSON *svg, const struct comparison *c, const struct compare_plot *p)
{
	cJSON *all = cJSON_AddArrayToObject(svg, "lines");
	struct line_end ends[COMPARISON_MAX];
	size_t n_ends = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct chart_point points[CHART_PATH_POINTS_MAX];
		size_t n = points_of_run(&c->v[i], p, points);
		struct buf line = {0};
		cJSON *one;
		chart_path_line(&line, points, n);
		while (n && !points[n - 1].known)
			n--;
		if (n) {
			one = cJSON_CreateObject();
			cJSON_AddItemToArray(all, one);
			cJSON_AddStringToObject(one, "colour", chart_comparison_looks[i].colour);
			cJSON_AddStringToObject(one, "dash", chart_comparison_looks[i].dash);
			cJSON_AddStringToObject(one, "line", buf_cstr(&line));
			ends[n_ends++] = (struct line_end){
			    .run = i,
			    .x = CHART_SVG_LEFT + points[n - 1].x * CHART_SVG_UNIT,
			    .y = CHART_SVG_TOP + points[n - 1].y * CHART_SVG_UNIT};
		}
		buf_free(&line);
	}
	add_line_labels(svg, c, ends, n_ends);
}

/* Lines show the mean of the samples on a point, so the top is the highest mean. */
static double peak_of(const struct comparison *c, enum comparison_line_id line)
{
	double peak = NAN;

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; c->v[i].cells[line] && k < c->v[i].grid.n; k++) {
			double v = chart_cell_mean(&c->v[i].cells[line][k]);
			if (!isnan(v) && !(v <= peak))
				peak = v;
		}
	return peak;
}

static double span_of(const struct comparison *c)
{
	double span = 0;

	for (size_t i = 0; i < c->n; i++)
		span = c->v[i].span > span ? c->v[i].span : span;
	return span > 0 ? span : 1;
}

/* For readers without the picture: "CPU usage over time since the start, up to 1 h 2 min; mean of
 * each run: a 2.00 cores, …". */
static void add_comparison_summary(cJSON *chart, const struct comparison *c, const struct runs *r,
                                   const struct compare_plot *p)
{
	char text[64], span[UNITS_SIZE];
	struct buf b = {0};
	const char *between = "";

	buf_printf(&b, "%s over %s, up to %s; mean of each run: ", lines[p->line].title,
	           p->align ? "the phases that all have, each from its own beginning"
	                    : "time since the start",
	           units_seconds(p->span, span));
	for (size_t i = 0; i < c->n; i++) {
		const struct metric *m = comparison_metric(p->line, r, c->v[i].run);
		if (!m)
			continue;
		units_text(lines[p->line].unit, r->v[c->v[i].run].stats[m->id].mean, NULL, text);
		buf_printf(&b, "%s%s %s", between, buf_cstr(&c->v[i].label), text);
		between = ", ";
	}
	buf_char(&b, '.');
	model_json_cut(chart, "summary", buf_cstr(&b), 4 * MODEL_JSON_TEXT_MAX);
	buf_free(&b);
}

static void add_picture(cJSON *chart, const struct comparison *c, const struct compare_plot *p)
{
	cJSON *svg = cJSON_AddObjectToObject(chart, "svg");

	model_json_number(svg, "width", CHART_SVG_WIDTH);
	model_json_number(svg, "height", CHART_SVG_HEIGHT);
	model_json_number(svg, "left", CHART_SVG_LEFT);
	model_json_number(svg, "right", RIGHT);
	model_json_number(svg, "top", CHART_SVG_TOP);
	model_json_number(svg, "bottom", BOTTOM);
	model_json_number(svg, "plot_width", CHART_SVG_PLOT_W);
	model_json_number(svg, "axis", CHART_SVG_LEFT - 8);
	model_json_number(svg, "foot", BOTTOM + 18);
	model_json_number(svg, "scale", CHART_SVG_UNIT);
	add_comparison_axes(svg, p);
	add_run_lines(svg, c, p);
}

static void add_comparison_chart(cJSON *charts, const struct comparison *c, const struct runs *r,
                                 struct compare_plot *p)
{
	double peak = peak_of(c, p->line);
	char id[32], title[64];
	cJSON *one;

	if (isnan(peak))
		return;
	p->top = chart_axis_top(lines[p->line].unit, peak);
	snprintf(id, sizeof id, "%s%s", lines[p->line].id, p->align ? "_phases" : "");
	snprintf(title, sizeof title, "%s%s", lines[p->line].title,
	         p->align ? ", phase by phase" : "");
	one = cJSON_CreateObject();
	cJSON_AddItemToArray(charts, one);
	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "title", title);
	cJSON_AddStringToObject(one, "unit", units_name(lines[p->line].unit));
	add_comparison_summary(one, c, r, p);
	add_picture(one, c, p);
}

void chart_comparison_add(cJSON *parent, const struct comparison *c, const struct runs *r)
{
	cJSON *charts = cJSON_AddArrayToObject(parent, "charts");
	struct phase_align align;

	phase_align_make(&align, c);
	for (int line = 0; line < COMPARISON_LINES; line++) {
		struct compare_plot p = {.line = (enum comparison_line_id)line, .span = span_of(c)};
		add_comparison_chart(charts, c, r, &p);
		p.align = &align;
		p.span = align.span;
		if (align.n)
			add_comparison_chart(charts, c, r, &p);
	}
}
