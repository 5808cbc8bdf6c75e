/* chart: columns → buckets → the series of the report's charts. */
#include "chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/buf.h"
#include "tree.h"

#define SERIES_MAX 8
/* In intervals: rows of tree and machine that are this near are one point; and where samples are
 * further apart, the line breaks. */
#define SAME_TIME 0.5
#define GAP       2.5

static const struct chart {
	enum metric_chart chart;
	const char *id, *title;
	enum tree_unit unit;
	bool gpu; /* shown only where the machine has GPUs */
} charts[] = {
    {METRIC_CHART_CPU, "cpu", "CPU", TREE_CORES, false},
    {METRIC_CHART_MEMORY, "memory", "Memory", TREE_BYTES, false},
    {METRIC_CHART_DISK_IO, "disk_io", "Disk I/O", TREE_RATE, false},
    {METRIC_CHART_SPACE, "disk_space", "Disk space", TREE_BYTES, false},
    {METRIC_CHART_NET, "network", "Network", TREE_RATE, false},
    {METRIC_CHART_GPU, "gpu", "GPU usage", TREE_GPUS, true},
    {METRIC_CHART_GPUS, "gpus", "GPUs in use", TREE_COUNT, true},
    {METRIC_CHART_VRAM, "vram", "GPU memory", TREE_BYTES, true},
};

/* The points of one chart: a grid of times, and of each series what fell on each point. */
struct cell {
	double min, max, sum;
	size_t n;
};

struct grid {
	double from, step; /* step: of a bucket, or the sampling interval */
	double gap;        /* where samples are further apart than this, the line breaks */
	bool buckets;      /* points are buckets of equal length, not samples */
	unsigned scopes;   /* that have a sample on the last point: bits */
	size_t n;
	double *x; /* seconds since from */
};

static enum metric_id time_of(enum metric_scope scope)
{
	return scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP : METRIC_SYSTEM_TIMESTAMP;
}

static const double *times(const struct run *run, enum metric_scope scope, size_t *n)
{
	const struct frame *f = &run->snapshot.rows[scope];
	const double *t = frame_col(f, time_of(scope));

	*n = t ? f->rows : 0;
	return t;
}

static double interval_of(const struct run *run)
{
	return run->interval > 0 ? run->interval : 1;
}

/* Whether the times are all there and ascend: else only buckets show them right. */
static bool ascends(const double *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(t[i]) || (i && t[i] <= t[i - 1]))
			return false;
	return true;
}

static void span(const struct run *run, double *from, double *to)
{
	*from = INFINITY;
	*to = -INFINITY;
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		size_t n;
		const double *t = times(run, (enum metric_scope)scope, &n);
		for (size_t i = 0; i < n; i++) {
			*from = t[i] < *from ? t[i] : *from;
			*to = t[i] > *to ? t[i] : *to;
		}
	}
}

static void bucket_grid(struct grid *g, double to, size_t rows)
{
	g->buckets = true;
	g->n = rows < CHART_POINTS_MAX ? rows : CHART_POINTS_MAX;
	g->step = to > g->from ? (to - g->from) / (double)g->n : 1;
	for (size_t i = 0; i < g->n; i++)
		g->x[i] = stats_round(((double)i + 0.5) * g->step, 3);
}

/* Adds a sample's time as a point, or joins it to the last one, if that has none of this scope: the
 * times of tree and machine differ slightly. Where samples are missing before it, there comes a
 * point on which every line breaks. */
static void add_point(struct grid *g, double t, unsigned scope)
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

static void sample_grid(struct grid *g, const struct run *run)
{
	size_t n[METRIC_SCOPES], at[METRIC_SCOPES] = {0};
	const double *t[METRIC_SCOPES] = {times(run, 0, &n[0]), times(run, 1, &n[1])};

	g->step = interval_of(run);
	while (at[0] < n[0] || at[1] < n[1]) {
		int scope = at[0] >= n[0] || (at[1] < n[1] && t[1][at[1]] < t[0][at[0]]);
		add_point(g, t[scope][at[scope]++], 1u << scope);
	}
}

/* How far apart samples usually are. The interval alone does not tell: a busy machine samples less
 * often than it was asked to. */
static double spacing(const struct run *run)
{
	double between[CHART_POINTS_MAX], interval = interval_of(run);
	size_t rows[METRIC_SCOPES], n = 0;
	const double *t[METRIC_SCOPES] = {times(run, 0, &rows[0]), times(run, 1, &rows[1])};
	int longer = rows[1] > rows[0];
	struct stats s;

	for (size_t i = 1; i < rows[longer] && n < CHART_POINTS_MAX; i++)
		if (t[longer][i] > t[longer][i - 1])
			between[n++] = t[longer][i] - t[longer][i - 1];
	return stats_of(between, n, &s, NULL) == 0 && s.p50 > interval ? s.p50 : interval;
}

/* Short, well-ordered runs show their samples; the others are put into buckets. */
static int make_grid(struct grid *g, const struct run *run)
{
	double to;
	bool plain = true;
	size_t rows = 0;

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		size_t n;
		const double *t = times(run, (enum metric_scope)scope, &n);
		plain = plain && n <= CHART_POINTS_MAX && ascends(t, n);
		rows = n > rows ? n : rows;
	}
	span(run, &g->from, &to);
	if (!(g->from <= to)) /* no time at all */
		return 0;
	g->gap = GAP * spacing(run);
	/* Each sample of either scope may bring a point where the line breaks. */
	g->x = malloc((size_t)METRIC_SCOPES * 2 * CHART_POINTS_MAX * sizeof *g->x);
	if (!g->x)
		return -1;
	if (plain)
		sample_grid(g, run);
	else
		bucket_grid(g, to, rows);
	return 0;
}

/* The point on which time t falls. */
static size_t point_of(const struct grid *g, double t, size_t hint)
{
	double at = t - g->from;

	if (g->buckets) {
		double i = at / g->step;
		return i >= (double)g->n ? g->n - 1 : i > 0 ? (size_t)i : 0;
	}
	while (hint + 1 < g->n && fabs(g->x[hint + 1] - at) < fabs(g->x[hint] - at))
		hint++;
	return hint;
}

static void put(struct cell *c, double v)
{
	if (isnan(v))
		return;
	c->min = c->n == 0 || v < c->min ? v : c->min;
	c->max = c->n == 0 || v > c->max ? v : c->max;
	c->sum += v;
	c->n++;
}

/* Amounts are shown as rates: over the time since the sample before, of the first one since the
 * start of the run, if that was less than an interval ago. */
static double elapsed(const struct run *run, const double *t, size_t i)
{
	double interval = interval_of(run), s = t[i] - (i ? t[i - 1] : run->start);

	return s > 0 && (i || s < interval) ? s : interval;
}

static void fill(struct cell *cells, const struct grid *g, const struct run *run,
                 const struct metric *m)
{
	size_t n, at = 0, next = 0; /* the first point that no sample has reached */
	const double *t = times(run, m->scope, &n);
	const double *col = frame_col(&run->snapshot.rows[m->scope], m->id);

	for (size_t i = 0; col && i < n; i++) {
		double v = m->kind == METRIC_KIND_DELTA ? col[i] / elapsed(run, t, i) : col[i];
		if (isnan(t[i]))
			continue;
		at = point_of(g, t[i], at);
		put(&cells[at], v);
		/* A bucket between two samples that miss it by a hair is no gap. */
		for (; next <= at; next++)
			if (g->buckets && next < at && i && t[i] - t[i - 1] <= g->gap)
				put(&cells[next], v);
	}
}

/* Four significant digits are more than a screen shows. */
static void add_value(cJSON *array, double v)
{
	char text[32];

	snprintf(text, sizeof text, "%.4g", v);
	tree_number(array, NULL, isnan(v) ? v : strtod(text, NULL));
}

enum what { MEAN, MIN, MAX };

static double value_of(const struct cell *c, enum what what)
{
	return !c->n         ? (double)NAN
	       : what == MIN ? c->min
	       : what == MAX ? c->max
	                     : c->sum / (double)c->n;
}

/* Is any bucket made of more than one sample? Else its extremes are its mean. */
static bool has_band(const struct cell *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cells[i].n > 1)
			return true;
	return false;
}

static void add_data(cJSON *chart, const struct grid *g, const struct cell *cells, size_t n_series)
{
	static const char *const names[] = {"mean", "min", "max"};
	bool band = has_band(cells, n_series * g->n);
	cJSON *data = cJSON_AddObjectToObject(chart, "data"), *x;

	tree_number(data, "from", g->from);
	tree_number(data, "step", g->step);
	x = cJSON_AddArrayToObject(data, "x");
	for (size_t i = 0; i < g->n; i++)
		tree_number(x, NULL, g->x[i]);
	for (int what = MEAN; what <= MAX; what++) {
		cJSON *all;
		if (what != MEAN && !band) {
			cJSON_AddNullToObject(data, names[what]);
			continue;
		}
		all = cJSON_AddArrayToObject(data, names[what]);
		for (size_t s = 0; s < n_series; s++) {
			cJSON *one = cJSON_CreateArray();
			cJSON_AddItemToArray(all, one);
			for (size_t i = 0; i < g->n; i++)
				add_value(one, value_of(&cells[s * g->n + i], (enum what)what));
		}
	}
}

/* The mean and the peak that the legend and the table show. Of rates, the mean is all bytes over
 * all the time, and the peak is that of a single sample. */
static void digest(const struct run *run, const struct metric *m, double *mean, double *max)
{
	size_t n;
	const double *t = times(run, m->scope, &n);
	const double *col = frame_col(&run->snapshot.rows[m->scope], m->id);
	double seconds = 0, sum = 0;

	*mean = run->stats[m->id].mean;
	*max = run->stats[m->id].max;
	if (m->kind != METRIC_KIND_DELTA)
		return;
	*mean = *max = NAN;
	for (size_t i = 0; col && i < n; i++) {
		double s = elapsed(run, t, i);
		if (isnan(col[i]) || isnan(t[i]))
			continue;
		seconds += s;
		sum += col[i];
		*max = isnan(*max) || col[i] / s > *max ? col[i] / s : *max;
	}
	if (seconds > 0)
		*mean = sum / seconds;
}

static void add_series(cJSON *array, struct buf *summary, const struct run *run,
                       const struct metric *m, enum tree_unit unit)
{
	char id[64], label[128], text[64], peak[64];
	bool tree = m->scope == METRIC_SCOPE_PROCESS;
	cJSON *s = cJSON_CreateObject(), *d;
	double mean, max;

	digest(run, m, &mean, &max);
	snprintf(id, sizeof id, "%s_%s", metric_scope_name(m->scope), m->name[SCHEMA_1]);
	snprintf(label, sizeof label, "%s: %s", tree ? "Tree" : "System", m->label);
	cJSON_AddStringToObject(s, "id", id);
	cJSON_AddStringToObject(s, "label", label);
	cJSON_AddStringToObject(s, "scope", tree ? "tree" : "system");
	d = cJSON_AddObjectToObject(s, "digest");
	tree_quantity(d, "mean", unit, mean);
	tree_quantity(d, "max", unit, max);
	cJSON_AddItemToArray(array, s);
	buf_printf(summary, "%s%s: mean %s, peak %s.", summary->len ? " " : "", label,
	           tree_text(unit, mean, NULL, text), tree_text(unit, max, NULL, peak));
}

/* The measured columns that belong to a chart, the tree's first. */
static size_t series_of(const struct run *run, enum metric_chart chart, const struct metric **out)
{
	size_t n = 0;

	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].chart == chart && run->stats[id].n && n < SERIES_MAX)
			out[n++] = &metrics[id];
	return n;
}

static int add_chart(cJSON *all, const struct chart *c, const struct run *run, const struct grid *g)
{
	const struct metric *m[SERIES_MAX];
	size_t n = g->n ? series_of(run, c->chart, m) : 0;
	struct cell *cells = calloc(n * g->n + 1, sizeof *cells);
	cJSON *chart = cJSON_CreateObject(), *series;
	struct buf summary = {0};

	if (!cells || !chart || !cJSON_AddItemToArray(all, chart)) {
		free(cells);
		return -1;
	}
	cJSON_AddStringToObject(chart, "id", c->id);
	cJSON_AddStringToObject(chart, "title", c->title);
	cJSON_AddStringToObject(chart, "unit", tree_unit_name(c->unit));
	cJSON_AddBoolToObject(chart, "known", n > 0);
	series = cJSON_AddArrayToObject(chart, "series");
	for (size_t i = 0; i < n; i++) {
		add_series(series, &summary, run, m[i], c->unit);
		fill(cells + i * g->n, g, run, m[i]);
	}
	cJSON_AddStringToObject(chart, "summary", n ? buf_cstr(&summary) : "Not measured.");
	add_data(chart, g, cells, n);
	buf_free(&summary);
	free(cells);
	return 0;
}

static bool has_gpus(const struct run *run)
{
	return run->snapshot.server.gpu_count > 0 || run->stats[METRIC_SYSTEM_GPU_VRAM].max > 0 ||
	       run->stats[METRIC_PROCESS_GPU_VRAM].max > 0;
}

cJSON *chart_all(const struct run *run)
{
	cJSON *all = cJSON_CreateArray();
	struct grid g = {0};
	int failed = !all || make_grid(&g, run);

	for (size_t i = 0; !failed && i < sizeof charts / sizeof *charts; i++)
		if (!charts[i].gpu || has_gpus(run))
			failed = add_chart(all, &charts[i], run, &g);
	free(g.x);
	if (failed) {
		cJSON_Delete(all);
		return NULL;
	}
	return all;
}
