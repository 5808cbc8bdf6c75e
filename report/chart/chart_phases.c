/* chart_phases: the time span of a picture, and the job's phases in it. */
#include "report/chart/chart_phases.h"

#include <math.h>
#include <string.h>

#include "report/chart/chart_svg_size.h"
#include "report/units/model_json.h"

#define NARROW    4    /* pixels: phases up to this width are not shown */
#define LETTER    6.6  /* width of a character at 10 px in a wide font */
#define LETTER_AS 10.5 /* the same outside ASCII */
#define PADDING   4

struct chart_time chart_time_of(const struct run *run, const struct chart_grid *g)
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

	return stats_round(x > 0 ? x < CHART_SVG_PLOT_W ? x : CHART_SVG_PLOT_W : 0, 1);
}

static double char_width(unsigned char c)
{
	return c < 0x80 ? LETTER : (c & 0xc0) == 0x80 ? 0 : LETTER_AS;
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
	one = cJSON_CreateObject();
	model_json_number(one, "x", stats_round(CHART_SVG_LEFT + x + PADDING, 1));
	model_json_number(one, "share", stats_round(100 * x / CHART_SVG_PLOT_W, 2));
	model_json_cut(one, "text", name, n);
	cJSON_AddItemToArray(names, one);
}

void chart_phases_add(cJSON *times, const struct run *run, const struct chart_time *t)
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
