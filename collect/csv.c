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

static int fail(const struct csv *c, int why, struct err *e)
{
	return err_set(e, "%s: the CSV cannot be written: %s", c->name, strerror(why));
}

/* Takes back the part of a line that was written. */
static void cut(const struct csv *c, size_t part)
{
	off_t at = c->alone && part ? lseek(c->fd, 0, SEEK_CUR) : -1;

	/* Where that fails half a line stays. */
	if (at >= (off_t)part && ftruncate(c->fd, at - (off_t)part) == 0)
		(void)lseek(c->fd, at - (off_t)part, SEEK_SET);
}

static int put(const struct csv *c, const char *line, size_t n, struct err *e)
{
	size_t done = 0;

	while (done < n) {
		ssize_t part = write(c->fd, line + done, n - done);
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0) {
			int why = part ? errno : EIO;
			cut(c, done);
			return fail(c, why, e);
		}
		done += (size_t)part;
	}
	return 0;
}

int csv_header(const struct csv *c, struct err *e)
{
	char line[CSV_LINE_MAX];

	return put(c, line, csv_header_text(c, line), e);
}

int csv_row(const struct csv *c, const double *row, struct err *e)
{
	char line[CSV_LINE_MAX];

	return put(c, line, csv_row_text(c, row, line), e);
}

int csv_close(struct csv *c, struct err *e)
{
	int fd = c->fd;

	c->fd = -1;
	/* Interrupted, it is closed all the same. */
	return fd >= 0 && close(fd) && errno != EINTR ? fail(c, errno, e) : 0;
}
