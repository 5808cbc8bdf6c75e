/* frame: columns of doubles. */
#include "core/numbers/frame.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/tmpfile.h"

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
 * Columns grow in parts of FILE_PART cells, and are mapped into memory once they are complete. The
 * pages are the kernel's cache, not this process's memory: a week of 44 columns took 303 MiB in
 * memory and takes 28 MiB so. (For the collector's smaller columns of a known length see
 * journal.c.) */

#define FILE_PART 16384 /* cells */
#define PART_SIZE (FILE_PART * sizeof(double))

struct filed_column {
	unsigned *place;  /* of each part in the file, counted in parts */
	size_t n, placed; /* parts in use; places allocated */
	void *map;        /* NULL: none */
	size_t map_size;  /* bytes */
};

struct frame_file {
	int fd;
	unsigned parts; /* of the file */
	size_t n;
	struct filed_column c[];
};

static struct frame_file *file_new(size_t n)
{
	struct frame_file *s = calloc(1, sizeof *s + n * sizeof *s->c);

	if (!s)
		return NULL;
	s->n = n;
	s->fd = tmpfile_temporary();
	if (s->fd >= 0)
		return s;
	free(s);
	return NULL;
}

static off_t part_offset(const struct filed_column *c, size_t i)
{
	return (off_t)c->place[i] * (off_t)PART_SIZE;
}

static int file_add(struct frame_file *s, size_t column, const double *part)
{
	struct filed_column *c = &s->c[column];

	if (c->n == c->placed) {
		unsigned *place = reallocarray(c->place, c->placed + 1, sizeof *place);
		if (!place)
			return -1;
		c->place = place;
		place[c->placed++] = s->parts++;
	}
	if (tmpfile_write(s->fd, part, PART_SIZE, part_offset(c, c->n)))
		return -1;
	c->n++;
	return 0;
}

static int file_get(const struct frame_file *s, size_t column, size_t i, double *part)
{
	return tmpfile_read(s->fd, part, PART_SIZE, part_offset(&s->c[column], i));
}

static int file_put(const struct frame_file *s, size_t column, size_t i, const double *part)
{
	return tmpfile_write(s->fd, part, PART_SIZE, part_offset(&s->c[column], i));
}

static void file_clear(struct frame_file *s, size_t column)
{
	s->c[column].n = 0;
}

/* The number of parts from i on that are adjacent in the file: one mmap(2) serves them. */
static size_t adjacent_parts(const struct filed_column *c, size_t i)
{
	size_t n = 1;

	while (i + n < c->n && c->place[i + n] == c->place[i] + n)
		n++;
	return n;
}

static double *file_map(struct frame_file *s, size_t column)
{
	struct filed_column *c = &s->c[column];
	size_t size = c->n * PART_SIZE;
	char *map =
	    size ? mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;

	if (map == MAP_FAILED)
		return NULL;
	c->map = map;
	c->map_size = size;
	for (size_t i = 0, n; i < c->n; i += n) {
		n = adjacent_parts(c, i);
		if (mmap(map + i * PART_SIZE, n * PART_SIZE, PROT_READ, MAP_SHARED | MAP_FIXED,
		         s->fd, part_offset(c, i)) == MAP_FAILED)
			return NULL;
	}
	return c->map;
}

static void file_rest(const struct frame_file *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->c[i].map)
			madvise(s->c[i].map, s->c[i].map_size, MADV_DONTNEED);
}

static void file_free(struct frame_file *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		if (s->c[i].map)
			munmap(s->c[i].map, s->c[i].map_size);
		free(s->c[i].place);
	}
	tmpfile_close(s->fd);
	free(s);
}

/* -- going to the file ---------------------------------------------------------------------------
 * Memory holds the end of each column: at least its last cell, at most a part. */

static int file_part(struct frame *f, int id)
{
	struct frame_column *c = &f->column[id];

	if (file_add(f->file, (size_t)id, c->cell))
		return -1;
	c->filed += FILE_PART;
	return 0;
}

static int file_column(struct frame *f, int id)
{
	struct frame_column *c = &f->column[id];
	size_t done = 0, cells = c->len - c->filed;

	for (; cells - done > FILE_PART; done += FILE_PART)
		if (file_add(f->file, (size_t)id, c->cell + done))
			return -1;
	memmove(c->cell, c->cell + done, (cells - done) * sizeof *c->cell);
	c->filed += done;
	return resize(c, FILE_PART, NULL);
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
		while (cap < c->len || cap % FILE_PART)
			cap *= 2;
		cell = malloc(cap * sizeof *cell);
		if (!cell)
			return no_memory(e, cap);
		memcpy(cell + filed, c->cell, (c->len - filed) * sizeof *cell);
		free(c->cell);
		*c = (struct frame_column){.cell = cell, .cap = cap, .len = c->len};
		for (size_t i = 0; i < filed / FILE_PART; i++)
			if (file_get(f->file, (size_t)id, i, cell + i * FILE_PART))
				return err_set(e, "a temporary file: %s", strerror(errno));
	}
	file_free(f->file);
	f->file = NULL;
	f->stay = true;
	return 0;
}

static int go_to_file(struct frame *f, struct err *e)
{
	f->file = file_new(METRIC_COUNT);
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

/* Columns of one recording are equally long, so that growing takes one step. */
static size_t first_cap(const struct frame *f)
{
	size_t cap = 256;

	for (int id = 0; id < columns_of(f); id++)
		cap = f->column[id].len > cap ? f->column[id].len : cap;
	return cap;
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
	cap = c->cap ? c->cap * 2 : first_cap(f);
	others = cells_of_others(f, id);
	if (c->len >= FRAME_ROWS_MAX)
		return err_set(e, "more than %zu rows", FRAME_ROWS_MAX);
	if (others + c->len + (f->file ? FILE_PART : cap - c->cap) > CELLS_MAX)
		return err_set(e, "more than %zu cells", CELLS_MAX);
	f->full = f->cells_max && frame_cells(f) >= f->cells_max;
	if (f->full)
		return err_set(e, "more than %zu cells", f->cells_max);
	if (!f->file && !f->stay && others + cap > FRAME_MEMORY && go_to_file(f, e))
		return -1;
	if (!f->file)
		return resize(c, cap, e);
	if (!c->cell)
		return resize(c, FILE_PART, e);
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

double *frame_room(const struct frame *f, enum metric_id id, size_t *n)
{
	const struct frame_column *c = &f->column[id];
	size_t at = c->len - c->filed;

	*n = c->cap - at;
	return c->cell + at;
}

void frame_fill(struct frame *f, enum metric_id id, size_t n)
{
	f->column[id].len += n;
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
		file_clear(f->file, (size_t)id);
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
		for (size_t i = c->len - c->filed; i < FILE_PART; i++)
			c->cell[i] = NAN;
		if (file_add(f->file, (size_t)id, c->cell))
			return -1;
	}
	return 0;
}

static int map_columns(struct frame *f, struct err *e)
{
	for (int id = 0; id < columns_of(f); id++) {
		struct frame_column *c = &f->column[id];
		double *map = c->cell ? file_map(f->file, (size_t)id) : NULL;
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
	double *part = malloc(FILE_PART * sizeof *part);
	int rc = -1;

	if (!part)
		return no_memory(e, FILE_PART);
	for (size_t i = 0; i * FILE_PART < f->column[id].len; i++) {
		if (file_get(f->file, (size_t)id, i, part))
			goto out;
		for (size_t k = 0; k < FILE_PART; k++)
			part[k] = what(part[k], ctx);
		if (file_put(f->file, (size_t)id, i, part))
			goto out;
	}
	rc = 0;
out:
	if (rc)
		err_set(e, "a temporary file: %s", strerror(errno));
	free(part);
	return rc;
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

static double scale_cell(double v, const void *scale)
{
	v *= *(const double *)scale;
	return isinf(v) ? (double)NAN : v;
}

int frame_scale(struct frame *f, enum metric_id id, double scale, struct err *e)
{
	double *cell = f->column ? f->column[id].cell : NULL;

	if (cell && is_mapped(f, (int)id))
		return change_filed(f, (int)id, scale_cell, &scale, e);
	for (size_t i = 0; cell && i < f->rows; i++)
		cell[i] = scale_cell(cell[i], &scale);
	return 0;
}

void frame_rest(const struct frame *f)
{
	if (f->file)
		file_rest(f->file);
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
	file_free(f->file);
	*f = (struct frame){0};
}
