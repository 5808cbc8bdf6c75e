/*
 * frame: columns of doubles, a row at a time, in base units, NAN where not measured.
 *
 * Valid when zero. A column that was never set is absent (frame_has is false), which differs from a
 * column of NAN. Appending checks the caps on rows (FRAME_ROWS_MAX) and on cells (1 GiB). Up to
 * FRAME_MEMORY the cells are in memory; a larger frame is in an unnamed file, or in
 * memory after all if there is no file.
 */
#ifndef CORE_NUMBERS_FRAME_H
#define CORE_NUMBERS_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/numbers/metric.h"

#define FRAME_ROWS_MAX ((size_t)4 << 20) /* 48 days at 1 s */
#define FRAME_MEMORY   ((size_t)3 << 20) /* cells: 24 MiB */

struct frame_file;

struct frame_column {
	double *cell; /* NULL: the column is absent */
	size_t cap;   /* cells allocated */
	size_t filed; /* cells in the file, before cell[]; all of them once mapped */
	size_t len;   /* filled cells; frame_square makes all columns equal rows */
};

struct frame {
	struct frame_column *column; /* by metric; NULL: all are absent, as in 10,000 heads */
	size_t rows;
	struct frame_file *file; /* NULL: all cells are in memory */
	bool stay;               /* keep in memory: no file can be had */
	size_t cells_max;        /* a lower cap on all cells; 0: none */
	bool full;               /* an append failed on cells_max */
};

/* Appends a value to one column (a snapshot has one column after the other). 0, or -1. */
int frame_push(struct frame *f, enum metric_id id, double v, struct err *e);

/* The room for further values of a column that is not empty, *n of them, which may be 0; frame_fill
 * then appends the first n that were put there. */
double *frame_room(const struct frame *f, enum metric_id id, size_t *n);
void frame_fill(struct frame *f, enum metric_id id, size_t n);

/* Replaces the value that was appended last to a column, which must not be empty. */
void frame_replace(struct frame *f, enum metric_id id, double v);

/* Removes all values of a column. */
void frame_clear(struct frame *f, enum metric_id id);

/* The number of values in a column. */
size_t frame_len(const struct frame *f, enum metric_id id);

/* Fills shorter columns with NAN up to the longest, and sets rows. Nothing can be appended after
 * that. 0, or -1 without memory. */
int frame_square(struct frame *f, struct err *e);

bool frame_has(const struct frame *f, enum metric_id id);

/* A column's cells (f->rows of them), or NULL if absent. Borrowed and read-only; call it after
 * frame_square. */
const double *frame_col(const struct frame *f, enum metric_id id);

/* Replaces each cell v of a column by what(v, ctx), after frame_square. An absent column stays
 * absent. 0, or -1. */
int frame_change(struct frame *f, enum metric_id id, double (*what)(double v, const void *ctx),
                 const void *ctx, struct err *e);

/* frame_change that multiplies; what is infinite then becomes NAN. */
int frame_scale(struct frame *f, enum metric_id id, double scale, struct err *e);

/* Call this after a walk over columns: it drops the pages of a large frame from memory. Pointers
 * stay valid. */
void frame_rest(const struct frame *f);

/* The number of cells in all columns. */
size_t frame_cells(const struct frame *f);

void frame_free(struct frame *f);

#endif
