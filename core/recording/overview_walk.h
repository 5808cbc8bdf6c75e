/*
 * overview_walk: the rows of one scope as a reader of the file will have them, a chunk at a time.
 */
#ifndef CORE_RECORDING_OVERVIEW_WALK_H
#define CORE_RECORDING_OVERVIEW_WALK_H

#include <stdint.h>

#include "core/numbers/buckets.h"
#include "core/numbers/stats.h"
#include "core/recording/elapsed.h"
#include "core/recording/snapshot_source.h"
#include "core/recording/snapshot_units.h"
#include "core/recording/written_column.h"

#define OVERVIEW_CHUNK 512 /* rows */

/* What is written: as snapshot_write got it, and what it computed. */
struct overview_rows {
	const struct snapshot *s; /* of ->limits, only .cpus is used: 0 or NAN, none */
	const struct snapshot_source *source;
	enum schema schema;
	const struct stats *stats; /* by metric */
	const bool *write;         /* by metric: the column is in the file */
};

/* Valid after overview_walk_begin. */
struct overview_walk {
	const struct overview_rows *r;
	const struct buckets *buckets;
	enum metric_scope scope;
	struct elapsed rule;
	struct written_column time;
	struct buckets_walk place;
	double before;  /* time of the last row */
	size_t from, n; /* the chunk's rows */
	double t[OVERVIEW_CHUNK], seconds[OVERVIEW_CHUNK];
	uint16_t first[OVERVIEW_CHUNK], at[OVERVIEW_CHUNK]; /* buckets: buckets_place */
};

/* 0, or -1 if a fetch failed. */
int overview_walk_begin(struct overview_walk *w, const struct overview_rows *r,
                        const struct buckets *b, enum metric_scope scope, struct err *e);

/* Goes to the next chunk. 1; 0: there is none; -1. */
int overview_walk_next(struct overview_walk *w, struct err *e);

/* One column, in base units as a reader gets it, NAN where not measured. */
struct overview_cells {
	struct written_column c;
	snapshot_units_gpu single; /* a sum over GPUs: the columns of each; else NULL */
	bool constant;             /* all cells are the same: no need to read them */
	double value;
};

/* Begins at row 0. 0, or -1 if a fetch failed. */
int overview_cells_open(struct overview_cells *c, const struct overview_rows *r, enum metric_id id,
                        struct err *e);

/* The cells of the walk's chunk: call it once for each chunk. 0, or -1. */
int overview_cells_read(struct overview_cells *c, const struct overview_walk *w,
                        double out[OVERVIEW_CHUNK], struct err *e);

/* Whether the recorder tracked the scope. */
bool overview_walk_tracked(const struct snapshot *s, enum metric_scope scope);

#endif
