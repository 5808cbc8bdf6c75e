/* frame: columns of doubles. */
#include "frame.h"

#include <math.h>
#include <stdlib.h>

/* 1 GiB. A small file can ask for much: one long column makes all others as long. */
#define CELLS_MAX ((size_t)128 << 20)

static int grow(struct frame *f, enum metric_id id, struct err *e)
{
	size_t cap = f->cap[id] ? f->cap[id] * 2 : 256, cells = cap;
	double *col;

	for (int other = 0; other < METRIC_COUNT; other++)
		cells += other == (int)id ? 0 : f->cap[other];
	if (f->len[id] >= FRAME_ROWS_MAX)
		return err_set(e, "more than %zu rows", FRAME_ROWS_MAX);
	if (cells > CELLS_MAX)
		return err_set(e, "more than %zu cells", CELLS_MAX);
	col = realloc(f->col[id], cap * sizeof *col);
	if (!col)
		return err_set(e, "no memory for %zu rows", cap);
	f->col[id] = col;
	f->cap[id] = cap;
	return 0;
}

int frame_push(struct frame *f, enum metric_id id, double v, struct err *e)
{
	if (f->len[id] >= f->cap[id] && grow(f, id, e))
		return -1;
	f->col[id][f->len[id]++] = v;
	return 0;
}

int frame_square(struct frame *f, struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (f->len[id] > f->rows)
			f->rows = f->len[id];
	for (int id = 0; id < METRIC_COUNT; id++)
		while (f->col[id] && f->len[id] < f->rows)
			if (frame_push(f, (enum metric_id)id, NAN, e))
				return -1;
	return 0;
}

bool frame_has(const struct frame *f, enum metric_id id)
{
	return f->col[id] != NULL;
}

const double *frame_col(const struct frame *f, enum metric_id id)
{
	return f->col[id];
}

void frame_free(struct frame *f)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		free(f->col[id]);
	*f = (struct frame){0};
}
