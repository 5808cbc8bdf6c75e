/* written_column: a column's cells as a recording's file has them. */
#include "core/recording/written_column.h"

#include <math.h>

#define CHUNK 512

static bool is_held(const struct metric *m)
{
	return m->documented && m->kind == METRIC_KIND_GAUGE;
}

static int first_measured(struct written_column *c, struct err *e)
{
	const struct snapshot_source *rows = c->rows;
	double cells[CHUNK];

	for (size_t from = 0; is_held(c->m) && from < rows->rows; from += CHUNK) {
		size_t n = rows->rows - from < CHUNK ? rows->rows - from : CHUNK;
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

int written_column_open_at(struct written_column *c, const struct snapshot_source *rows,
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
