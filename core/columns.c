/* columns: rows turned into columns, in a file without a name. */
#include "columns.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"

#define BLOCK 512 /* rows that are turned at a time */

struct columns {
	int fd;
	size_t rows, n;
	enum metric_id id[METRIC_COUNT]; /* n of them */
	double cells[METRIC_COUNT][BLOCK];
};

/* O_TMPFILE where the file system has it. */
static int nameless(const char *beside)
{
	const char *slash = strrchr(beside, '/');
	struct buf folder = {0}, name = {0};
	int fd = -1;

	buf_add(&folder, slash ? beside : ".", slash ? (size_t)(slash - beside) + 1 : 1);
	buf_printf(&name, "%s.XXXXXX", beside);
	if (!folder.failed && !name.failed) {
		fd = open(buf_cstr(&folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		if (fd < 0)
			fd = mkostemp(name.s, O_CLOEXEC);
		else
			name.s[0] = '\0';
	}
	if (fd >= 0 && *name.s)
		unlink(name.s);
	buf_free(&folder);
	buf_free(&name);
	return fd;
}

static off_t place(const struct columns *c, size_t column, size_t row)
{
	return (off_t)((column * c->rows + row) * sizeof(double));
}

static int put(const struct columns *c, size_t column, size_t row, size_t n)
{
	const char *p = (const char *)c->cells[column];
	off_t at = place(c, column, row);

	n *= sizeof(double);
	while (n) {
		ssize_t w = pwrite(c->fd, p, n, at);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return -1;
		p += w;
		at += w;
		n -= (size_t)w;
	}
	return 0;
}

/* A part of the block at a time: the source has its rows at hand until others are asked for. */
static int turn_block(struct columns *c, const struct snapshot_source *from, size_t row, size_t n)
{
	for (size_t done = 0, many; done < n; done += many) {
		many = n - done < SNAPSHOT_AT_HAND ? n - done : SNAPSHOT_AT_HAND;
		for (size_t i = 0; i < c->n; i++)
			if (from->fetch(from->ctx, c->id[i], row + done, many, &c->cells[i][done],
			                NULL))
				return -1;
	}
	for (size_t i = 0; i < c->n; i++)
		if (put(c, i, row, n))
			return -1;
	return 0;
}

struct columns *columns_spread(const struct snapshot_source *from, const enum metric_id *id,
                               size_t n, const char *beside)
{
	struct columns *c = malloc(sizeof *c);

	if (!c)
		return NULL;
	c->rows = from->rows;
	c->n = n;
	memcpy(c->id, id, n * sizeof *id);
	c->fd = nameless(beside);
	for (size_t row = 0; c->fd >= 0 && row < c->rows; row += BLOCK)
		if (turn_block(c, from, row, c->rows - row < BLOCK ? c->rows - row : BLOCK)) {
			columns_free(c);
			return NULL;
		}
	if (c->fd >= 0)
		return c;
	free(c);
	return NULL;
}

static int fetch(void *ctx, enum metric_id id, size_t from, size_t n, double *out, struct err *e)
{
	const struct columns *c = ctx;
	char *p = (char *)out;
	size_t column = 0;
	off_t at;

	while (column < c->n && c->id[column] != id)
		column++;
	if (column == c->n) {
		for (size_t i = 0; i < n; i++)
			out[i] = NAN;
		return 0;
	}
	at = place(c, column, from);
	n *= sizeof(double);
	while (n) {
		ssize_t r = pread(c->fd, p, n, at);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return err_set(e, "the columns of the journal: cannot be read again");
		p += r;
		at += r;
		n -= (size_t)r;
	}
	return 0;
}

struct snapshot_source columns_source(struct columns *c)
{
	return (struct snapshot_source){c->rows, fetch, c};
}

void columns_free(struct columns *c)
{
	if (!c)
		return;
	close(c->fd);
	free(c);
}
