/*
 * snapshot_write: writes the file of a recording (docs/snapshot.md).
 *
 *	struct snapshot_source rows = journal_source(j, false);
 *	if (snapshot_write(&s, &rows, SCHEMA_1, fd, e))
 *		return err_wrap(e, "%s", path);
 */
#ifndef CORE_FILES_SNAPSHOT_WRITE_H
#define CORE_FILES_SNAPSHOT_WRITE_H

#include "core/recording/snapshot_source.h"

/* Writes the file to fd: one gzip member, or plain text if s->plain; rtrack_row first, keys in the
 * order of docs/snapshot.md, all documented columns, and rtrack's own columns that hold any value.
 * A documented column's NAN is written as 0 or as the nearest measurement, and noted. Memory does
 * not grow with the rows. With s->short_below_s, one sum of a short step instead. 0, or -1. */
int snapshot_write(struct snapshot *s, const struct snapshot_source *rows, enum schema schema,
                   int fd, struct err *e);

/* The statistics of all rows, and which columns are written. */
struct snapshot_columns {
	struct stats stats[METRIC_COUNT]; /* none of a scope that was not tracked */
	bool write[METRIC_COUNT];         /* the column is in the file */
};

/* Writes the members before the metrics into an open object, and leaves the last, rtrack, open. c
 * NULL: without what comes from the rows, as in the header of a journal. */
void snapshot_write_head(struct snapshot *s, struct json_write *j, enum schema schema,
                         const struct snapshot_columns *c);

#endif
