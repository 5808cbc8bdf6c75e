/* csv: rows as CSV. */
#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../core/json.h"

/* The next column from id on, or METRIC_COUNT. */
static int next_column(const struct csv *c, int id)
{
	while (id < METRIC_COUNT &&
	       (metrics[id].scope != c->scope || !(c->all || metrics[id].documented)))
		id++;
	return id;
}

size_t csv_header_text(const struct csv *c, char out[CSV_LINE_MAX])
{
	size_t at = 0;

	for (int id = next_column(c, 0); id < METRIC_COUNT; id = next_column(c, id + 1)) {
		int n = snprintf(out + at, CSV_LINE_MAX - at, "%s\"%s\"", at ? "," : "",
		                 metrics[id].name[c->schema]);
		if (n < 0 || (size_t)n >= CSV_LINE_MAX - at - 1)
			break;
		at += (size_t)n;
	}
	out[at++] = '\n';
	out[at] = '\0';
	return at;
}

size_t csv_row_text(const struct csv *c, const double *row, char out[CSV_LINE_MAX])
{
	char number[32];
	size_t at = 0;

	for (int id = next_column(c, 0); id < METRIC_COUNT; id = next_column(c, id + 1)) {
		double v = metric_spell(&metrics[id], c->schema, row[id]);
		size_t n = 0;
		if (isfinite(v) || metrics[id].documented)
			n = json_number_text(isfinite(v) ? v : 0, number);
		if (at + n + 3 > CSV_LINE_MAX)
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

static int put(int fd, const char *line, size_t n, struct err *e)
{
	while (n > 0) {
		ssize_t done = write(fd, line, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return err_set(e, "the CSV cannot be written: %s", strerror(errno));
		line += done;
		n -= (size_t)done;
	}
	return 0;
}

int csv_header(const struct csv *c, struct err *e)
{
	char line[CSV_LINE_MAX];

	return put(c->fd, line, csv_header_text(c, line), e);
}

int csv_row(const struct csv *c, const double *row, struct err *e)
{
	char line[CSV_LINE_MAX];

	return put(c->fd, line, csv_row_text(c, row, line), e);
}
