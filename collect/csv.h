/*
 * csv: rows as CSV (RFC 4180), each line in one write(2) when it is there.
 *
 * The header's fields are quoted, numbers are bare; the columns are those of the scope in the order
 * of metric.def, in the names and units of the schema. A documented column that was not measured is
 * 0, one of ours is empty.
 */
#ifndef COLLECT_CSV_H
#define COLLECT_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "../core/err.h"
#include "../core/metric.h"

#define CSV_LINE_MAX 8192

struct csv {
	int fd;           /* -1: none */
	const char *name; /* of the file, for a sentence */
	bool alone;       /* nobody else writes to it: half a line is taken back */
	enum metric_scope scope;
	enum schema schema;
	bool all; /* our own columns too, not the documented ones alone */
};

/* The line with its newline, NUL-terminated; its length. */
size_t csv_header_text(const struct csv *c, char out[CSV_LINE_MAX]);
size_t csv_row_text(const struct csv *c, const double *row, char out[CSV_LINE_MAX]);

/* Write the line. row has METRIC_COUNT cells. 0, or -1 with a sentence. */
int csv_header(const struct csv *c, struct err *e);
int csv_row(const struct csv *c, const double *row, struct err *e);

/* Closes what is open. 0, or -1 with a sentence: what was written may not all be there. */
int csv_close(struct csv *c, struct err *e);

#endif
