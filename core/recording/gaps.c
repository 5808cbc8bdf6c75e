/* gaps: times for which a recording has no samples. */
#include "core/recording/gaps.h"

#include <math.h>

void gaps_add(struct snapshot *s, double from, double to)
{
	if (!s->gaps)
		s->gaps = snapshot_alloc(s, sizeof *s->gaps);
	if (s->gaps && s->gaps->n < GAPS_MAX)
		s->gaps->v[s->gaps->n++] = (struct gap){.from = from, .to = to};
}

void gaps_clear(struct snapshot *s)
{
	if (s->gaps)
		s->gaps->n = 0;
}

size_t gaps_rows(const struct snapshot *s)
{
	return s->gaps ? s->gaps->n : 0;
}

size_t gaps_before(const struct snapshot *s, size_t row)
{
	size_t low = 0, high = gaps_rows(s);

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (s->gaps->v[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool gaps_has(const struct snapshot *s, size_t row)
{
	size_t next = gaps_before(s, row);

	return next < gaps_rows(s) && s->gaps->v[next].row == row;
}

static int fill_cells(const struct gaps *g, const struct frame *from, const double *t,
                      enum metric_id id, struct frame *to, struct err *e)
{
	bool is_time = metrics[id].unit == METRIC_UNIT_TIME;
	const double *v = frame_col(from, id);
	size_t gap = 0;

	for (size_t i = 0; i < from->rows; i++) {
		for (; gap < g->n && t[i] > g->v[gap].to; gap++)
			if (frame_push(to, id, is_time ? g->v[gap].to : (double)NAN, e))
				return -1;
		if (frame_push(to, id, v[i], e))
			return -1;
	}
	return 0;
}

static int fill_scope(const struct gaps *g, const struct frame *from, const double *t,
                      struct frame *to, struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (frame_has(from, (enum metric_id)id) &&
		    fill_cells(g, from, t, (enum metric_id)id, to, e))
			return -1;
	return frame_square(to, e);
}

/* Computes the row of each gap. A gap after the last row is dropped. */
static void set_gap_rows(struct gaps *g, const double *t, size_t rows)
{
	size_t gap = 0;

	for (size_t i = 0; i < rows; i++)
		for (; gap < g->n && t[i] > g->v[gap].to; gap++)
			g->v[gap].row = i + gap;
	g->n = gap;
}

int gaps_fill(struct snapshot *s, struct err *e)
{
	struct frame filled[METRIC_SCOPES] = {{.rows = 0}};
	const struct frame *tree = &s->rows[METRIC_SCOPE_PROCESS];
	const struct frame *system = &s->rows[METRIC_SCOPE_SYSTEM];
	const double *t = frame_col(system, METRIC_SYSTEM_TIMESTAMP);
	size_t rows = system->rows ? system->rows : tree->rows;

	if (!t)
		t = frame_col(tree, METRIC_PROCESS_TIMESTAMP);
	/* Only rtrack's recordings have gaps, and theirs have the same rows in both scopes. */
	if (!t || (tree->rows && tree->rows != rows))
		gaps_clear(s);
	if (!gaps_rows(s))
		return 0;
	set_gap_rows(s->gaps, t, rows);
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (fill_scope(s->gaps, &s->rows[scope], t, &filled[scope], e)) {
			frame_free(&filled[METRIC_SCOPE_PROCESS]);
			frame_free(&filled[METRIC_SCOPE_SYSTEM]);
			return -1;
		}
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		frame_free(&s->rows[scope]);
		s->rows[scope] = filled[scope];
	}
	return 0;
}
