/*
 * snapshot_source: the rows of a recording, a part of a column at a time.
 */
#ifndef CORE_RECORDING_SNAPSHOT_SOURCE_H
#define CORE_RECORDING_SNAPSHOT_SOURCE_H

#include "core/recording/snapshot.h"

/* Rows that a journal keeps in memory for all columns, once they were fetched for one. */
#define SNAPSHOT_AT_HAND 32

/* Where the rows come from: a journal, or a frame in memory. fetch stores n cells of a column,
 * beginning at row from, in out, in base units. */
struct snapshot_source {
	size_t rows; /* of each scope that was tracked according to the metadata */
	int (*fetch)(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
	             struct err *e);
	void *ctx;
	size_t at_hand; /* rows that it keeps for all columns, once fetched for one; 0: none */
};

/* A source that reads from s->rows; the shorter scope is padded with NAN. */
struct snapshot_source snapshot_source_of(struct snapshot *s);

#endif
