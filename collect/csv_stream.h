/*
 * csv_stream: rows as CSV (RFC 4180), each line in one write(2) when it is there. A reader that
 * stalls
 * costs rows, not time.
 *
 * The header's fields are quoted, numbers are bare; the columns are those of the scope in the order
 * of metric.def, in the names and units of the schema. A documented column that was not measured is
 * 0, one of ours is empty.
 */
#ifndef COLLECT_CSV_STREAM_H
#define COLLECT_CSV_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/line_writer.h"
#include "core/err.h"
#include "core/metric.h"

#define CSV_STREAM_LINE_MAX LINE_WRITER_MAX
#define CSV_STREAM_WAIT_MS  200 /* at the end, for a reader that has not taken all rows */

struct csv_stream {
	struct line_writer out;
	const char *name; /* of the file, for a sentence */
	size_t rows;      /* that were to be written */
	enum metric_scope scope;
	enum schema schema;
	bool all; /* our own columns too, not the documented ones alone */
};

/* The line with its newline, NUL-terminated; its length. */
size_t csv_stream_header_text(const struct csv_stream *c, char out[CSV_STREAM_LINE_MAX]);
size_t csv_stream_row_text(const struct csv_stream *c, const double *row,
                           char out[CSV_STREAM_LINE_MAX]);

/* Opens the file, or with path NULL standard output; csv_stream_header empties a file. The path is
 * borrowed. 0, or -1 with a sentence, and errno. */
int csv_stream_open(struct csv_stream *c, const char *path, struct err *e);

/* Write the line, or let it wait for the reader. row has METRIC_COUNT cells. 0, or -1 with a
 * sentence. */
int csv_stream_header(struct csv_stream *c, struct err *e);
int csv_stream_row(struct csv_stream *c, const double *row, struct err *e);

/* Writes what waits, once the reader has made room. 0, or -1 with a sentence. */
int csv_stream_flush(struct csv_stream *c, struct err *e);

/* Closes what is open, after limit_ms at most, if something waits for the reader. 0, or -1 with a
 * sentence: what was written may not all be there. */
int csv_stream_close(struct csv_stream *c, int limit_ms, struct err *e);

/* After csv_stream_close: the rows that the reader did not take. */
size_t csv_stream_lost(const struct csv_stream *c);

#endif
