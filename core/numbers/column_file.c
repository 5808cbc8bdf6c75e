/* column_file: growing columns of doubles in an unnamed temporary file. */
#include "core/numbers/column_file.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/tmpfile.h"

#define PART_SIZE (COLUMN_FILE_PART * sizeof(double))

struct column {
	unsigned *place;  /* of each part in the file, counted in parts */
	size_t n, placed; /* parts in use; places allocated */
	void *map;        /* NULL: none */
	size_t map_size;  /* bytes */
};

struct column_file {
	int fd;
	unsigned parts; /* of the file */
	size_t n;
	struct column c[];
};

struct column_file *column_file_new(size_t n)
{
	struct column_file *s = calloc(1, sizeof *s + n * sizeof *s->c);

	if (!s)
		return NULL;
	s->n = n;
	s->fd = tmpfile_temporary();
	if (s->fd >= 0)
		return s;
	free(s);
	return NULL;
}

static off_t part_offset(const struct column *c, size_t i)
{
	return (off_t)c->place[i] * (off_t)PART_SIZE;
}

int column_file_add(struct column_file *s, size_t column, const double *part)
{
	struct column *c = &s->c[column];

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

int column_file_get(const struct column_file *s, size_t column, size_t i, double *part)
{
	return tmpfile_read(s->fd, part, PART_SIZE, part_offset(&s->c[column], i));
}

int column_file_put(const struct column_file *s, size_t column, size_t i, const double *part)
{
	return tmpfile_write(s->fd, part, PART_SIZE, part_offset(&s->c[column], i));
}

void column_file_clear(struct column_file *s, size_t column)
{
	s->c[column].n = 0;
}

/* The number of parts from i on that are adjacent in the file: one mmap(2) serves them. */
static size_t adjacent_parts(const struct column *c, size_t i)
{
	size_t n = 1;

	while (i + n < c->n && c->place[i + n] == c->place[i] + n)
		n++;
	return n;
}

double *column_file_map(struct column_file *s, size_t column)
{
	struct column *c = &s->c[column];
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

void column_file_rest(const struct column_file *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->c[i].map)
			madvise(s->c[i].map, s->c[i].map_size, MADV_DONTNEED);
}

void column_file_free(struct column_file *s)
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
