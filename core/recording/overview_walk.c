/* overview_walk: the rows of one scope as a reader of the file will have them. */
#include "core/recording/overview_walk.h"

#include <math.h>

#include "core/numbers/usage.h"
#include "core/recording/snapshot_units.h"

bool overview_walk_tracked(const struct snapshot *s, enum metric_scope scope)
{
	return scope == METRIC_SCOPE_PROCESS ? s->meta.track_processes : s->meta.track_system;
}

int overview_walk_begin(struct overview_walk *w, const struct overview_rows *r,
                        const struct buckets *b, enum metric_scope scope, struct err *e)
{
	enum metric_id time =
	    scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP : METRIC_SYSTEM_TIMESTAMP;

	w->r = r;
	w->buckets = b;
	w->scope = scope;
	w->rule = elapsed_written(r->s);
	w->place = (struct buckets_walk){.before = NAN};
	w->before = w->rule.start;
	w->from = w->n = 0;
	return written_column_open(&w->time, r->source, time, r->schema, e);
}

static int cell_at(const struct overview_walk *w, enum metric_id id, size_t row, double *out,
                   struct err *e)
{
	struct written_column c;

	return written_column_open_at(&c, w->r->source, id, w->r->schema, row, e) ||
	               written_column_read(&c, row, 1, out, e)
	           ? -1
	           : 0;
}

/* As elapsed_at does it for a reader. */
static int awake_in_row(const struct overview_walk *w, size_t row, double *seconds, struct err *e)
{
	static const enum metric_id ids[METRIC_SCOPES][2] = {
	    {METRIC_PROCESS_UTIME, METRIC_PROCESS_STIME},
	    {METRIC_SYSTEM_UTIME, METRIC_SYSTEM_STIME},
	};
	enum metric_scope from =
	    overview_walk_tracked(w->r->s, METRIC_SCOPE_SYSTEM) ? METRIC_SCOPE_SYSTEM : w->scope;
	double utime, stime, cores;

	if (cell_at(w, ids[from][0], row, &utime, e) || cell_at(w, ids[from][1], row, &stime, e) ||
	    cell_at(w, usage_columns[USAGE_CPU].of[from], row, &cores, e))
		return -1;
	*seconds = elapsed_awake(*seconds, utime + stime, cores);
	return 0;
}

static void place_row(struct overview_walk *w, size_t i)
{
	size_t first = 1, at = 0; /* in no bucket */

	if (!buckets_place(w->buckets, &w->place, w->t[i], &first, &at)) {
		first = 1;
		at = 0;
	}
	w->first[i] = (uint16_t)first;
	w->at[i] = (uint16_t)at;
}

int overview_walk_next(struct overview_walk *w, struct err *e)
{
	const struct snapshot_source *rows = w->r->source;
	size_t step =
	    rows->at_hand && rows->at_hand < OVERVIEW_CHUNK ? rows->at_hand : OVERVIEW_CHUNK;

	w->from += w->n;
	w->n = rows->rows - w->from < step ? rows->rows - w->from : step;
	if (!w->n)
		return 0;
	if (written_column_read(&w->time, w->from, w->n, w->t, e))
		return -1;
	for (size_t i = 0; i < w->n; w->before = w->t[i++]) {
		double s = elapsed_row(&w->rule, w->before, w->t[i], w->from + i == 0);
		if (elapsed_is_gap(&w->rule, s) && awake_in_row(w, w->from + i, &s, e))
			return -1;
		w->seconds[i] = s;
		place_row(w, i);
	}
	return 1;
}

/* -- columns ----------------------------------------------------------------------------------- */

static bool is_written_of_one_gpu(const struct overview_rows *r, snapshot_units_gpu single)
{
	for (size_t gpu = 0; single && gpu < METRIC_GPUS; gpu++)
		if (r->write[single(gpu)])
			return true;
	return false;
}

/* Whether all cells in the file are *v: on most machines many columns are 0 throughout. */
static bool is_constant(const struct overview_rows *r, const struct metric *m, double *v)
{
	const struct stats *s = &r->stats[m->id];

	*v = s->n ? s->min : 0;
	if (!isfinite(*v) || (s->n && s->min != s->max))
		return false;
	if (s->left == 0)
		return true;
	/* written_column.c fills in what was not measured. */
	return m->documented && (m->kind == METRIC_KIND_GAUGE || *v == 0);
}

int overview_cells_open(struct overview_cells *c, const struct overview_rows *r, enum metric_id id,
                        struct err *e)
{
	const struct metric *m = &metrics[id];
	snapshot_units_gpu single = snapshot_units_gpus_of(id);

	*c = (struct overview_cells){.c = {.m = m},
	                             .single = is_written_of_one_gpu(r, single) ? single : NULL};
	c->constant = is_constant(r, m, &c->value);
	c->value = metric_spell(m, r->schema, c->value) * metric_scale(m->unit, r->schema);
	return c->constant ? 0 : written_column_open(&c->c, r->source, id, r->schema, e);
}

/* The cells of a sum over GPUs in rows in which no single GPU was measured. */
static int blank_gpus_of_chunk(const struct overview_walk *w, snapshot_units_gpu single,
                               double out[OVERVIEW_CHUNK], struct err *e)
{
	double cells[OVERVIEW_CHUNK];
	bool measured[OVERVIEW_CHUNK] = {false};

	for (size_t gpu = 0; gpu < METRIC_GPUS; gpu++) {
		struct written_column c = {
		    .rows = w->r->source, .m = &metrics[single(gpu)], .schema = w->r->schema};
		if (!w->r->write[c.m->id])
			continue;
		if (written_column_read(&c, w->from, w->n, cells, e))
			return -1;
		for (size_t i = 0; i < w->n; i++)
			measured[i] = measured[i] || !isnan(cells[i]);
	}
	for (size_t i = 0; i < w->n; i++)
		out[i] = measured[i] ? out[i] : (double)NAN;
	return 0;
}

int overview_cells_read(struct overview_cells *c, const struct overview_walk *w,
                        double out[OVERVIEW_CHUNK], struct err *e)
{
	for (size_t i = 0; c->constant && i < w->n; i++)
		out[i] = c->value;
	if (!c->constant && written_column_read(&c->c, w->from, w->n, out, e))
		return -1;
	return c->single ? blank_gpus_of_chunk(w, c->single, out, e) : 0;
}
