/* overview_make: computes a recording's overview from its rows. */
#include "core/head/overview_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/head/overview.h"
#include "core/head/overview_sums.h"
#include "core/recording/gaps.h"
#include "core/recording/written.h"

#define GROUP 6 /* columns that are computed in one walk */

_Static_assert(2 * BUCKETS_MAX <= WRITTEN_CHUNK, "make_buckets reads so many time stamps");

struct bucketed {
	struct written_cells c;
	struct bucket b[BUCKETS_MAX];
	double amount, seconds, rate_max; /* of an amount, over the whole run */
};

struct work {
	const struct written *r;
	struct snapshot *s; /* its arena has the overview */
	struct overview *v;
	struct buckets buckets;
	struct written_walk walk;
	struct bucket time[BUCKETS_MAX]; /* of all rows of the walk */
	double seconds[BUCKETS_MAX];     /* of all rows of the first scope */
	struct bucketed column[GROUP];
	size_t n;
	double cells[WRITTEN_CHUNK];
};

/* The first and the last time stamp of both scopes, and how far they are apart. */
static int make_buckets(struct work *w, struct err *e)
{
	static const enum metric_id ids[] = {METRIC_PROCESS_TIMESTAMP, METRIC_SYSTEM_TIMESTAMP};
	const struct written *r = w->r;
	double from = INFINITY, to = -INFINITY, first, last, *t = w->cells;
	size_t n = r->source->rows < 2 * BUCKETS_MAX ? r->source->rows : 2 * BUCKETS_MAX;
	struct written_column c;
	int longer = snapshot_tracks(r->s, METRIC_SCOPE_PROCESS) ? 0 : 1;

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		const struct metric *m = &metrics[ids[scope]];
		if (!snapshot_tracks(r->s, (enum metric_scope)scope))
			continue;
		first = metric_spell(m, r->schema, r->stats[m->id].min);
		last = metric_spell(m, r->schema, r->stats[m->id].max);
		from = first < from ? first : from;
		to = last > to ? last : to;
	}
	if (written_column_open(&c, r->source, ids[longer], r->schema, e) ||
	    written_column_read(&c, 0, n, t, e))
		return -1;
	w->buckets =
	    buckets_between(from, to, r->source->rows, buckets_spacing(t, n, r->s->meta.interval));
	return 0;
}

/* -- one walk ---------------------------------------------------------------------------------- */

static int add_chunk(struct work *w, struct bucketed *col, struct err *e)
{
	const struct written_walk *k = &w->walk;
	bool amount = col->c.c.m->kind == METRIC_KIND_DELTA;

	if (written_cells_read(&col->c, k, w->cells, e))
		return -1;
	for (size_t i = 0; i < k->n; i++) {
		double v = w->cells[i], s = k->seconds[i];
		if (isnan(v))
			continue;
		if (amount) {
			col->amount += v;
			col->seconds += s;
			v /= s;
			col->rate_max = !(v <= col->rate_max) ? v : col->rate_max;
		}
		buckets_add(col->b, k->first[i], k->at[i], v, s);
	}
	return 0;
}

/* Fills the buckets of the group's columns. sums, where given, gets the rows too. */
static int walk_group(struct work *w, enum metric_scope scope, struct overview_sums *sums,
                      struct err *e)
{
	int more;

	memset(w->time, 0, sizeof w->time);
	if (written_walk_begin(&w->walk, w->r, &w->buckets, scope, e) ||
	    (sums && overview_sums_begin(sums, scope, e)))
		return -1;
	while ((more = written_walk_next(&w->walk, e)) > 0) {
		const struct written_walk *k = &w->walk;
		for (size_t i = 0; i < k->n; i++)
			buckets_add(w->time, k->first[i], k->at[i], 0, k->seconds[i]);
		for (size_t i = 0; i < w->n; i++)
			if (add_chunk(w, &w->column[i], e))
				return -1;
		if (sums && overview_sums_add(sums, k, e))
			return -1;
	}
	return more;
}

/* -- the overview ------------------------------------------------------------------------------ */

/* Sums of the same rows are often the same: then the columns share them. Digits after the twelfth
 * are errors of sums. NULL without memory. */
static const double *keep_seconds(struct work *w, const struct bucket *b)
{
	size_t n = w->buckets.n, same = 0;
	double *v;

	while (w->v->seconds && same < n && b[same].seconds == w->seconds[same])
		same++;
	if (same == n)
		return w->v->seconds;
	v = snapshot_alloc(w->s, n * sizeof *v);
	for (size_t i = 0; v && i < n; i++)
		v[i] = stats_digits(b[i].seconds, OVERVIEW_DIGITS);
	return v;
}

/* A copy of v, or same if that is the same: many columns are 0 throughout. */
static const double *keep_series(struct work *w, const double *v, const double *same)
{
	size_t bytes = w->buckets.n * sizeof *v;
	double *out;

	if (same && memcmp(v, same, bytes) == 0)
		return same;
	out = snapshot_alloc(w->s, bytes);
	if (out)
		memcpy(out, v, bytes);
	return out;
}

static int keep_column(struct work *w, const struct bucketed *col, struct err *e)
{
	struct overview_column *c = &w->v->column[col->c.c.m->id];
	double min[BUCKETS_MAX], mean[BUCKETS_MAX], max[BUCKETS_MAX];

	for (size_t i = 0; i < w->buckets.n; i++) {
		const struct bucket *b = &col->b[i];
		min[i] = b->n ? b->min : (double)NAN;
		mean[i] = b->n ? buckets_mean(b) : (double)NAN;
		max[i] = b->n ? b->max : (double)NAN;
	}
	c->seconds = keep_seconds(w, col->b);
	c->min = keep_series(w, min, NULL);
	c->mean = keep_series(w, mean, c->min);
	c->max = keep_series(w, max, c->min);
	if (!c->seconds || !c->min || !c->mean || !c->max)
		return err_set(e, "no memory for the overview");
	c->rate_mean = col->amount / col->seconds;
	c->rate_max = col->rate_max;
	return 0;
}

static int make_group(struct work *w, enum metric_scope scope, struct overview_sums *sums,
                      struct err *e)
{
	if (walk_group(w, scope, sums, e))
		return -1;
	if (!w->v->seconds) {
		w->v->seconds = keep_seconds(w, w->time);
		for (size_t i = 0; i < w->buckets.n; i++)
			w->seconds[i] = w->time[i].seconds;
	}
	if (!w->v->seconds)
		return err_set(e, "no memory for the overview");
	for (size_t i = 0; i < w->n; i++)
		if (keep_column(w, &w->column[i], e))
			return -1;
	w->n = 0;
	return 0;
}

/* The scope's last group takes the sums too. */
static int make_scope(struct work *w, enum metric_scope scope, struct overview_sums *sums,
                      struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		struct bucketed *col = &w->column[w->n];
		if (m->scope != scope || !overview_has_column(m) || !w->r->write[id])
			continue;
		*col = (struct bucketed){.rate_max = NAN};
		if (written_cells_open(&col->c, w->r, m->id, e) ||
		    (++w->n == GROUP && make_group(w, scope, NULL, e)))
			return -1;
	}
	return make_group(w, scope, sums, e);
}

static int make_all(struct work *w, struct overview_sums *sums, struct err *e)
{
	w->v = snapshot_alloc(w->s, sizeof *w->v);
	if (!w->v)
		return err_set(e, "no memory for the overview");
	w->v->from = w->buckets.from;
	w->v->step = w->buckets.step;
	w->v->gap = w->buckets.gap;
	w->v->n = w->buckets.n;
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (snapshot_tracks(w->r->s, (enum metric_scope)scope) &&
		    make_scope(w, (enum metric_scope)scope, sums, e))
			return -1;
	return overview_sums_keep(sums, w->s, w->v, e);
}

static bool can_have_one(const struct written *r)
{
	return r->source->rows && !gaps_rows(r->s) && r->s->meta.interval > 0 &&
	       (r->s->meta.track_processes || r->s->meta.track_system);
}

int overview_make(struct snapshot *s, const struct written *r, const struct overview **out,
                  struct err *e)
{
	struct overview_sums *sums;
	struct work *w;
	int failed = -1;

	*out = NULL;
	if (!can_have_one(r))
		return 0;
	w = alloc_failed_note(calloc(1, sizeof *w));
	sums = overview_sums_new(r, e);
	if (!w)
		err_set(e, "no memory for the overview");
	if (w && sums) {
		w->r = r;
		w->s = s;
		failed = make_buckets(w, e);
		if (!failed && isfinite(w->buckets.from) && isfinite(w->buckets.step))
			failed = make_all(w, sums, e);
		*out = failed ? NULL : w->v;
	}
	overview_sums_free(sums);
	free(w);
	return failed;
}
