/*
 * frame: columns of doubles, a row at a time, in base units, NAN where not measured.
 *
 * Valid when zero. A column that was never set is absent (frame_has is false), which differs from a
 * column of NAN. The caps on rows (FRAME_ROWS_MAX) and on cells (1 GiB of them) are checked at
 * append.
 */
#ifndef CORE_FRAME_H
#define CORE_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "metric.h"

#define FRAME_ROWS_MAX ((size_t)16 << 20)

struct frame {
	double *col[METRIC_COUNT]; /* NULL: absent */
	size_t cap[METRIC_COUNT];  /* allocated cells of each column */
	size_t
	    len[METRIC_COUNT]; /* filled cells of each column; frame_square makes all equal rows */
	size_t rows;
};

/* Appends a value to one column (columns arrive one after the other in a snapshot). 0, or -1. */
int frame_push(struct frame *f, enum metric_id id, double v, struct err *e);

/* Fills shorter columns with NAN up to the longest, and sets rows. 0, or -1 without memory. */
int frame_square(struct frame *f, struct err *e);

bool frame_has(const struct frame *f, enum metric_id id);

/* A column's cells (f->rows of them), or NULL where absent. Borrowed. */
const double *frame_col(const struct frame *f, enum metric_id id);

void frame_free(struct frame *f);

#endif
