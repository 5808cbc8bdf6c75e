/* chart_comparison: lines of several runs as an SVG picture. */
#include "report/chart/chart_comparison.h"

#include <math.h>
#include <stdio.h>

#include "report/chart/chart_axis.h"
#include "report/chart/chart_lines.h"
#include "report/units/units.h"

#define LETTER 8 /* pixels of a wide letter */

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
	const struct comparison_align *align; /* NULL: by time since the start */
};

static double x_at(const struct compare_plot *p, double at)
{
	return CHART_SVG_LEFT + CHART_SVG_PLOT_W * at / p->span;
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
		one = model_json_row(ticks);
		model_json_number(one, "x", stats_round((from + to) / 2, 1));
		chart_lines_tick_share(one, (from + to) / 2);
		model_json_cut(one, "text", p->align->name[k], room);
	}
}

static void add_comparison_axes(struct chart_lines *l, const struct compare_plot *p)
{
	cJSON *times = cJSON_AddArrayToObject(l->svg, "ticks_x");

	if (p->align)
		add_phase_names(times, &l->grid, p);
	else
		chart_lines_times(times, p->span);
}

/* The place of a point on the axis; NAN: none. *ends: its phase ends, and the line with it. */
static double place_on_axis(const struct compare_plot *p, const struct comparison_run *one,
                            double unix_s, double next, bool *ends)
{
	size_t phase = 0, after = 0;
	double at;

	if (!p->align)
		return unix_s - one->begin;
	at = comparison_align_at(p->align, one->run, unix_s, &phase);
	*ends = isnan(comparison_align_at(p->align, one->run, next, &after)) || after != phase;
	return at;
}

/* The grid's cells as points of the picture; too many cells are joined. */
static size_t points_of_run(const struct comparison_run *one, const struct compare_plot *p,
                            struct chart_point out[CHART_PATH_POINTS_MAX])
{
	const struct chart_grid *g = &one->grid;
	const struct bucket *cells = one->cells[p->line];
	/* Do not join: a point across the end of a phase would belong to both. */
	size_t max = p->align ? CHART_PATH_POINTS_MAX : CHART_SVG_POINTS;
	size_t each = (g->n + max - 1) / max, n = 0;

	for (size_t i = 0; cells && i < g->n; i += each) {
		size_t end = i + each < g->n ? i + each : g->n;
		double t = g->from + (g->x[i] + g->x[end - 1]) / 2, at;
		double next = g->from + (end < g->n ? g->x[end] : g->x[end - 1]) + g->step;
		bool ends = false;
		struct bucket c = {0};
		out[n] = (struct chart_point){0};
		for (size_t k = i; k < end; k++) {
			buckets_join(&c, &cells[k]);
			out[n].broken |= !cells[k].n;
		}
		at = place_on_axis(p, one, t, next, &ends);
		if (isnan(at))
			continue;
		out[n].broken |= ends;
		out[n].known = c.n > 0;
		out[n].x = CHART_SVG_PLOT_W / CHART_SVG_UNIT * at / p->span;
		out[n].y = CHART_SVG_PLOT_H / CHART_SVG_UNIT *
		           (1 - chart_lines_share(buckets_mean(&c), p->top));
		n++;
	}
	return n;
}

static void add_run_lines(struct chart_lines *l, const struct comparison *c,
                          const struct compare_plot *p)
{
	for (size_t i = 0; i < c->n; i++) {
		struct chart_point points[CHART_PATH_POINTS_MAX];
		size_t n = points_of_run(&c->v[i], p, points);
		chart_lines_add(l, buf_cstr(&c->v[i].label), i, points, n, 0);
	}
}

/* Lines show the mean of the samples on a point, so the top is the highest mean. */
static double peak_of(const struct comparison *c, enum comparison_line_id line)
{
	double peak = NAN;

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; c->v[i].cells[line] && k < c->v[i].grid.n; k++) {
			double v = buckets_mean(&c->v[i].cells[line][k]);
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
	char text[64];
	struct buf b = {0};
	const char *between = "";

	buf_printf(&b, "%s over %s, up to %s; mean of each run: ", lines[p->line].title,
	           p->align ? "the phases that all have, each from its own beginning"
	                    : "time since the start",
	           UNITS_SECONDS(p->span));
	for (size_t i = 0; i < c->n; i++) {
		const struct metric *m = comparison_metric(p->line, r, c->v[i].run);
		if (!m)
			continue;
		units_text(lines[p->line].unit, load_stats(&r->v[c->v[i].run], m->id)->mean, NULL,
		           text);
		buf_printf(&b, "%s%s %s", between, buf_cstr(&c->v[i].label), text);
		between = ", ";
	}
	buf_char(&b, '.');
	model_json_take_cut(chart, "summary", &b, 4 * MODEL_JSON_TEXT_MAX);
}

static void add_picture(cJSON *chart, const struct comparison *c, const struct compare_plot *p)
{
	struct chart_lines l;

	chart_lines_begin(&l, chart, lines[p->line].unit, p->top);
	add_comparison_axes(&l, p);
	add_run_lines(&l, c, p);
	chart_lines_end(&l);
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
	one = model_json_row(charts);
	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "title", title);
	cJSON_AddStringToObject(one, "unit", units_name(lines[p->line].unit));
	add_comparison_summary(one, c, r, p);
	add_picture(one, c, p);
}

void chart_comparison_add(cJSON *parent, const struct comparison *c, const struct runs *r)
{
	cJSON *charts = cJSON_AddArrayToObject(parent, "charts");
	struct comparison_align align;

	comparison_align(&align, c);
	for (int line = 0; line < COMPARISON_LINES; line++) {
		struct compare_plot p = {.line = (enum comparison_line_id)line, .span = span_of(c)};
		add_comparison_chart(charts, c, r, &p);
		p.align = &align;
		p.span = align.span;
		if (align.n)
			add_comparison_chart(charts, c, r, &p);
	}
}
