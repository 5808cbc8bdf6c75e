/* frame: columns of doubles. */
#include "core/frame.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/column_file.h"

/* 1 GiB. A small file can ask for much memory: one long column makes all others as long. */
#define CELLS_MAX ((size_t)128 << 20)

static int no_memory(struct err *e, size_t rows)
{
	return err_set(e, "no memory for %zu rows", rows);
}

static int resize(struct frame *f, enum metric_id id, size_t cap, struct err *e)
{
	double *col = realloc(f->col[id], cap * sizeof *col);

	if (!col)
		return no_memory(e, cap);
	f->col[id] = col;
	f->cap[id] = cap;
	return 0;
}

/* -- the file ------------------------------------------------------------------------------------
 * Memory holds the end of each column: at least its last cell, at most a part. */

static int file_part(struct frame *f, int id)
{
	if (column_file_add(f->file, (size_t)id, f->col[id]))
		return -1;
	f->filed[id] += COLUMN_FILE_PART;
	return 0;
}

static int file_column(struct frame *f, int id)
{
	size_t done = 0, cells = f->len[id] - f->filed[id];

	for (; cells - done > COLUMN_FILE_PART; done += COLUMN_FILE_PART)
		if (column_file_add(f->file, (size_t)id, f->col[id] + done))
			return -1;
	memmove(f->col[id], f->col[id] + done, (cells - done) * sizeof *f->col[id]);
	f->filed[id] += done;
	return resize(f, (enum metric_id)id, COLUMN_FILE_PART, NULL);
}

/* Moves all cells back into memory, for good. */
static int unfile(struct frame *f, struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		size_t filed = f->filed[id], end = f->len[id] - filed, cap = 256;
		double *col;
		if (!filed)
			continue;
		while (cap < f->len[id] || cap % COLUMN_FILE_PART)
			cap *= 2;
		col = malloc(cap * sizeof *col);
		if (!col)
			return no_memory(e, cap);
		memcpy(col + filed, f->col[id], end * sizeof *col);
		free(f->col[id]);
		f->col[id] = col;
		f->cap[id] = cap;
		f->filed[id] = 0;
		for (size_t i = 0; i < filed / COLUMN_FILE_PART; i++)
			if (column_file_get(f->file, (size_t)id, i, col + i * COLUMN_FILE_PART))
				return err_set(e, "a temporary file: %s", strerror(errno));
	}
	column_file_free(f->file);
	f->file = NULL;
	f->stay = true;
	return 0;
}

static int go_to_file(struct frame *f, struct err *e)
{
	f->file = column_file_new(METRIC_COUNT);
	f->stay = !f->file;
	for (int id = 0; f->file && id < METRIC_COUNT; id++)
		if (f->col[id] && file_column(f, id))
			return unfile(f, e);
	return 0;
}

/* -- appending --------------------------------------------------------------------------------- */

static size_t cells_of_others(const struct frame *f, enum metric_id id)
{
	size_t cells = 0;

	for (int other = 0; other < METRIC_COUNT; other++)
		cells += other == (int)id ? 0 : f->filed[other] + f->cap[other];
	return cells;
}

/* Makes room for one more cell of a column whose memory is full. */
static int grow(struct frame *f, enum metric_id id, struct err *e)
{
	size_t cap = f->cap[id] ? f->cap[id] * 2 : 256, others = cells_of_others(f, id);

	if (f->len[id] >= FRAME_ROWS_MAX)
		return err_set(e, "more than %zu rows", FRAME_ROWS_MAX);
	if (others + f->len[id] + (f->file ? COLUMN_FILE_PART : cap - f->cap[id]) > CELLS_MAX)
		return err_set(e, "more than %zu cells", CELLS_MAX);
	f->full = f->cells_max && frame_cells(f) >= f->cells_max;
	if (f->full)
		return err_set(e, "more than %zu cells", f->cells_max);
	if (!f->file && !f->stay && others + cap > FRAME_MEMORY && go_to_file(f, e))
		return -1;
	if (!f->file)
		return resize(f, id, cap, e);
	if (!f->col[id])
		return resize(f, id, COLUMN_FILE_PART, e);
	if (f->len[id] - f->filed[id] < f->cap[id])
		return 0;
	return file_part(f, (int)id) == 0 ? 0 : unfile(f, e);
}

int frame_push(struct frame *f, enum metric_id id, double v, struct err *e)
{
	if (f->len[id] - f->filed[id] >= f->cap[id] && grow(f, id, e))
		return -1;
	f->col[id][f->len[id]++ - f->filed[id]] = v;
	return 0;
}

int frame_push_all(struct frame *f, enum metric_id id, const double *v, size_t n, struct err *e)
{
	while (n) {
		size_t at = f->len[id] - f->filed[id], room, part;
		if (at >= f->cap[id] && grow(f, id, e))
			return -1;
		at = f->len[id] - f->filed[id]; /* grow may have written a part to the file */
		room = f->cap[id] - at;
		part = n < room ? n : room;
		memcpy(f->col[id] + at, v, part * sizeof *v);
		f->len[id] += part;
		v += part;
		n -= part;
	}
	return 0;
}

void frame_replace(struct frame *f, enum metric_id id, double v)
{
	f->col[id][f->len[id] - 1 - f->filed[id]] = v;
}

void frame_clear(struct frame *f, enum metric_id id)
{
	f->len[id] = f->filed[id] = 0;
	if (f->file)
		column_file_clear(f->file, (size_t)id);
}

/* -- the end ----------------------------------------------------------------------------------- */

static bool is_mapped(const struct frame *f, int id)
{
	return f->col[id] && !f->cap[id];
}

/* Writes the ends of all columns to the file. */
static int file_ends(struct frame *f)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		if (!f->col[id])
			continue;
		for (size_t i = f->len[id] - f->filed[id]; i < COLUMN_FILE_PART; i++)
			f->col[id][i] = NAN;
		if (column_file_add(f->file, (size_t)id, f->col[id]))
			return -1;
	}
	return 0;
}

static int map_columns(struct frame *f, struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		double *map = f->col[id] ? column_file_map(f->file, (size_t)id) : NULL;
		if (!f->col[id])
			continue;
		if (!map)
			return no_memory(e, f->rows);
		free(f->col[id]);
		f->col[id] = map;
		f->cap[id] = 0;
		f->filed[id] = f->len[id];
	}
	return 0;
}

int frame_square(struct frame *f, struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (f->len[id] > f->rows)
			f->rows = f->len[id];
	for (int id = 0; id < METRIC_COUNT; id++)
		while (f->col[id] && f->len[id] < f->rows)
			if (frame_push(f, (enum metric_id)id, NAN, e))
				return -1;
	if (f->file && file_ends(f))
		return unfile(f, e);
	return f->file ? map_columns(f, e) : 0;
}

bool frame_has(const struct frame *f, enum metric_id id)
{
	return f->col[id] != NULL;
}

const double *frame_col(const struct frame *f, enum metric_id id)
{
	return f->col[id];
}

static int change_filed(struct frame *f, int id, double (*what)(double v, const void *ctx),
                        const void *ctx, struct err *e)
{
	double *part = malloc(COLUMN_FILE_PART * sizeof *part);
	int failed = 0;

	if (!part)
		return no_memory(e, COLUMN_FILE_PART);
	for (size_t i = 0; !failed && i * COLUMN_FILE_PART < f->len[id]; i++) {
		failed = column_file_get(f->file, (size_t)id, i, part);
		for (size_t k = 0; !failed && k < COLUMN_FILE_PART; k++)
			part[k] = what(part[k], ctx);
		if (failed || column_file_put(f->file, (size_t)id, i, part))
			failed = err_set(e, "a temporary file: %s", strerror(errno));
	}
	free(part);
	return failed;
}

int frame_change(struct frame *f, enum metric_id id, double (*what)(double v, const void *ctx),
                 const void *ctx, struct err *e)
{
	if (is_mapped(f, (int)id))
		return change_filed(f, (int)id, what, ctx, e);
	for (size_t i = 0; f->col[id] && i < f->rows; i++)
		f->col[id][i] = what(f->col[id][i], ctx);
	return 0;
}

void frame_rest(const struct frame *f)
{
	if (f->file)
		column_file_rest(f->file);
}

size_t frame_cells(const struct frame *f)
{
	size_t cells = 0;

	for (int id = 0; id < METRIC_COUNT; id++)
		cells += f->len[id];
	return cells;
}

void frame_free(struct frame *f)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (!is_mapped(f, id))
			free(f->col[id]);
	column_file_free(f->file);
	*f = (struct frame){0};
}
