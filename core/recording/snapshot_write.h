/*
 * snapshot_write: writes a recording's file (docs/snapshot.md) from a snapshot and a source of rows.
 *
 *	struct snapshot_source rows = journal_source(j, false);
 *	if (snapshot_write(&s, &rows, SCHEMA_1, fd, e))
 *		return err_wrap(e, "%s", path);
 */
#ifndef CORE_RECORDING_SNAPSHOT_WRITE_H
#define CORE_RECORDING_SNAPSHOT_WRITE_H

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

/* Writes the file to fd: one gzip member, or plain text if s->plain; rtrack_row first, keys in the
 * order of docs/snapshot.md, all documented columns, and rtrack's own columns that hold any value.
 * A documented column's NAN is written as 0 or as the nearest measurement, and noted. Memory does
 * not grow with the rows. 0, or -1. */
int snapshot_write(struct snapshot *s, const struct snapshot_source *rows, enum schema schema,
                   int fd, struct err *e);

/* Writes the members before the metrics, without statistics, into an open object: the header of a
 * journal. */
void snapshot_write_head(struct snapshot *s, struct json_write *j, enum schema schema);

/* A source that reads from s->rows; the shorter scope is padded with NAN. */
struct snapshot_source snapshot_frame_source(struct snapshot *s);

#endif
