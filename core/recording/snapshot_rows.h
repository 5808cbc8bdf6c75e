/*
 * snapshot_rows: reads the rows of a snapshot, and converts them to base units.
 */
#ifndef CORE_RECORDING_SNAPSHOT_ROWS_H
#define CORE_RECORDING_SNAPSHOT_ROWS_H

#include "core/json/json_read.h"
#include "core/recording/snapshot.h"

/* The state that the members of one file share. */
struct snapshot_rows {
	struct json_read *in;
	struct snapshot *s;
	struct buf *key; /* of the object that is being read */
	int *spelled;    /* by metric: schema of the column's name; 0: the same in both */
};

/* Reads the metrics of a scope, columns or rows, into r->s in the units of the file. 0, or -1. */
int snapshot_rows_read(struct snapshot_rows *r, enum metric_scope scope);

/* Converts the rows of s to base units, and replaces numbers by NAN that stand in a documented
 * column only because other tools need a number. spelled[id]: the schema whose name the column
 * had, 0 if both schemas use that name. 0, or -1 without memory. */
int snapshot_rows_to_base(struct snapshot *s, const int spelled[METRIC_COUNT], struct err *e);

/* A sum over GPUs in such a column was measured only in rows in which a column of a single GPU was,
 * if the file has any. Which: this function's; NULL: id is not such a sum. */
typedef enum metric_id (*snapshot_rows_gpu)(size_t gpu);
snapshot_rows_gpu snapshot_rows_gpus_of(enum metric_id id);

#endif
