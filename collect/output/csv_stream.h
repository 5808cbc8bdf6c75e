/*
 * csv_stream: writes rows as CSV (RFC 4180), each line at once and in one write(2). A reader that
 * stalls loses rows; the collector never waits for it.
 *
 * The fields of the header are quoted, numbers are bare. The columns are those of the scope, in the
 * order of metric.def, with the names and units of the schema. A documented column that was not
 * measured is 0, one of rtrack's own is empty.
 */
#ifndef COLLECT_OUTPUT_CSV_STREAM_H
#define COLLECT_OUTPUT_CSV_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/output/line_writer.h"
#include "core/base/err.h"
#include "core/numbers/metric.h"

#define CSV_STREAM_LINE_MAX LINE_WRITER_MAX
#define CSV_STREAM_WAIT_MS  200 /* at the end, for a reader that has not read all rows */

struct csv_stream {
	struct line_writer out;
	const char *name; /* of the file, for error sentences */
	size_t rows;      /* all so far, the lost ones included */
	enum metric_scope scope;
	enum schema schema;
	bool all; /* rtrack's own columns too, not only the documented ones */
};

/* Make one line with its newline, NUL-terminated. Return its length. */
size_t csv_stream_header_text(const struct csv_stream *c, char out[CSV_STREAM_LINE_MAX]);
size_t csv_stream_row_text(const struct csv_stream *c, const double *row,
                           char out[CSV_STREAM_LINE_MAX]);

/* Opens the file, or standard output if path is NULL. csv_stream_header empties the file. The path
 * is borrowed. Returns 0, or -1 with a sentence, and errno. */
int csv_stream_open(struct csv_stream *c, const char *path, struct err *e);

/* Write a line, or queue it for the reader. row has METRIC_COUNT cells. Return 0, or -1 with a
 * sentence. */
int csv_stream_header(struct csv_stream *c, struct err *e);
int csv_stream_row(struct csv_stream *c, const double *row, struct err *e);

/* Writes queued lines, once the reader has made room. Returns 0, or -1 with a sentence. */
int csv_stream_flush(struct csv_stream *c, struct err *e);

/* Waits for the reader of queued lines, limit_ms at most, and closes. Returns 0, or -1 with a
 * sentence: some written rows may be missing. */
int csv_stream_close(struct csv_stream *c, int limit_ms, struct err *e);

/* After csv_stream_close: the number of rows that the reader did not read. */
size_t csv_stream_lost(const struct csv_stream *c);

#endif
