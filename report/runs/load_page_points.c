/* load_page_points: the points of a page's charts in place of a recording's overview. */
#include "report/runs/load_page_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/metric.h"
#include "core/recording/overview.h"
#include "report/units/packed_points.h"

static const cJSON *member_at(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* The buckets of the first chart with points; all charts have the same. */
static void buckets_of_points(struct overview *o, const struct packed_points *p, bool even)
{
	double last = p->x[p->n - 1], n;

	o->step = even ? p->step : buckets_spacing(p->x, p->n, p->step);
	o->from = even ? p->from : p->from - o->step / 2;
	n = even ? (double)p->n : floor(last / o->step + 0.5) + 1;
	if (n > OVERVIEW_BUCKETS) {
		n = OVERVIEW_BUCKETS;
		o->step = (last + o->step) / n;
	}
	o->n = (size_t)n;
	o->gap = buckets_gap(o->step);
}

/* The mean over points that share a bucket is that of their means. */
static void put_point(double *cells[4], size_t at, double mean, double min, double max,
                      double seconds)
{
	double had = cells[3][at], all = had + seconds;

	cells[0][at] = had > 0 ? fmin(cells[0][at], min) : min;
	cells[1][at] = had > 0 ? (cells[1][at] * had + mean * seconds) / all : mean;
	cells[2][at] = had > 0 ? fmax(cells[2][at], max) : max;
	cells[3][at] = all;
}

static void put_column(struct overview *o, const struct packed_points *p, size_t series,
                       double *cells[4], double factor)
{
	const double *mean = packed_points_cells(p, series, PACKED_POINTS_MEAN);
	const double *min = packed_points_cells(p, series, PACKED_POINTS_MIN);
	const double *max = packed_points_cells(p, series, PACKED_POINTS_MAXIMUM);

	for (size_t i = 0; i < o->n; i++)
		cells[0][i] = cells[1][i] = cells[2][i] = NAN;
	for (size_t i = 0; i < p->n; i++) {
		double at = floor((p->from + p->x[i] - o->from) / o->step);
		if (!isnan(mean[i]) && at >= 0 && at < (double)o->n)
			put_point(cells, (size_t)at, mean[i] * factor, min[i] * factor,
			          max[i] * factor, o->step);
	}
}

static double digest_of(const cJSON *series, const char *what)
{
	const cJSON *v = member_at(member_at(member_at(series, "digest"), what), "value");

	return cJSON_IsNumber(v) ? v->valuedouble : (double)NAN;
}

static void add_series(struct snapshot *s, struct overview *o, const struct packed_points *p,
                       size_t at, const cJSON *series)
{
	const char *name = cJSON_GetStringValue(member_at(series, "id"));
	enum metric_id id = name ? metric_of_column(name) : METRIC_COUNT;
	struct overview_column *c;
	double *cells[4];

	if (id == METRIC_COUNT || o->column[id].mean)
		return;
	c = &o->column[id];
	for (size_t i = 0; i < 4; i++) {
		cells[i] = snapshot_alloc(s, o->n * sizeof **cells);
		if (!cells[i])
			return;
	}
	put_column(o, p, at, cells, metrics[id].unit == METRIC_UNIT_SHARE ? 0.01 : 1);
	*c = (struct overview_column){cells[0],
	                              cells[1],
	                              cells[2],
	                              cells[3],
	                              digest_of(series, "mean"),
	                              digest_of(series, "max")};
}

static void add_chart(struct snapshot *s, struct overview *o, const cJSON *chart)
{
	const cJSON *packed = member_at(chart, "packed"), *one;
	struct packed_points p;
	size_t i = 0;

	if (packed_points_read(packed, &p))
		return;
	if (!o->n)
		buckets_of_points(o, &p, !cJSON_IsArray(member_at(packed, "x")));
	cJSON_ArrayForEach (one, member_at(chart, "series")) {
		if (i < p.series)
			add_series(s, o, &p, i, one);
		i++;
	}
	packed_points_free(&p);
}

void load_page_points(struct snapshot *s, const cJSON *model)
{
	struct overview *o = snapshot_alloc(s, sizeof *o);
	const cJSON *chart;

	if (!o)
		return;
	cJSON_ArrayForEach (chart, member_at(model, "charts"))
		add_chart(s, o, chart);
	if (o->n)
		s->overview = o;
}
