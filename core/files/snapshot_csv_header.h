/*
 * snapshot_csv_header: the header of a CSV file: which column is which metric, in which unit.
 */
#ifndef CORE_FILES_SNAPSHOT_CSV_HEADER_H
#define CORE_FILES_SNAPSHOT_CSV_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/files/csv_read.h"
#include "core/numbers/metric.h"

struct csv_column {
	enum metric_id id[2]; /* METRIC_COUNT: none. The time is that of both scopes */
	double scale;         /* to the unit that the header has for the column */
};

struct csv_header {
	struct csv_column column[CSV_READ_CELLS_MAX];
	size_t n;
	enum metric_id id[METRIC_COUNT]; /* those that have a column */
	size_t used;
	size_t columns[METRIC_SCOPES]; /* without the time */
	int spelled[METRIC_COUNT];     /* schema of the column's name; 0: the same in both */
	bool prefixed;                 /* columns of both scopes have a place in it */
	bool human;                    /* in the names for people, which have no unit */
	bool base;                     /* in base units */
};

struct snapshot;

/* Whether the first record with this cell can be the beginning of a recording. */
bool snapshot_csv_header_is_one(const struct csv_read *cell);

/* Reads the header. Sets s->schema, and what else it says. 0, or -1 with a sentence. */
int snapshot_csv_header_read(struct csv_header *h, struct csv_read *in, struct snapshot *s);

#endif
