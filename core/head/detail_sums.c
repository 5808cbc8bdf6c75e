/* detail_sums: what a report shows of each series of --detail. */
#include "core/head/detail_sums.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/recording/snapshot_source.h"

#define TIME_MAX 1e12 /* a time, or a length of time, that can be */
#define GROUP    4    /* series that are computed in one walk */

_Static_assert(2 * BUCKETS_MAX <= WRITTEN_CHUNK, "detail_buckets reads so many time stamps");

bool detail_sums_valid(const struct detail_series *v)
{
	return v->mean >= 0 && v->mean <= v->max && isfinite(v->max) &&
	       (isnan(v->busy) || (v->busy >= 0 && v->busy <= 1)) && !(v->sum < 0) &&
	       !(v->first < 0) && !(v->last < 0);
}

bool detail_sums_valid_time(double from, double step)
{
	return from >= 0 && from <= TIME_MAX && step > 0 && step <= TIME_MAX;
}

struct summed {
	struct detail_series s;
	enum metric_id id;
	double weighted, seconds,
	    busy_s; /* weighted: of values × seconds; of an amount: the total */
	struct bucket b[BUCKETS_MAX];
};

struct detail_work {
	const struct written *r;
	struct buckets buckets;
	struct written_walk walk;
	struct summed series[GROUP];
	size_t n;
	double cells[WRITTEN_CHUNK], points[BUCKETS_MAX];
};

static int detail_buckets(struct detail_work *w, struct err *e)
{
	const struct snapshot_source *rows = w->r->source;
	size_t n = rows->rows < 2 * BUCKETS_MAX ? rows->rows : 2 * BUCKETS_MAX;
	struct written_column c;
	double last, spacing;

	if (written_column_open(&c, rows, METRIC_SYSTEM_TIMESTAMP, w->r->schema, e) ||
	    written_column_read(&c, rows->rows - 1, 1, &last, e) ||
	    written_column_read(&c, 0, n, w->cells, e))
		return -1;
	/* Half a row more on both sides, so that the rows of a short recording are in the middle of
	 * their buckets. */
	spacing = buckets_spacing(w->cells, n, w->r->s->meta.interval);
	w->buckets =
	    buckets_between(w->cells[0] - spacing / 2, last + spacing / 2, rows->rows, spacing);
	return 0;
}

static void sum_cell(struct summed *s, const struct written_walk *k, size_t i, double v)
{
	double seconds = k->seconds[i], level = v;

	if (detail_kinds[s->s.kind].measure[s->s.measure].kind == METRIC_KIND_DELTA) {
		level = v / seconds;
		s->weighted += v;
	} else {
		s->weighted += v * seconds;
	}
	s->s.first = s->s.n > 0 ? s->s.first : v;
	s->s.last = v;
	s->s.max = s->s.n > 0 && s->s.max >= level ? s->s.max : level;
	s->s.n++;
	s->seconds += seconds;
	s->busy_s += v >= DETAIL_BUSY ? seconds : 0;
	buckets_add(s->b, k->first[i], k->at[i], level, seconds);
}

/* Adds the rows to the group's series. */
static int walk_series(struct detail_work *w, struct err *e)
{
	const struct snapshot_source *rows = w->r->source;
	const struct written_walk *k = &w->walk;
	int more;

	if (written_walk_begin(&w->walk, w->r, &w->buckets, METRIC_SCOPE_SYSTEM, e))
		return -1;
	while ((more = written_walk_next(&w->walk, e)) > 0)
		for (size_t s = 0; s < w->n; s++) {
			if (rows->fetch(rows->ctx, w->series[s].id, k->from, k->n, w->cells, e))
				return -1;
			for (size_t i = 0; i < k->n; i++)
				if (isfinite(w->cells[i]))
					sum_cell(&w->series[s], k, i, w->cells[i]);
		}
	return more;
}

static void finish_series(struct detail_work *w, struct summed *s, const struct detail_sums_to *to)
{
	enum metric_kind kind = detail_kinds[s->s.kind].measure[s->s.measure].kind;

	if (!(s->s.n > 0))
		return;
	s->s.mean = s->weighted / s->seconds;
	/* By rounding it may be above. */
	s->s.mean = s->s.mean > s->s.max ? s->s.max : s->s.mean;
	s->s.sum = kind == METRIC_KIND_DELTA ? s->weighted : (double)NAN;
	s->s.busy = kind == METRIC_KIND_RATE ? s->busy_s / s->seconds : (double)NAN;
	if (kind != METRIC_KIND_GAUGE)
		s->s.first = s->s.last = NAN;
	for (size_t i = 0; i < w->buckets.n; i++)
		w->points[i] = buckets_mean(&s->b[i]);
	s->s.points = w->points;
	to->each(to->ctx, &s->s);
}

static int sum_group(struct detail_work *w, const struct detail_sums_to *to, struct err *e)
{
	if (walk_series(w, e))
		return -1;
	for (size_t i = 0; i < w->n; i++)
		finish_series(w, &w->series[i], to);
	w->n = 0;
	return 0;
}

static int sum_devices(struct detail_work *w, const struct detail_sums_to *to, struct err *e)
{
	const struct detail_devices *d = w->r->s->devices;

	if (detail_buckets(w, e))
		return -1;
	to->begin(to->ctx, &w->buckets);
	for (size_t i = 0; i < d->n; i++)
		for (size_t m = 0; m < detail_kinds[d->v[i].kind].cells; m++) {
			w->series[w->n++] = (struct summed){
			    .s = {.kind = d->v[i].kind, .measure = m, .device = d->v[i].name},
			    .id = DETAIL_CELL(d->v[i].cell + m)};
			if (w->n == GROUP && sum_group(w, to, e))
				return -1;
		}
	return w->n ? sum_group(w, to, e) : 0;
}

int detail_sums(const struct written *r, const struct detail_sums_to *to, struct err *e)
{
	struct detail_work *w = alloc_failed_note(calloc(1, sizeof *w));
	int failed;

	if (!w)
		return err_set(e, "no memory for the detail");
	w->r = r;
	failed = r->source->rows ? sum_devices(w, to, e) : 0;
	free(w);
	return failed;
}

/* -- of a journal ------------------------------------------------------------------------------ */

struct kept {
	struct snapshot *s;
	struct detail *d;
};

static void keep_buckets(void *ctx, const struct buckets *b)
{
	struct kept *k = ctx;

	k->d->from = b->from;
	k->d->step = b->step;
	k->d->buckets = detail_sums_valid_time(b->from, b->step) ? b->n : 0;
	if (k->d->buckets)
		k->s->detail = k->d;
}

static void keep_series(void *ctx, const struct detail_series *series)
{
	struct kept *k = ctx;
	double *points;

	if (!k->s->detail || !detail_sums_valid(series) || k->d->n == DETAIL_CELLS_MAX)
		return;
	points = snapshot_alloc(k->s, k->d->buckets * sizeof *points);
	if (!points)
		return;
	for (size_t i = 0; i < k->d->buckets; i++)
		points[i] = series->points[i] >= 0 ? series->points[i] : (double)NAN;
	k->d->v[k->d->n] = *series;
	k->d->v[k->d->n++].points = points;
}

int detail_sums_of_journal(struct snapshot *s, struct err *e)
{
	struct snapshot_source rows = snapshot_source_of(s);
	const struct written all = {.s = s, .source = &rows, .schema = SCHEMA_1};
	struct kept k = {s, s->devices && s->devices->n ? snapshot_alloc(s, sizeof *k.d) : NULL};

	if (!k.d)
		return 0; /* nothing to do, or no memory: alloc_failed() says which */
	return detail_sums(&all, &(struct detail_sums_to){keep_buckets, keep_series, &k}, e);
}
