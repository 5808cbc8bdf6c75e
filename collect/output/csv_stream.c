/* csv_stream: writes rows as CSV. */
#include "collect/output/csv_stream.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/json/json_write.h"

/* Returns the next column from id on, or METRIC_COUNT. */
static int next_column(const struct csv_stream *c, int id)
{
	while (id < METRIC_COUNT &&
	       (metrics[id].scope != c->scope || !(c->all || metrics[id].documented)))
		id++;
	return id;
}

size_t csv_stream_header_text(const struct csv_stream *c, char out[CSV_STREAM_LINE_MAX])
{
	size_t at = 0;

	for (int id = next_column(c, 0); id < METRIC_COUNT; id = next_column(c, id + 1)) {
		int n = snprintf(out + at, CSV_STREAM_LINE_MAX - at, "%s\"%s\"", at ? "," : "",
		                 metrics[id].name[c->schema]);
		if (n < 0 || (size_t)n >= CSV_STREAM_LINE_MAX - at - 1)
			break;
		at += (size_t)n;
	}
	out[at++] = '\n';
	out[at] = '\0';
	return at;
}

size_t csv_stream_row_text(const struct csv_stream *c, const double *row,
                           char out[CSV_STREAM_LINE_MAX])
{
	char number[32];
	size_t at = 0;

	for (int id = next_column(c, 0); id < METRIC_COUNT; id = next_column(c, id + 1)) {
		double v = metric_spell(&metrics[id], c->schema, row[id]);
		size_t n = 0;
		if (isfinite(v) || metrics[id].documented)
			n = json_write_number_text(isfinite(v) ? v : 0, number);
		if (at + n + 3 > CSV_STREAM_LINE_MAX)
			break;
		if (at)
			out[at++] = ',';
		memcpy(out + at, number, n);
		at += n;
	}
	out[at++] = '\n';
	out[at] = '\0';
	return at;
}

static int csv_failed(const struct csv_stream *c, int why, struct err *e)
{
	return err_set(e, "%s: the CSV cannot be written: %s", c->name, strerror(why));
}

int csv_stream_open(struct csv_stream *c, const char *path, struct err *e)
{
	c->name = path ? path : "standard output";
	return line_writer_open(&c->out, path) ? err_set(e, "%s: %s", c->name, strerror(errno)) : 0;
}

int csv_stream_header(struct csv_stream *c, struct err *e)
{
	char line[CSV_STREAM_LINE_MAX];

	if (line_writer_begin(&c->out) ||
	    line_writer_put(&c->out, line, csv_stream_header_text(c, line)))
		return csv_failed(c, errno, e);
	return 0;
}

int csv_stream_row(struct csv_stream *c, const double *row, struct err *e)
{
	char line[CSV_STREAM_LINE_MAX];

	c->rows++;
	return line_writer_put(&c->out, line, csv_stream_row_text(c, row, line))
	           ? csv_failed(c, errno, e)
	           : 0;
}

int csv_stream_flush(struct csv_stream *c, struct err *e)
{
	return line_writer_flush(&c->out) ? csv_failed(c, errno, e) : 0;
}

int csv_stream_close(struct csv_stream *c, int limit_ms, struct err *e)
{
	return line_writer_close(&c->out, limit_ms) ? csv_failed(c, errno, e) : 0;
}

size_t csv_stream_lost(const struct csv_stream *c)
{
	/* The header is lost only if all rows are. */
	return c->out.lost < c->rows ? c->out.lost : c->rows;
}
