/*
 * frame: columns of doubles, a row at a time, in base units, NAN where not measured.
 *
 * Valid when zero. A column that was never set is absent (frame_has is false), which differs from a
 * column of NAN. The caps on rows (FRAME_ROWS_MAX) and on cells (1 GiB of them) are checked at
 * append. Up to FRAME_MEMORY the cells lie in memory; a larger frame lies in a file without a name
 * (column_file.h), or where that can't be had, in memory after all.
 */
#ifndef CORE_FRAME_H
#define CORE_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "core/metric.h"

#define FRAME_ROWS_MAX ((size_t)4 << 20) /* 48 days at 1 s */
#define FRAME_MEMORY   ((size_t)3 << 20) /* cells: 24 MiB */

struct column_file;

struct frame {
	double *col[METRIC_COUNT];  /* NULL: absent */
	size_t cap[METRIC_COUNT];   /* cells of each column for which there is memory */
	size_t filed[METRIC_COUNT]; /* cells before col[], in the file; all once it is mapped */
	size_t
	    len[METRIC_COUNT]; /* filled cells of each column; frame_square makes all equal rows */
	size_t rows;
	struct column_file *file; /* NULL: all cells are in memory */
	bool stay;                /* in memory: there is no file to be had */
	size_t cells_max;         /* fewer than the cap: what else may be appended; 0: the cap */
	bool full;                /* more than cells_max were asked for */
};

/* Appends a value to one column (columns arrive one after the other in a snapshot). 0, or -1. */
int frame_push(struct frame *f, enum metric_id id, double v, struct err *e);

/* Puts v in the place of the value that was appended last to a column that has one. */
void frame_replace(struct frame *f, enum metric_id id, double v);

/* Takes away all values of a column. */
void frame_clear(struct frame *f, enum metric_id id);

/* Fills shorter columns with NAN up to the longest, and sets rows. Nothing can be appended then. 0,
 * or -1 without memory. */
int frame_square(struct frame *f, struct err *e);

bool frame_has(const struct frame *f, enum metric_id id);

/* A column's cells (f->rows of them), or NULL where absent. Borrowed, after frame_square, and not
 * to be written to. */
const double *frame_col(const struct frame *f, enum metric_id id);

/* Puts what() makes of it in the place of each cell of a column, after frame_square; one that is
 * absent stays so. 0, or -1. */
int frame_change(struct frame *f, enum metric_id id, double (*what)(double v, const void *ctx),
                 const void *ctx, struct err *e);

/* To be called after a walk over columns: the cells of a large frame that were looked at leave the
 * memory. Pointers stay valid. */
void frame_rest(const struct frame *f);

/* How many cells there are, or were appended. */
size_t frame_cells(const struct frame *f);

void frame_free(struct frame *f);

#endif
