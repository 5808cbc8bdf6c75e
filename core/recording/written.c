/* written: the rows of a recording as its file has them. */
#include "core/recording/written.h"

#include <math.h>

#include "core/numbers/usage.h"
#include "core/recording/snapshot_rows.h"

static bool is_held(const struct metric *m)
{
	return m->documented && m->kind == METRIC_KIND_GAUGE;
}

static int first_measured(struct written_column *c, struct err *e)
{
	const struct snapshot_source *rows = c->rows;
	double cells[WRITTEN_CHUNK];

	for (size_t from = 0; is_held(c->m) && from < rows->rows; from += WRITTEN_CHUNK) {
		size_t n = rows->rows - from < WRITTEN_CHUNK ? rows->rows - from : WRITTEN_CHUNK;
		if (rows->fetch(rows->ctx, c->m->id, from, n, cells, e))
			return -1;
		for (size_t i = 0; i < n; i++)
			if (isfinite(cells[i])) {
				c->held = cells[i];
				return 0;
			}
	}
	return 0;
}

int written_column_open(struct written_column *c, const struct snapshot_source *rows,
                        enum metric_id id, enum schema schema, struct err *e)
{
	*c = (struct written_column){.rows = rows, .m = &metrics[id], .schema = schema};
	return first_measured(c, e);
}

/* The same, at any row. */
static int column_open_at(struct written_column *c, const struct snapshot_source *rows,
                          enum metric_id id, enum schema schema, size_t row, struct err *e)
{
	*c = (struct written_column){.rows = rows, .m = &metrics[id], .schema = schema};
	for (; is_held(c->m) && row > 0; row--) {
		double cell;
		if (rows->fetch(rows->ctx, id, row - 1, 1, &cell, e))
			return -1;
		if (isfinite(cell)) {
			c->held = cell;
			return 0;
		}
	}
	return first_measured(c, e);
}

/* The number for a cell of a documented column that was not measured: other tools need a number,
 * and take means over all rows. A gauge keeps the value of the measurement before it, or before
 * the first one the first value. A delta is 0: nothing was counted. */
static double stand_in(struct written_column *c, double v)
{
	if (isfinite(v) && is_held(c->m))
		c->held = v;
	return isfinite(v) || !c->m->documented ? v : c->held;
}

void written_forget_stand_ins(const struct snapshot *s, enum metric_id id, struct stats *v)
{
	if (s->summary && metrics[id].documented && !s->summary[id].n && v->min == 0 && v->max == 0)
		*v = stats_none();
}

int written_column_spell(struct written_column *c, size_t from, size_t n, double *out,
                         struct err *e)
{
	if (c->rows->fetch(c->rows->ctx, c->m->id, from, n, out, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		double v = metric_spell(c->m, c->schema, stand_in(c, out[i]));
		out[i] = c->m->documented && !isfinite(v) ? 0 : v;
	}
	return 0;
}

int written_column_read(struct written_column *c, size_t from, size_t n, double *out, struct err *e)
{
	double scale = metric_scale(c->m->unit, c->schema);

	if (written_column_spell(c, from, n, out, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		out[i] *= scale;
		out[i] = isfinite(out[i]) ? out[i] : (double)NAN;
	}
	return 0;
}

/* -- rows -------------------------------------------------------------------------------------- */

int written_walk_begin(struct written_walk *w, const struct written *r, const struct buckets *b,
                       enum metric_scope scope, struct err *e)
{
	w->r = r;
	w->buckets = b;
	w->scope = scope;
	w->rule = elapsed_written(r->s);
	w->place = (struct buckets_walk){.before = NAN};
	w->before = w->rule.start;
	w->from = w->n = 0;
	return written_column_open(&w->time, r->source, metric_time_of(scope), r->schema, e);
}

static int cell_at(const struct written_walk *w, enum metric_id id, size_t row, double *out,
                   struct err *e)
{
	struct written_column c;

	return column_open_at(&c, w->r->source, id, w->r->schema, row, e) ||
	               written_column_read(&c, row, 1, out, e)
	           ? -1
	           : 0;
}

/* As elapsed_at does it for a reader. */
static int awake_in_row(const struct written_walk *w, size_t row, double *seconds, struct err *e)
{
	static const enum metric_id ids[METRIC_SCOPES][2] = {
	    {METRIC_PROCESS_UTIME, METRIC_PROCESS_STIME},
	    {METRIC_SYSTEM_UTIME, METRIC_SYSTEM_STIME},
	};
	enum metric_scope from =
	    snapshot_tracks(w->r->s, METRIC_SCOPE_SYSTEM) ? METRIC_SCOPE_SYSTEM : w->scope;
	double utime, stime, cores;

	if (cell_at(w, ids[from][0], row, &utime, e) || cell_at(w, ids[from][1], row, &stime, e) ||
	    cell_at(w, usage_columns[USAGE_CPU].of[from], row, &cores, e))
		return -1;
	*seconds = elapsed_awake(*seconds, utime + stime, cores);
	return 0;
}

static void place_row(struct written_walk *w, size_t i)
{
	size_t first = 1, at = 0; /* in no bucket */

	if (!buckets_place(w->buckets, &w->place, w->t[i], &first, &at)) {
		first = 1;
		at = 0;
	}
	w->first[i] = (uint16_t)first;
	w->at[i] = (uint16_t)at;
}

int written_walk_next(struct written_walk *w, struct err *e)
{
	const struct snapshot_source *rows = w->r->source;
	size_t step =
	    rows->at_hand && rows->at_hand < WRITTEN_CHUNK ? rows->at_hand : WRITTEN_CHUNK;

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

static bool is_written_of_one_gpu(const struct written *r, snapshot_rows_gpu single)
{
	for (size_t gpu = 0; single && gpu < METRIC_GPUS; gpu++)
		if (r->write[single(gpu)])
			return true;
	return false;
}

/* Whether all cells in the file are *v: on most machines many columns are 0 throughout. */
static bool is_constant(const struct written *r, const struct metric *m, double *v)
{
	const struct stats *s = &r->stats[m->id];

	*v = s->n ? s->min : 0;
	if (!isfinite(*v) || (s->n && s->min != s->max))
		return false;
	if (s->left == 0)
		return true;
	/* stand_in() fills in what was not measured. */
	return m->documented && (m->kind == METRIC_KIND_GAUGE || *v == 0);
}

int written_cells_open(struct written_cells *c, const struct written *r, enum metric_id id,
                       struct err *e)
{
	const struct metric *m = &metrics[id];
	snapshot_rows_gpu single = snapshot_rows_gpus_of(id);

	*c = (struct written_cells){.c = {.m = m},
	                            .single = is_written_of_one_gpu(r, single) ? single : NULL};
	c->constant = is_constant(r, m, &c->value);
	c->value = metric_spell(m, r->schema, c->value) * metric_scale(m->unit, r->schema);
	return c->constant ? 0 : written_column_open(&c->c, r->source, id, r->schema, e);
}

/* The cells of a sum over GPUs in rows in which no single GPU was measured. */
static int blank_gpus_of_chunk(const struct written_walk *w, snapshot_rows_gpu single,
                               double out[WRITTEN_CHUNK], struct err *e)
{
	double cells[WRITTEN_CHUNK];
	bool measured[WRITTEN_CHUNK] = {false};

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

int written_cells_read(struct written_cells *c, const struct written_walk *w,
                       double out[WRITTEN_CHUNK], struct err *e)
{
	for (size_t i = 0; c->constant && i < w->n; i++)
		out[i] = c->value;
	if (!c->constant && written_column_read(&c->c, w->from, w->n, out, e))
		return -1;
	return c->single ? blank_gpus_of_chunk(w, c->single, out, e) : 0;
}
