/* frame: columns of doubles. */
#include "core/numbers/frame.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/column_file.h"

/* 1 GiB. A small file can ask for much memory: one long column makes all others as long. */
#define CELLS_MAX ((size_t)128 << 20)

static int no_memory(struct err *e, size_t rows)
{
	return err_set(e, "no memory for %zu rows", rows);
}

/* How many columns there is a place for: all or none. */
static int columns_of(const struct frame *f)
{
	return f->column ? METRIC_COUNT : 0;
}

static int resize(struct frame_column *c, size_t cap, struct err *e)
{
	double *cell = realloc(c->cell, cap * sizeof *cell);

	if (!cell)
		return no_memory(e, cap);
	c->cell = cell;
	c->cap = cap;
	return 0;
}

/* -- the file ------------------------------------------------------------------------------------
 * Memory holds the end of each column: at least its last cell, at most a part. */

static int file_part(struct frame *f, int id)
{
	struct frame_column *c = &f->column[id];

	if (column_file_add(f->file, (size_t)id, c->cell))
		return -1;
	c->filed += COLUMN_FILE_PART;
	return 0;
}

static int file_column(struct frame *f, int id)
{
	struct frame_column *c = &f->column[id];
	size_t done = 0, cells = c->len - c->filed;

	for (; cells - done > COLUMN_FILE_PART; done += COLUMN_FILE_PART)
		if (column_file_add(f->file, (size_t)id, c->cell + done))
			return -1;
	memmove(c->cell, c->cell + done, (cells - done) * sizeof *c->cell);
	c->filed += done;
	return resize(c, COLUMN_FILE_PART, NULL);
}

/* Moves all cells back into memory, for good. */
static int unfile(struct frame *f, struct err *e)
{
	for (int id = 0; id < columns_of(f); id++) {
		struct frame_column *c = &f->column[id];
		size_t filed = c->filed, cap = 256;
		double *cell;
		if (!filed)
			continue;
		while (cap < c->len || cap % COLUMN_FILE_PART)
			cap *= 2;
		cell = malloc(cap * sizeof *cell);
		if (!cell)
			return no_memory(e, cap);
		memcpy(cell + filed, c->cell, (c->len - filed) * sizeof *cell);
		free(c->cell);
		*c = (struct frame_column){.cell = cell, .cap = cap, .len = c->len};
		for (size_t i = 0; i < filed / COLUMN_FILE_PART; i++)
			if (column_file_get(f->file, (size_t)id, i, cell + i * COLUMN_FILE_PART))
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
	for (int id = 0; f->file && id < columns_of(f); id++)
		if (f->column[id].cell && file_column(f, id))
			return unfile(f, e);
	return 0;
}

/* -- appending --------------------------------------------------------------------------------- */

static size_t cells_of_others(const struct frame *f, enum metric_id id)
{
	size_t cells = 0;

	for (int other = 0; other < columns_of(f); other++)
		cells += other == (int)id ? 0 : f->column[other].filed + f->column[other].cap;
	return cells;
}

static bool has_room(const struct frame *f, enum metric_id id)
{
	return f->column && f->column[id].len - f->column[id].filed < f->column[id].cap;
}

/* Makes room for one more cell of a column whose memory is full. */
static int grow(struct frame *f, enum metric_id id, struct err *e)
{
	struct frame_column *c;
	size_t cap, others;

	if (!f->column)
		f->column = calloc(METRIC_COUNT, sizeof *f->column);
	if (!f->column)
		return no_memory(e, 1);
	c = &f->column[id];
	cap = c->cap ? c->cap * 2 : 256;
	others = cells_of_others(f, id);
	if (c->len >= FRAME_ROWS_MAX)
		return err_set(e, "more than %zu rows", FRAME_ROWS_MAX);
	if (others + c->len + (f->file ? COLUMN_FILE_PART : cap - c->cap) > CELLS_MAX)
		return err_set(e, "more than %zu cells", CELLS_MAX);
	f->full = f->cells_max && frame_cells(f) >= f->cells_max;
	if (f->full)
		return err_set(e, "more than %zu cells", f->cells_max);
	if (!f->file && !f->stay && others + cap > FRAME_MEMORY && go_to_file(f, e))
		return -1;
	if (!f->file)
		return resize(c, cap, e);
	if (!c->cell)
		return resize(c, COLUMN_FILE_PART, e);
	if (has_room(f, id))
		return 0;
	return file_part(f, (int)id) == 0 ? 0 : unfile(f, e);
}

int frame_push(struct frame *f, enum metric_id id, double v, struct err *e)
{
	struct frame_column *c;

	if (!has_room(f, id) && grow(f, id, e))
		return -1;
	c = &f->column[id];
	c->cell[c->len++ - c->filed] = v;
	return 0;
}

int frame_push_all(struct frame *f, enum metric_id id, const double *v, size_t n, struct err *e)
{
	while (n) {
		struct frame_column *c;
		size_t at, room, part;
		if (!has_room(f, id) && grow(f, id, e))
			return -1;
		c = &f->column[id];
		at = c->len - c->filed;
		room = c->cap - at;
		part = n < room ? n : room;
		memcpy(c->cell + at, v, part * sizeof *v);
		c->len += part;
		v += part;
		n -= part;
	}
	return 0;
}

void frame_replace(struct frame *f, enum metric_id id, double v)
{
	struct frame_column *c = &f->column[id];

	c->cell[c->len - 1 - c->filed] = v;
}

void frame_clear(struct frame *f, enum metric_id id)
{
	if (f->column)
		f->column[id].len = f->column[id].filed = 0;
	if (f->file)
		column_file_clear(f->file, (size_t)id);
}

size_t frame_len(const struct frame *f, enum metric_id id)
{
	return f->column ? f->column[id].len : 0;
}

/* -- the end ----------------------------------------------------------------------------------- */

static bool is_mapped(const struct frame *f, int id)
{
	return f->column[id].cell && !f->column[id].cap;
}

/* Writes the ends of all columns to the file. */
static int file_ends(struct frame *f)
{
	for (int id = 0; id < columns_of(f); id++) {
		struct frame_column *c = &f->column[id];
		if (!c->cell)
			continue;
		for (size_t i = c->len - c->filed; i < COLUMN_FILE_PART; i++)
			c->cell[i] = NAN;
		if (column_file_add(f->file, (size_t)id, c->cell))
			return -1;
	}
	return 0;
}

static int map_columns(struct frame *f, struct err *e)
{
	for (int id = 0; id < columns_of(f); id++) {
		struct frame_column *c = &f->column[id];
		double *map = c->cell ? column_file_map(f->file, (size_t)id) : NULL;
		if (!c->cell)
			continue;
		if (!map)
			return no_memory(e, f->rows);
		free(c->cell);
		*c = (struct frame_column){.cell = map, .filed = c->len, .len = c->len};
	}
	return 0;
}

int frame_square(struct frame *f, struct err *e)
{
	for (int id = 0; id < columns_of(f); id++)
		if (f->column[id].len > f->rows)
			f->rows = f->column[id].len;
	for (int id = 0; id < columns_of(f); id++)
		while (f->column[id].cell && f->column[id].len < f->rows)
			if (frame_push(f, (enum metric_id)id, NAN, e))
				return -1;
	if (f->file && file_ends(f))
		return unfile(f, e);
	return f->file ? map_columns(f, e) : 0;
}

bool frame_has(const struct frame *f, enum metric_id id)
{
	return frame_col(f, id) != NULL;
}

const double *frame_col(const struct frame *f, enum metric_id id)
{
	return f->column ? f->column[id].cell : NULL;
}

static int change_filed(struct frame *f, int id, double (*what)(double v, const void *ctx),
                        const void *ctx, struct err *e)
{
	double *part = malloc(COLUMN_FILE_PART * sizeof *part);
	int failed = 0;

	if (!part)
		return no_memory(e, COLUMN_FILE_PART);
	for (size_t i = 0; !failed && i * COLUMN_FILE_PART < f->column[id].len; i++) {
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
	double *cell = f->column ? f->column[id].cell : NULL;

	if (cell && is_mapped(f, (int)id))
		return change_filed(f, (int)id, what, ctx, e);
	for (size_t i = 0; cell && i < f->rows; i++)
		cell[i] = what(cell[i], ctx);
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

	for (int id = 0; id < columns_of(f); id++)
		cells += f->column[id].len;
	return cells;
}

void frame_free(struct frame *f)
{
	for (int id = 0; id < columns_of(f); id++)
		if (!is_mapped(f, id))
			free(f->column[id].cell);
	free(f->column);
	column_file_free(f->file);
	*f = (struct frame){0};
}
