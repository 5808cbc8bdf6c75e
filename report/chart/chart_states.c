/* chart_states: where the time of a run went, over time. */
#include "report/chart/chart_states.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "report/chart/chart.h"
#include "report/chart/chart_lines.h"
#include "report/chart/chart_svg.h"
#include "report/stats/state_use.h"

/* The seconds of each state at each point of the charts. */
struct states_grid {
	struct chart_grid g;
	struct chart_time t;
	double *s; /* STATES_N each */
};

/* Bounds of the points from … before - 1, in units of the picture. */
static void edges_of_points(const struct states_grid *w, size_t from, size_t before, int x[2])
{
	const struct chart_grid *g = &w->g;
	double edge[2] = {(double)from * g->step, (double)before * g->step};

	/* A sample stands for the time before it. */
	if (!g->buckets) {
		edge[0] = g->x[from] - (from && g->x[from] - g->x[from - 1] < g->gap
		                            ? g->x[from] - g->x[from - 1]
		                            : g->step);
		edge[1] = g->x[before - 1];
	}
	for (int i = 0; i < 2; i++) {
		double at = (g->from + edge[i] - w->t.from) / w->t.span * CHART_STATES_W;
		x[i] = (int)round(fmin(fmax(0, at), CHART_STATES_W));
	}
}

/* Adds up states of points; returns the sum. */
static double sum_points(const struct states_grid *w, size_t from, size_t before,
                         double s[STATES_N])
{
	double all = 0;

	for (int k = 0; k < STATES_N; k++) {
		s[k] = 0;
		for (size_t i = from; i < before; i++)
			s[k] += w->s[i * STATES_N + (size_t)k];
		all += s[k];
	}
	return all;
}

/* The area below the top of a state, on which the states before it are drawn. Steps of equal height
 * are one. */
static void area_below(const struct states_grid *w, enum states_id top, struct buf *out)
{
	size_t each = (w->g.n + CHART_STATES_COLUMNS - 1) / CHART_STATES_COLUMNS;
	int height = 0, end = 0, at = 0; /* at: where the path is */

	for (size_t i = 0; i < w->g.n; i += each) {
		size_t before = i + each < w->g.n ? i + each : w->g.n;
		double s[STATES_N], all = sum_points(w, i, before, s), below = 0;
		int x[2], now;
		for (int k = 0; k <= (int)top; k++)
			below += s[k];
		edges_of_points(w, i, before, x);
		now = all > 0 ? (int)round(below / all * CHART_STATES_H) : 0;
		if (height && x[0] > end + 1) { /* nothing was recorded in between */
			buf_printf(out, "h%dv%d", end - at, height);
			at = end;
			height = 0;
		}
		if (now != height) {
			int to = height ? end : x[0];
			if (out->len)
				buf_printf(out, "h%dv%d", to - at, height - now);
			else
				buf_printf(out, "M%d %dv%d", to, CHART_STATES_H, -now);
			at = to;
			height = now;
		}
		end = x[1];
	}
	if (height)
		buf_printf(out, "h%dv%d", end - at, height);
}

static void add_strip_layers(cJSON *strip, const struct states_grid *w, const struct state_use *u)
{
	cJSON *layers = cJSON_AddArrayToObject(strip, "layers");

	for (int k = STATES_N - 1; k >= 0; k--) {
		struct buf path = {0};
		cJSON *one;
		if (!(u->of[k].s > 0))
			continue;
		one = model_json_row(layers);
		cJSON_AddStringToObject(one, "id", states_word((enum states_id)k));
		cJSON_AddStringToObject(one, "label", state_words[k].is);
		cJSON_AddStringToObject(one, "colour", state_words[k].colour);
		area_below(w, (enum states_id)k, &path);
		model_json_take(one, "path", &path);
	}
}

static void add_strip_table(cJSON *strip, const struct states_grid *w, const struct state_use *u)
{
	cJSON *heads = cJSON_AddArrayToObject(strip, "heads");
	cJSON *table = cJSON_AddArrayToObject(strip, "table");
	size_t each = (w->g.n + CHART_TABLE_ROWS - 1) / CHART_TABLE_ROWS;

	for (int k = 0; k < STATES_N; k++)
		if (u->of[k].s > 0)
			cJSON_AddStringToObject(model_json_row(heads), "label",
			                        state_words[k].name);
	for (size_t i = 0; i < w->g.n; i += each) {
		size_t before = i + each < w->g.n ? i + each : w->g.n;
		double s[STATES_N], all = sum_points(w, i, before, s);
		cJSON *row = model_json_row(table), *values;
		char time[UNITS_SIZE];
		chart_grid_time_text(&w->g, (double)(before - i) * w->g.step,
		                     w->g.from + (w->g.buckets ? (double)i * w->g.step : w->g.x[i]),
		                     time);
		cJSON_AddStringToObject(row, "time", time);
		values = cJSON_AddArrayToObject(row, "values");
		for (int k = 0; k < STATES_N; k++)
			if (u->of[k].s > 0)
				cJSON_AddStringToObject(model_json_row(values), "text",
				                        all > 0 ? UNITS_SHARE(s[k] / all) : "–");
	}
}

/* 0, or -1 without memory. *any: some point has a state. */
static int fill_states(struct states_grid *w, const struct run *run, bool *any)
{
	struct bucket *cells;

	*any = false;
	w->s = alloc_failed_note(calloc(w->g.n * STATES_N + 1, sizeof *w->s));
	for (int k = 0; w->s && k < STATES_N; k++) {
		const struct metric *m = &metrics[states_metric((enum states_id)k)];
		if (!run->stats[m->id].n)
			continue;
		cells = alloc_failed_note(calloc(w->g.n + 1, sizeof *cells));
		if (!cells)
			return -1;
		chart_grid_fill(cells, &w->g, run, m);
		for (size_t i = 0; i < w->g.n; i++) {
			double s = cells[i].n ? cells[i].sum : 0;
			w->s[i * STATES_N + (size_t)k] = s > 0 && isfinite(s) ? s : 0;
			*any |= s > 0;
		}
		free(cells);
	}
	return w->s ? 0 : -1;
}

int chart_states_add(cJSON *states, const struct run *run)
{
	struct states_grid w = {0};
	struct state_use u = state_use_of(run);
	bool any = false;
	cJSON *strip;
	int rc = 0;

	if (u.known && (chart_grid_make(&w.g, run) || fill_states(&w, run, &any)))
		rc = -1;
	strip = model_json_object_if(!rc && any, states, "strip");
	if (strip) {
		w.t = chart_svg_time(run, &w.g);
		model_json_number(strip, "from", w.t.from);
		model_json_number(strip, "span", w.t.span);
		model_json_number(strip, "width", CHART_STATES_W);
		model_json_number(strip, "height", CHART_STATES_H);
		chart_lines_times(cJSON_AddArrayToObject(strip, "ticks"), w.t.span);
		add_strip_layers(strip, &w, &u);
		add_strip_table(strip, &w, &u);
	}
	free(w.s);
	chart_grid_free(&w.g);
	return rc;
}
