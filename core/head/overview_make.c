/* overview_make: computes a recording's overview from its rows. */
#include "core/head/overview_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/head/overview.h"
#include "core/numbers/phase_sums.h"
#include "core/numbers/usage.h"
#include "core/recording/gaps.h"
#include "core/recording/written.h"

/* -- what it has besides its buckets ----------------------------------------------------------- */

struct overview_sums;

struct share {
	enum metric_id id;
	double from, to, all, between;
};

struct difference {
	struct written_cells all, part;
	double max, sum, seconds;
};

/* A column in all phases. */
struct phased {
	struct written_cells c;
	size_t first;
	struct phase_sums sums[PHASE_SUMS_NAMES_MAX];
};

struct overview_sums {
	const struct written *r;
	struct share share[OVERVIEW_SHARES_MAX];
	size_t shares;
	struct difference difference[OVERVIEW_PAIRS];
	struct written_cells cpu;
	struct phase_parts *parts;              /* NULL: no phases */
	struct phased (*phased)[METRIC_SCOPES]; /* by overview_phase_column; NULL: no phases */
	double last;                            /* phase_sums_time */
	double cells[WRITTEN_CHUNK], others[WRITTEN_CHUNK];
};

static void add_share(struct overview_sums *u, enum metric_id id, double from, double to)
{
	if (u->r->write[id] && u->r->stats[id].n && u->shares < OVERVIEW_SHARES_MAX)
		u->share[u->shares++] = (struct share){.id = id, .from = from, .to = to};
}

/* The cores that a report may take for all that the job was allowed. */
static void add_shares(struct overview_sums *u)
{
	double machine = u->r->s->server.vcpus, limit = u->r->s->limits.cpus;

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		enum metric_id id = usage_columns[USAGE_CPU].of[scope];
		add_share(u, id, USAGE_ONE_CORE_MIN, USAGE_ONE_CORE_MAX);
		if (machine > 0)
			add_share(u, id, USAGE_CPUS_BUSY * machine, INFINITY);
		if (limit > 0 && isfinite(limit) && !(limit >= machine))
			add_share(u, id, USAGE_CPUS_BUSY * limit, INFINITY);
	}
}

static double end_of_run(const struct written *r)
{
	enum metric_id time = r->stats[METRIC_PROCESS_TIMESTAMP].n ? METRIC_PROCESS_TIMESTAMP
	                                                           : METRIC_SYSTEM_TIMESTAMP;

	return isnan(r->s->meta.stop_time)
	           ? metric_spell(&metrics[time], r->schema, r->stats[time].max)
	           : r->s->meta.stop_time;
}

static void overview_sums_free(struct overview_sums *u)
{
	if (!u)
		return;
	free(u->parts);
	free(u->phased);
	free(u);
}

/* NULL with a sentence without memory. */
static struct overview_sums *overview_sums_new(const struct written *r, struct err *e)
{
	struct overview_sums *u = alloc_failed_note(calloc(1, sizeof *u));
	const struct phases *marked = r->s->phases;

	if (u && marked && marked->n) {
		u->parts = alloc_failed_note(calloc(1, sizeof *u->parts));
		u->phased = alloc_failed_note(calloc(OVERVIEW_PHASE_COLUMNS, sizeof *u->phased));
	}
	if (!u || (marked && marked->n && (!u->parts || !u->phased))) {
		overview_sums_free(u);
		err_set(e, "no memory for the overview");
		return NULL;
	}
	u->r = r;
	add_shares(u);
	for (size_t i = 0; i < OVERVIEW_PAIRS; i++)
		u->difference[i].max = NAN;
	if (u->parts)
		phase_sums_parts(u->parts, marked, end_of_run(r));
	return u;
}

static bool has_pair(const struct overview_sums *u, size_t i)
{
	return u->r->write[overview_pairs[i].all] && u->r->write[overview_pairs[i].part];
}

/* Begins with the columns of a scope, before the walk's first chunk; adds a chunk. 0, or -1. */
static int overview_sums_begin(struct overview_sums *u, enum metric_scope scope, struct err *e)
{
	for (size_t i = 0; i < OVERVIEW_PAIRS; i++) {
		struct difference *d = &u->difference[i];
		if (metrics[overview_pairs[i].all].scope == scope && has_pair(u, i) &&
		    (written_cells_open(&d->all, u->r, overview_pairs[i].all, e) ||
		     written_cells_open(&d->part, u->r, overview_pairs[i].part, e)))
			return -1;
	}
	for (int i = 0; u->phased && i < OVERVIEW_PHASE_COLUMNS; i++) {
		enum metric_id id = overview_phase_column(i, scope);
		if (id != METRIC_COUNT && written_cells_open(&u->phased[i][scope].c, u->r, id, e))
			return -1;
	}
	u->last = NAN;
	return written_cells_open(&u->cpu, u->r, usage_columns[USAGE_CPU].of[scope], e);
}

static int add_to_shares(struct overview_sums *u, const struct written_walk *w, struct err *e)
{
	if (written_cells_read(&u->cpu, w, u->cells, e))
		return -1;
	for (size_t k = 0; k < u->shares; k++) {
		struct share *s = &u->share[k];
		for (size_t i = 0; s->id == u->cpu.c.m->id && i < w->n; i++) {
			double v = u->cells[i], seconds = isnan(v) ? 0 : w->seconds[i];
			s->all += seconds;
			s->between += v >= s->from && v <= s->to ? seconds : 0;
		}
	}
	return 0;
}

static int add_to_difference(struct overview_sums *u, struct difference *d,
                             const struct written_walk *w, struct err *e)
{
	if (written_cells_read(&d->all, w, u->cells, e) ||
	    written_cells_read(&d->part, w, u->others, e))
		return -1;
	for (size_t i = 0; i < w->n; i++) {
		double v = u->cells[i] - u->others[i];
		if (isnan(v))
			continue;
		v = v > 0 ? v : 0;
		d->max = !(v <= d->max) ? v : d->max;
		d->sum += v * w->seconds[i];
		d->seconds += w->seconds[i];
	}
	return 0;
}

static int add_to_phases(struct overview_sums *u, const struct written_walk *w, struct err *e)
{
	double last = u->last;

	for (int k = 0; k < OVERVIEW_PHASE_COLUMNS; k++) {
		struct phased *p = &u->phased[k][w->scope];
		if (overview_phase_column(k, w->scope) == METRIC_COUNT)
			continue;
		if (written_cells_read(&p->c, w, u->cells, e))
			return -1;
		last = u->last;
		for (size_t i = 0; i < w->n; i++) {
			struct phase_sample s;
			if (!phase_sums_time(&last, w->t[i], w->seconds[i], &s))
				continue;
			s.value = phase_sums_value(p->c.c.m, u->cells[i], &s);
			if (!isnan(s.value))
				phase_sums_add(u->parts, p->sums, &s, &p->first);
		}
	}
	u->last = last;
	return 0;
}

static int overview_sums_add(struct overview_sums *u, const struct written_walk *w, struct err *e)
{
	for (size_t i = 0; i < OVERVIEW_PAIRS; i++)
		if (metrics[overview_pairs[i].all].scope == w->scope && has_pair(u, i) &&
		    add_to_difference(u, &u->difference[i], w, e))
			return -1;
	if (u->phased && add_to_phases(u, w, e))
		return -1;
	return add_to_shares(u, w, e);
}

/* -- the overview ------------------------------------------------------------------------------ */

static void keep_shares(const struct overview_sums *u, struct overview *v)
{
	for (size_t i = 0; i < u->shares; i++) {
		const struct share *s = &u->share[i];
		if (s->all > 0)
			v->share[v->n_shares++] =
			    (struct overview_share){s->id, s->from, s->to, s->between / s->all};
	}
}

static void keep_differences(const struct overview_sums *u, struct overview *v)
{
	for (size_t i = 0; i < OVERVIEW_PAIRS; i++) {
		const struct difference *d = &u->difference[i];
		if (d->seconds > 0)
			v->difference[v->n_differences++] = (struct overview_difference){
			    overview_pairs[i].all, overview_pairs[i].part, d->max,
			    d->sum / d->seconds};
	}
}

static void keep_phase(const struct overview_sums *u, struct overview_phase *p, size_t name)
{
	p->name = u->parts->name[name];
	for (int id = 0; id < METRIC_COUNT; id++)
		p->of[id] = (struct phase_stats){NAN, NAN, NAN, NAN};
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		for (int i = 0; i < OVERVIEW_PHASE_COLUMNS; i++) {
			enum metric_id id = overview_phase_column(i, (enum metric_scope)scope);
			if (id != METRIC_COUNT && (i < USAGES || u->r->write[id]))
				p->of[id] = phase_sums_stats(&u->phased[i][scope].sums[name]);
		}
}

/* Sets the shares, differences and phases of v, in the arena of s. The names of phases are borrowed
 * from the recording. 0, or -1 without memory. */
static int overview_sums_keep(const struct overview_sums *u, struct snapshot *s, struct overview *v,
                              struct err *e)
{
	size_t names = u->parts ? u->parts->names : 0;

	v->difference = snapshot_alloc(s, OVERVIEW_PAIRS * sizeof *v->difference);
	v->phase = names ? snapshot_alloc(s, names * sizeof *v->phase) : NULL;
	if (!v->difference || (names && !v->phase))
		return err_set(e, "no memory for the overview");
	keep_shares(u, v);
	keep_differences(u, v);
	for (; v->n_phases < names; v->n_phases++)
		keep_phase(u, &v->phase[v->n_phases], v->n_phases);
	return 0;
}

/* -- buckets ----------------------------------------------------------------------------------- */

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
