/* journal_columns: a journal's rows, transposed into columns. */
#include "core/recording/journal_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/tmpfile.h"
#include "core/recording/journal_record.h"

#define BLOCK (512 * METRIC_COUNT) /* cells transposed at a time */

struct journal_columns {
	int fd;
	size_t rows, n;
	enum metric_id id[RECORD_COLUMNS_MAX]; /* n of them */
	size_t block;                          /* rows transposed at a time */
	double *cells;                         /* BLOCK; while spreading */
};

static off_t cell_offset(const struct journal_columns *c, size_t column, size_t row)
{
	return (off_t)((column * c->rows + row) * sizeof(double));
}

/* So many rows at a time as the source keeps, so all columns come from one read. */
static int turn_block(struct journal_columns *c, const struct snapshot_source *from, size_t row,
                      size_t n)
{
	size_t at_hand = from->at_hand ? from->at_hand : SNAPSHOT_AT_HAND;

	for (size_t done = 0, many; done < n; done += many) {
		many = n - done < at_hand ? n - done : at_hand;
		for (size_t i = 0; i < c->n; i++)
			if (from->fetch(from->ctx, c->id[i], row + done, many,
			                &c->cells[i * c->block + done], NULL))
				return -1;
	}
	for (size_t i = 0; i < c->n; i++)
		if (tmpfile_write(c->fd, c->cells + i * c->block, n * sizeof(double),
		                  cell_offset(c, i, row)))
			return -1;
	return 0;
}

/* The block is given back at once: the snapshot's own buffers then take its place. */
static int turn_all(struct journal_columns *c, const struct snapshot_source *from)
{
	int failed = 0;

	c->cells = malloc(BLOCK * sizeof *c->cells);
	if (!c->cells)
		return -1;
	for (size_t row = 0; !failed && row < c->rows; row += c->block)
		failed =
		    turn_block(c, from, row, c->rows - row < c->block ? c->rows - row : c->block);
	free(c->cells);
	return failed;
}

struct journal_columns *journal_columns_spread(const struct snapshot_source *from,
                                               const enum metric_id *id, size_t n,
                                               const char *beside)
{
	struct journal_columns *c = malloc(sizeof *c);

	if (!c)
		return NULL;
	c->rows = from->rows;
	c->n = n;
	c->block = n ? BLOCK / n : BLOCK;
	c->block = c->rows < c->block ? c->rows : c->block; /* touches less memory */
	memcpy(c->id, id, n * sizeof *id);
	c->fd = tmpfile_beside(beside);
	if (c->fd >= 0 && turn_all(c, from) == 0)
		return c;
	if (c->fd >= 0)
		close(c->fd);
	free(c);
	return NULL;
}

static int fetch_columns(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                         struct err *e)
{
	const struct journal_columns *c = ctx;
	size_t column = 0;

	while (column < c->n && c->id[column] != id)
		column++;
	if (column == c->n) {
		for (size_t i = 0; i < n; i++)
			out[i] = NAN;
		return 0;
	}
	if (tmpfile_read(c->fd, out, n * sizeof *out, cell_offset(c, column, from)))
		return err_set(e, "the columns of the journal: cannot be read again");
	return 0;
}

struct snapshot_source journal_columns_source(struct journal_columns *c)
{
	return (struct snapshot_source){.rows = c->rows, .fetch = fetch_columns, .ctx = c};
}

void journal_columns_free(struct journal_columns *c)
{
	if (!c)
		return;
	close(c->fd);
	free(c);
}
