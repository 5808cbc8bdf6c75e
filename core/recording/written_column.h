/*
 * written_column: a column's cells as a recording's file has them, and as a reader of it gets them.
 *
 * A file has rounded numbers, and numbers for cells of documented columns that were not measured.
 * What is computed beside the rows, to be shown in their place, must begin with the same numbers.
 */
#ifndef CORE_RECORDING_WRITTEN_COLUMN_H
#define CORE_RECORDING_WRITTEN_COLUMN_H

#include "core/base/err.h"
#include "core/numbers/metric.h"
#include "core/recording/snapshot_source.h"

/* Cells are taken in the order of rows. */
struct written_column {
	const struct snapshot_source *rows;
	const struct metric *m;
	enum schema schema;
	double held; /* what stands for a cell that was not measured */
};

/* Begins at row 0. 0, or -1 if a fetch failed. */
int written_column_open(struct written_column *c, const struct snapshot_source *rows,
                        enum metric_id id, enum schema schema, struct err *e);

/* The same, at any row. */
int written_column_open_at(struct written_column *c, const struct snapshot_source *rows,
                           enum metric_id id, enum schema schema, size_t row, struct err *e);

/* The next n cells, from row `from` on: in the file's unit; not finite: null. */
int written_column_spell(struct written_column *c, size_t from, size_t n, double *out,
                         struct err *e);

/* The same in base units; NAN: null. */
int written_column_read(struct written_column *c, size_t from, size_t n, double *out,
                        struct err *e);

#endif
