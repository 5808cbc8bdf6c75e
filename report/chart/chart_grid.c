/* chart_grid: the points on the time axis that all charts of a run share, and the values there. */
#include "report/chart/chart_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "core/head/overview.h"
#include "core/numbers/stats.h"
#include "core/recording/elapsed.h"
#include "report/runs/run_buckets.h"
#include "report/units/units.h"

/* In sampling intervals. */
#define SAME_TIME 0.5 /* rows of job and machine up to this far apart share a point */

/* Whether all times are known and ascending; otherwise only buckets can show them. */
static bool ascends(const double *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(t[i]) || (i && t[i] <= t[i - 1]))
			return false;
	return true;
}

static void bucket_grid(struct chart_grid *g, const struct buckets *b)
{
	g->buckets = true;
	g->n = b->n;
	g->step = b->step;
	for (size_t i = 0; i < g->n; i++)
		g->x[i] = stats_round(((double)i + 0.5) * g->step, 3);
}

/* The buckets are those that the rows would have been put into. */
static int overview_grid(struct chart_grid *g, const struct overview *o)
{
	g->x = alloc_failed_note(malloc((o->n + 1) * sizeof *g->x));
	if (!g->x)
		return -1;
	g->from = o->from;
	g->gap = o->gap;
	bucket_grid(g, &(struct buckets){.step = o->step, .n = o->n});
	return 0;
}

/* Adds a sample's time as a point, or uses the last point if that is near and has no sample of this
 * scope: the times of job and machine differ slightly. If samples are missing before it, adds an
 * empty point first, at which every line breaks. */
static void add_sample_time(struct chart_grid *g, double t, unsigned scope)
{
	double last = g->n ? g->x[g->n - 1] : -INFINITY, at = stats_round(t - g->from, 3);
	bool near = at - last <= SAME_TIME * g->step && !(g->scopes & scope);

	if (near || at <= last) {
		g->scopes |= scope;
		return;
	}
	if (g->n && at - last > g->gap)
		g->x[g->n++] = stats_round(last + g->step, 3);
	g->x[g->n++] = at;
	g->scopes = scope;
}

static void sample_grid(struct chart_grid *g, const struct run *run)
{
	size_t n[METRIC_SCOPES], at[METRIC_SCOPES] = {0};
	const double *t[METRIC_SCOPES] = {run_times(run, 0, &n[0]), run_times(run, 1, &n[1])};

	g->step = run_interval(run);
	while (at[0] < n[0] || at[1] < n[1]) {
		int scope = at[0] >= n[0] || (at[1] < n[1] && t[1][at[1]] < t[0][at[0]]);
		add_sample_time(g, t[scope][at[scope]++], 1u << scope);
	}
}

/* Short runs with ascending times show their samples; all others are put into buckets. */
int chart_grid_make(struct chart_grid *g, const struct run *run)
{
	bool plain = true;
	struct buckets b;

	if (run->snapshot.overview)
		return overview_grid(g, run->snapshot.overview);
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		size_t n;
		const double *t = run_times(run, (enum metric_scope)scope, &n);
		plain = plain && n <= CHART_POINTS_MAX && ascends(t, n);
	}
	b = run_buckets(run);
	if (!b.n) /* no known time */
		return 0;
	g->from = b.from;
	g->gap = b.gap;
	/* Each sample of either scope may add a second point, at which lines break. */
	g->x =
	    alloc_failed_note(malloc((size_t)METRIC_SCOPES * 2 * CHART_POINTS_MAX * sizeof *g->x));
	if (!g->x)
		return -1;
	if (plain)
		sample_grid(g, run);
	else
		bucket_grid(g, &b);
	return 0;
}

/* The point of time t among samples. hint: the point of the previous sample. */
static size_t point_of(const struct chart_grid *g, double t, size_t hint)
{
	double at = t - g->from;

	while (hint + 1 < g->n && fabs(g->x[hint + 1] - at) < fabs(g->x[hint] - at))
		hint++;
	return hint;
}

static double factor_of(const struct metric *m)
{
	return m->unit == METRIC_UNIT_SHARE ? 100 : 1;
}

/* NULL: its rows have it, if anything. */
static const struct overview_column *column_in_overview(const struct run *run,
                                                        const struct metric *m)
{
	const struct overview *o = run->snapshot.overview;

	return o && o->column[m->id].mean ? &o->column[m->id] : NULL;
}

static void fill_from_overview(struct bucket *cells, size_t n, const struct overview_column *c,
                               double factor)
{
	for (size_t i = 0; i < n; i++)
		if (!isnan(c->mean[i]))
			cells[i] = (struct bucket){.min = c->min[i] * factor,
			                           .max = c->max[i] * factor,
			                           .sum = c->mean[i] * factor * c->seconds[i],
			                           .seconds = c->seconds[i],
			                           .n = 1};
}

static void fill_from_rows(struct bucket *cells, const struct chart_grid *g, const struct run *run,
                           const struct metric *m)
{
	size_t n, at = 0, first = 0;
	const double *t = run_times(run, m->scope, &n);
	const double *col = frame_col(&run->snapshot.rows[m->scope], m->id);
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, m->scope);
	const struct buckets b = {.from = g->from, .step = g->step, .gap = g->gap, .n = g->n};
	struct buckets_walk walk = {.before = NAN};
	double factor = factor_of(m);

	for (size_t i = 0; col && i < n; i++) {
		double s = elapsed_at(&rows, i);
		double v = m->kind == METRIC_KIND_DELTA ? col[i] / s : col[i] * factor;
		if (!g->buckets) /* then all times are known */
			buckets_add_one(&cells[at = point_of(g, t[i], at)], v, s);
		else if (buckets_place(&b, &walk, t[i], &first, &at))
			buckets_add(cells, first, at, v, s);
	}
	frame_rest(&run->snapshot.rows[m->scope]);
}

void chart_grid_fill(struct bucket *cells, const struct chart_grid *g, const struct run *run,
                     const struct metric *m)
{
	const struct overview_column *c = column_in_overview(run, m);

	if (c)
		fill_from_overview(cells, g->n, c, factor_of(m));
	else
		fill_from_rows(cells, g, run, m);
}

/* Mean and maximum of a column's rows; an amount counts as a rate. */
static void digest_rows(const struct run *run, const struct metric *m, double *mean, double *max)
{
	size_t n;
	const double *t = run_times(run, m->scope, &n);
	const double *col = frame_col(&run->snapshot.rows[m->scope], m->id);
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, m->scope);
	double seconds = 0, sum = 0;

	*mean = *max = NAN;
	for (size_t i = 0; col && i < n; i++) {
		double s = elapsed_at(&rows, i);
		if (isnan(col[i]) || isnan(t[i]))
			continue;
		seconds += s;
		sum += col[i];
		*max = isnan(*max) || col[i] / s > *max ? col[i] / s : *max;
	}
	if (seconds > 0)
		*mean = sum / seconds;
	frame_rest(&run->snapshot.rows[m->scope]);
}

void chart_grid_digest(const struct run *run, const struct metric *m, double *mean, double *max)
{
	const struct overview_column *c = column_in_overview(run, m);

	if (m->kind != METRIC_KIND_DELTA) {
		*mean = run->stats[m->id].mean * factor_of(m);
		*max = run->stats[m->id].max * factor_of(m);
		if (m->id == METRIC_PROCESS_CPU_USAGE && isnan(*max))
			*max = run->cores_sampled;
	} else if (c) {
		*mean = c->rate_mean;
		*max = c->rate_max;
	} else {
		digest_rows(run, m, mean, max);
	}
}

void chart_grid_time_text(const struct chart_grid *g, double each, double at, char out[UNITS_SIZE])
{
	char text[UNITS_SIZE];
	bool days = g->n && g->x[g->n - 1] > QUANTITY_DAY_S;
	size_t length = strlen(units_time_text(at, text)); /* 2026-11-21 06:51:51 UTC */

	if (length < 19)
		snprintf(out, UNITS_SIZE, "unknown");
	else if (days)
		snprintf(out, UNITS_SIZE, "%.11s", text + 5);
	else if (each < 1)
		snprintf(out, UNITS_SIZE, "%.8s.%02d", text + 11, (int)(fmod(at, 1) * 100) % 100);
	else
		snprintf(out, UNITS_SIZE, "%.8s", text + 11);
}

void chart_grid_free(struct chart_grid *g)
{
	free(g->x);
	*g = (struct chart_grid){0};
}
