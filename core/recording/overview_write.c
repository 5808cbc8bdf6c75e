/* overview_write: computes a recording's overview from its rows, and writes it. */
#include "core/recording/overview_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/recording/gaps.h"
#include "core/recording/overview.h"
#include "core/recording/overview_sums.h"
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
	struct buckets buckets;
	struct written_walk walk;
	struct bucket time[BUCKETS_MAX]; /* of all rows of the walk */
	double seconds[BUCKETS_MAX];     /* of all rows of the first scope */
	bool has_seconds;
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

/* -- writing ----------------------------------------------------------------------------------- */

/* With fewer digits, the four that a picture has would sometimes be others than those of the rows,
 * because they were rounded twice. */
#define DIGITS 12

/* One number where all are the same. */
static void write_series(struct json_write *j, const char *key, const double *v, size_t n)
{
	bool same = true;

	for (size_t i = 1; i < n; i++)
		same = same && v[i] == v[0];
	if (same && !isnan(v[0])) {
		json_write_num(j, key, v[0]);
		return;
	}
	json_write_array(j, key);
	for (size_t i = 0; i < n; i++)
		json_write_num(j, NULL, v[i]);
	json_write_array_end(j);
}

/* As the file has a cell; a rate is not a cell. */
static double extreme_in_unit(const struct work *w, const struct metric *m, double v)
{
	return m->kind == METRIC_KIND_DELTA
	           ? stats_digits(v / metric_scale(m->unit, w->r->schema), DIGITS)
	           : metric_spell(m, w->r->schema, v);
}

static double mean_in_unit(const struct work *w, const struct metric *m, const struct bucket *b)
{
	double mean = buckets_mean(b);

	return stats_digits(mean / metric_scale(m->unit, w->r->schema), DIGITS);
}

static void write_bucket_seconds(struct work *w, struct json_write *j, const struct bucket *b)
{
	double v[BUCKETS_MAX] = {0};
	bool same = true;

	for (size_t i = 0; i < w->buckets.n; i++) {
		v[i] = stats_digits(b[i].seconds, DIGITS);
		same = same && v[i] == w->seconds[i];
	}
	if (!w->has_seconds) {
		memcpy(w->seconds, v, sizeof v);
		w->has_seconds = true;
	} else if (!same) {
		write_series(j, OVERVIEW_KEY_SECONDS, v, w->buckets.n);
	}
}

static void write_bucketed(struct work *w, struct json_write *j, const struct bucketed *col)
{
	const struct metric *m = col->c.c.m;
	double v[BUCKETS_MAX] = {0}, scale = metric_scale(m->unit, w->r->schema);
	char name[METRIC_NAME_MAX];
	size_t n = w->buckets.n;

	json_write_object(j, metric_column_name(m->id, name));
	for (size_t i = 0; i < n; i++)
		v[i] = col->b[i].n ? extreme_in_unit(w, m, col->b[i].min) : (double)NAN;
	write_series(j, OVERVIEW_KEY_MIN, v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = mean_in_unit(w, m, &col->b[i]);
	write_series(j, OVERVIEW_KEY_MEAN, v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = col->b[i].n ? extreme_in_unit(w, m, col->b[i].max) : (double)NAN;
	write_series(j, OVERVIEW_KEY_MAX, v, n);
	write_bucket_seconds(w, j, col->b);
	if (m->kind == METRIC_KIND_DELTA) {
		json_write_num(j, OVERVIEW_KEY_RATE_MEAN, col->amount / col->seconds / scale);
		json_write_num(j, OVERVIEW_KEY_RATE_MAX, col->rate_max / scale);
	}
	json_write_object_end(j);
}

static int write_group(struct work *w, struct json_write *j, enum metric_scope scope,
                       struct overview_sums *sums, struct err *e)
{
	if (walk_group(w, scope, sums, e))
		return -1;
	if (!w->has_seconds)
		write_bucket_seconds(w, j, w->time); /* only keeps them */
	for (size_t i = 0; i < w->n; i++)
		write_bucketed(w, j, &w->column[i]);
	w->n = 0;
	return 0;
}

/* The scope's last group takes the sums too. */
static int write_scope_columns(struct work *w, struct json_write *j, enum metric_scope scope,
                               struct overview_sums *sums, struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		struct bucketed *col = &w->column[w->n];
		if (m->scope != scope || m->chart == METRIC_CHART_NONE || !w->r->write[id])
			continue;
		*col = (struct bucketed){.rate_max = NAN};
		if (written_cells_open(&col->c, w->r, m->id, e) ||
		    (++w->n == GROUP && write_group(w, j, scope, NULL, e)))
			return -1;
	}
	return write_group(w, j, scope, sums, e);
}

static int write_all(struct work *w, struct json_write *j, struct overview_sums *sums,
                     struct err *e)
{
	json_write_object(j, OVERVIEW_KEY);
	json_write_num(j, OVERVIEW_KEY_SCHEMA, w->r->schema);
	json_write_num(j, OVERVIEW_KEY_FROM, w->buckets.from);
	json_write_num(j, OVERVIEW_KEY_STEP, w->buckets.step);
	json_write_num(j, OVERVIEW_KEY_GAP, w->buckets.gap);
	json_write_num(j, OVERVIEW_KEY_BUCKETS, (double)w->buckets.n);
	json_write_object(j, OVERVIEW_KEY_COLUMNS);
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (snapshot_tracks(w->r->s, (enum metric_scope)scope) &&
		    write_scope_columns(w, j, (enum metric_scope)scope, sums, e))
			return -1;
	json_write_object_end(j);
	write_series(j, OVERVIEW_KEY_SECONDS, w->seconds, w->buckets.n);
	overview_sums_write(sums, j);
	json_write_object_end(j);
	return 0;
}

static bool can_have_one(const struct written *r)
{
	return r->source->rows && !gaps_rows(r->s) && r->s->meta.interval > 0 &&
	       (r->s->meta.track_processes || r->s->meta.track_system);
}

int overview_write(struct json_write *j, const struct written *r, struct err *e)
{
	struct overview_sums *sums;
	struct work *w;
	int failed = -1;

	if (!can_have_one(r))
		return 0;
	w = alloc_failed_note(calloc(1, sizeof *w));
	sums = overview_sums_new(r, e);
	if (!w)
		err_set(e, "no memory for the overview");
	if (w && sums) {
		w->r = r;
		failed = make_buckets(w, e);
		if (!failed && isfinite(w->buckets.from) && isfinite(w->buckets.step))
			failed = write_all(w, j, sums, e);
	}
	overview_sums_free(sums);
	free(w);
	return failed;
}
