/* journal_turned: a long journal's rows as columns, in an unnamed file. */
#include "core/files/journal_turned.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/tmpfile.h"

#define CELLS_MAX (512 * METRIC_COUNT) /* turned at a time */

bool journal_turned_column(const enum metric_id *columns, size_t n_columns, enum metric_id id,
                           size_t *column, double *out, size_t n)
{
	for (*column = 0; *column < n_columns; ++*column)
		if (columns[*column] == id)
			return true;
	for (size_t i = 0; i < n; i++)
		out[i] = NAN;
	return false;
}

static off_t cell_offset(const struct journal_turned *t, size_t column, size_t row)
{
	return (off_t)((column * t->rows + row) * sizeof(double));
}

/* As many rows at a time as the source keeps, so all columns come from one read. */
static int turn_block(const struct journal_turned *t, const struct snapshot_source *from,
                      double *cells, size_t row, size_t n)
{
	for (size_t done = 0, many; done < n; done += many) {
		many = n - done < from->at_hand ? n - done : from->at_hand;
		for (size_t i = 0; i < t->n_columns; i++)
			if (from->fetch(from->ctx, t->columns[i], row + done, many,
			                &cells[i * n + done], NULL))
				return -1;
	}
	for (size_t i = 0; i < t->n_columns; i++)
		if (tmpfile_write(t->fd, cells + i * n, n * sizeof *cells, cell_offset(t, i, row)))
			return -1;
	return 0;
}

/* The block is given back at once: the snapshot's own buffers then take its place. */
static int turn_rows(const struct journal_turned *t, const struct snapshot_source *from)
{
	size_t block = t->n_columns ? CELLS_MAX / t->n_columns : 0;
	double *cells = block ? malloc(CELLS_MAX * sizeof *cells) : NULL;
	int failed = cells ? 0 : -1;

	for (size_t row = 0; !failed && row < from->rows; row += block)
		failed = turn_block(t, from, cells, row,
		                    from->rows - row < block ? from->rows - row : block);
	free(cells);
	return failed;
}

static int fetch_turned(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                        struct err *e)
{
	const struct journal_turned *t = ctx;
	size_t column;

	if (journal_turned_column(t->columns, t->n_columns, id, &column, out, n) &&
	    tmpfile_read(t->fd, out, n * sizeof *out, cell_offset(t, column, from)))
		return err_set(e, "the journal's columns cannot be read again");
	return 0;
}

struct snapshot_source journal_turned_make(struct journal_turned *t,
                                           const struct snapshot_source *from, const char *beside,
                                           const enum metric_id *columns, size_t n_columns)
{
	*t = (struct journal_turned){tmpfile_beside(beside), from->rows, n_columns, columns};
	if (t->fd < 0 || turn_rows(t, from)) {
		journal_turned_close(t);
		return *from;
	}
	return (struct snapshot_source){.rows = from->rows, .fetch = fetch_turned, .ctx = t};
}

void journal_turned_close(struct journal_turned *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}
