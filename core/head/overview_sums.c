/* overview_sums: what an overview has besides its buckets. */
#include "core/head/overview_sums.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/phase_sums.h"
#include "core/numbers/usage.h"

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

struct overview_sums *overview_sums_new(const struct written *r, struct err *e)
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

int overview_sums_begin(struct overview_sums *u, enum metric_scope scope, struct err *e)
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

int overview_sums_add(struct overview_sums *u, const struct written_walk *w, struct err *e)
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

int overview_sums_keep(const struct overview_sums *u, struct snapshot *s, struct overview *v,
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

void overview_sums_free(struct overview_sums *u)
{
	if (!u)
		return;
	free(u->parts);
	free(u->phased);
	free(u);
}
