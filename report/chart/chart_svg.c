/* chart_svg: a chart as the numbers and strings of an SVG picture. */
#include "report/chart/chart_svg.h"

#include <math.h>
#include <stdio.h>

#include "report/chart/chart_axis.h"
#include "report/chart/chart_lines.h"

#define W          (CHART_SVG_PLOT_W / CHART_SVG_UNIT)
#define H          (CHART_SVG_PLOT_H / CHART_SVG_UNIT)
#define POINTS     100 /* of a line, at most: a page has many such pictures */
#define SLACK      1   /* units of an error: less than a pixel */
#define LIMIT_ROOM 1.1 /* the axis ends at this multiple of a limit or above, so the label fits */
#define LABEL_ROOM 15  /* pixels: with less space above a limit, its label is below it */

#define NARROW    4    /* pixels: phases up to this width are not shown */
#define LETTER    6.6  /* width of a character at 10 px in a wide font */
#define LETTER_AS 10.5 /* the same outside ASCII */
#define PADDING   4

#define SOFT "#565c66" /* colour of lines that are not data */

/* Labels must not go below the plot, where the times are. */
#define LABEL_MIN (CHART_SVG_TOP - 4)
#define LABEL_MAX (CHART_SVG_BOTTOM - 2)

/* From the run's start to its end, if the samples begin and end near them (g->gap); else from the
 * first sample to the last. */
struct chart_time chart_svg_time(const struct run *run, const struct chart_grid *g)
{
	double near = g->gap > 0 ? g->gap : g->step;
	double first = g->from, last = g->from + (g->n ? g->x[g->n - 1] : 0);
	struct chart_time t;

	if (g->buckets)
		last = g->from + (double)g->n * g->step;
	t.from = first >= run->start && first - run->start <= near ? run->start : first;
	if (run->stop >= last && run->stop - last <= near)
		last = run->stop;
	t.span = last - t.from;
	/* A single sample has no duration: use one interval. */
	if (!(t.span > 0))
		t.span = g->step > 0 ? g->step : 1;
	return t;
}

/* Pixels from the plot's left edge, clamped to the plot. */
static double phase_x(const struct chart_time *t, double unix_s)
{
	double x = (unix_s - t->from) / t->span * CHART_SVG_PLOT_W;

	return stats_round(fmin(fmax(0, x), CHART_SVG_PLOT_W), 1);
}

static double char_width(unsigned char c)
{
	if (c < 0x80)
		return LETTER;
	return (c & 0xc0) == 0x80 ? 0 : LETTER_AS;
}

/* How many bytes of the name fit; *all: whether the whole name fits. */
static size_t bytes_that_fit(const char *name, double room, bool *all)
{
	double width = 0;
	size_t n = 0, end = 0;

	for (; name[n]; n++) {
		if (((unsigned char)name[n] & 0xc0) != 0x80 && width + LETTER_AS <= room)
			end = n; /* the name cut here, and "…", would fit */
		width += char_width((unsigned char)name[n]);
	}
	*all = width <= room;
	return *all ? n : end;
}

static void add_phase_name(cJSON *names, const char *name, double x, double width)
{
	bool all;
	size_t n = bytes_that_fit(name, width - 2 * PADDING, &all);
	cJSON *one;

	if (!*name || n < 3)
		if (!all || !*name)
			return;
	one = model_json_row(names);
	model_json_number(one, "x", stats_round(CHART_SVG_LEFT + x + PADDING, 1));
	model_json_number(one, "share", stats_round(100 * x / CHART_SVG_PLOT_W, 2));
	model_json_cut(one, "text", name, n);
}

/* Adds "shade", the path of every other phase, and "phases", the names that fit. Shows at most
 * CHART_SVG_PHASES phases, and none of less than a few pixels. */
static void add_phases(cJSON *times, const struct run *run, const struct chart_time *t)
{
	const struct phases *p = run->snapshot.phases;
	cJSON *names = cJSON_CreateArray();
	struct buf shade = {0};
	size_t shown = 0;

	for (size_t i = 0; p && i < p->n && shown < CHART_SVG_PHASES; i++) {
		double from = phase_x(t, p->v[i].start), to = phase_x(t, p->v[i].end);
		if (isnan(p->v[i].end))
			to = CHART_SVG_PLOT_W;
		if (!(to - from > NARROW))
			continue;
		if (shown++ % 2 == 0)
			buf_printf(&shade, "M%.4g %dh%.4gv%dh%.4gz", CHART_SVG_LEFT + from,
			           CHART_SVG_TOP, to - from, CHART_SVG_PLOT_H, from - to);
		add_phase_name(names, p->v[i].name, from, to - from);
	}
	cJSON_AddStringToObject(times, "shade", buf_cstr(&shade));
	cJSON_AddItemToObject(times, "phases", names);
	buf_free(&shade);
}

/* -- axes -------------------------------------------------------------------------------------- */

static double plot_y(double v, double top)
{
	return H * (1 - chart_lines_share(v, top));
}

/* The time axis and the phases, which all pictures share. */
static void add_time_axis(cJSON *svg, const struct run *run, const struct chart_time *t)
{
	cJSON *times = cJSON_AddObjectToObject(svg, "times");

	model_json_number(times, "from", t->from);
	model_json_number(times, "span", t->span);
	chart_lines_times(cJSON_AddArrayToObject(times, "ticks"), t->span);
	model_json_number(times, "head", CHART_SVG_TOP - 8);
	model_json_number(times, "foot", CHART_SVG_BOTTOM + 18);
	add_phases(times, run, t);
}

/* -- lines ------------------------------------------------------------------------------------- */

/* The grid's cells as points of the picture; merges neighbours if there are too many. */
static size_t series_points(const struct chart_view *v, const struct chart_series *s,
                            const struct chart_time *t, double top, struct chart_point *out)
{
	const struct chart_grid *g = v->grid;
	size_t each = (g->n + POINTS - 1) / POINTS, n = 0;

	for (size_t i = 0; i < g->n; i += each) {
		struct bucket c = {0};
		struct chart_point *p = &out[n++];
		size_t end = i + each < g->n ? i + each : g->n;
		*p = (struct chart_point){0};
		for (size_t k = i; k < end; k++) {
			buckets_join(&c, &s->cells[k]);
			p->broken |= !s->cells[k].n;
		}
		p->known = c.n > 0;
		p->x = W * (g->from - t->from + (g->x[i] + g->x[end - 1]) / 2) / t->span;
		p->y = plot_y(chart_edge_up(buckets_mean(&c)), top);
		p->top = plot_y(chart_edge_up(c.max), top);
		p->bottom = plot_y(chart_edge_up(c.min), top);
	}
	return n;
}

static void add_series_path(cJSON *array, const struct chart_series *s, const struct chart_point *p,
                            size_t n)
{
	cJSON *one = model_json_row(array);
	struct buf line = {0}, band = {0};

	chart_path_line(&line, p, n, SLACK);
	chart_path_band(&band, p, n, n ? W / (double)n / 2 : 0, SLACK);
	cJSON_AddStringToObject(one, "look", s->look->name);
	cJSON_AddStringToObject(one, "colour", s->look->colour);
	cJSON_AddStringToObject(one, "dash", s->look->dash);
	model_json_take(one, "line", &line);
	model_json_take(one, "band", &band);
}

/* A series without a value in the picture has no label: returns false. */
static bool end_label_of(struct chart_lines_end *m, const struct chart_series *s,
                         const struct chart_point *p, size_t n)
{
	while (n && !p[n - 1].known)
		n--;
	if (!n)
		return false;
	*m = (struct chart_lines_end){.colour = s->look->colour,
	                              .look = s->look->name,
	                              .y = CHART_SVG_TOP + round(p[n - 1].y) * CHART_SVG_UNIT};
	snprintf(m->label, sizeof m->label, "%s", s->mark);
	return true;
}

static void add_drawing(cJSON *svg, const struct chart_view *v, const struct chart_time *t,
                        double top)
{
	struct chart_point p[POINTS];
	struct chart_lines_end marks[CHART_SERIES_MAX + 1];
	cJSON *all = cJSON_AddArrayToObject(svg, "series"), *limit;
	size_t n_marks = 0;

	for (size_t i = 0; i < v->n; i++) {
		size_t n;
		if (v->series[i].apart)
			continue;
		n = series_points(v, &v->series[i], t, top, p);
		add_series_path(all, &v->series[i], p, n);
		n_marks += end_label_of(&marks[n_marks], &v->series[i], p, n);
	}
	all = cJSON_AddArrayToObject(svg, "limits");
	if (v->limit.drawn) {
		double y = CHART_SVG_TOP + round(plot_y(v->limit.value, top)) * CHART_SVG_UNIT;
		limit = model_json_row(all);
		model_json_number(limit, "y", y);
		model_json_number(limit, "label", y - CHART_SVG_TOP < LABEL_ROOM ? y + 14 : y - 4);
		cJSON_AddStringToObject(limit, "text", v->limit.text);
		marks[n_marks] = (struct chart_lines_end){.colour = SOFT, .look = "soft", .y = y};
		snprintf(marks[n_marks].label, sizeof marks->label, "%s", v->limit.mark);
		n_marks++;
	}
	chart_lines_labels(svg, marks, n_marks, LABEL_MIN, LABEL_MAX);
}

void chart_svg_add(cJSON *chart, const struct chart_view *v, bool first)
{
	cJSON *svg = cJSON_AddObjectToObject(chart, "svg");
	struct chart_time t = chart_svg_time(v->run, v->grid);
	double top = chart_axis_top(v->chart->unit, v->peak);
	struct buf grid = {0};

	if (v->limit.drawn && v->limit.value * LIMIT_ROOM > top)
		top = v->limit.value * LIMIT_ROOM;
	if (v->chart->unit == UNIT_PERCENT && v->peak <= 100 && top > 100)
		top = 100;
	chart_lines_size(svg);
	model_json_number(svg, "scale", CHART_SVG_UNIT);
	model_json_number(svg, "peak", top);
	chart_lines_values(svg, &grid, v->chart->unit, top, true);
	model_json_take(svg, "grid", &grid);
	if (first)
		add_time_axis(svg, v->run, &t);
	else
		cJSON_AddNullToObject(svg, "times");
	add_drawing(svg, v, &t, top);
}
