/*
 * written: the rows of a recording as its file has them, and as a reader of it gets them.
 *
 * A file has rounded numbers, and numbers for cells of documented columns that were not measured.
 * A digest that is shown in place of the rows must be computed from the same numbers.
 */
#ifndef CORE_RECORDING_WRITTEN_H
#define CORE_RECORDING_WRITTEN_H

#include <stdint.h>

#include "core/numbers/buckets.h"
#include "core/numbers/stats.h"
#include "core/recording/elapsed.h"
#include "core/recording/snapshot_rows.h"
#include "core/recording/snapshot_source.h"

#define WRITTEN_CHUNK 512 /* rows */

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

/* The next n cells, from row `from` on: in the file's unit; not finite: null. */
int written_column_spell(struct written_column *c, size_t from, size_t n, double *out,
                         struct err *e);

/* The same in base units; NAN: null. */
int written_column_read(struct written_column *c, size_t from, size_t n, double *out,
                        struct err *e);

/* A recording as it is written: as snapshot_write got it, with what it computed. */
struct written {
	const struct snapshot *s; /* of ->limits, only .cpus is used: 0 or NAN, none */
	const struct snapshot_source *source;
	enum schema schema;
	const struct stats *stats; /* by metric */
	const bool *write;         /* by metric: the column is in the file */
};

/* Valid after written_walk_begin. */
struct written_walk {
	const struct written *r;
	const struct buckets *buckets;
	enum metric_scope scope;
	struct elapsed rule;
	struct written_column time;
	struct buckets_walk place;
	double before;  /* time of the last row */
	size_t from, n; /* the chunk's rows */
	double t[WRITTEN_CHUNK], seconds[WRITTEN_CHUNK];
	uint16_t first[WRITTEN_CHUNK], at[WRITTEN_CHUNK]; /* buckets: buckets_place */
};

/* 0, or -1 if a fetch failed. */
int written_walk_begin(struct written_walk *w, const struct written *r, const struct buckets *b,
                       enum metric_scope scope, struct err *e);

/* Goes to the next chunk. 1; 0: there is none; -1. */
int written_walk_next(struct written_walk *w, struct err *e);

/* One column, in base units as a reader gets it, NAN where not measured. */
struct written_cells {
	struct written_column c;
	snapshot_rows_gpu single; /* a sum over GPUs: the columns of each; else NULL */
	bool constant;            /* all cells are the same: no need to read them */
	double value;
};

/* Begins at row 0. 0, or -1 if a fetch failed. */
int written_cells_open(struct written_cells *c, const struct written *r, enum metric_id id,
                       struct err *e);

/* The cells of the walk's chunk: call it once for each chunk. 0, or -1. */
int written_cells_read(struct written_cells *c, const struct written_walk *w,
                       double out[WRITTEN_CHUNK], struct err *e);

/* v are the statistics of the cells of a column in a file. If the statistics in its head say that
 * nothing was measured, the cells are only the zeros that a documented column has then: v becomes
 * empty. */
void written_forget_stand_ins(const struct snapshot *s, enum metric_id id, struct stats *v);

#endif
