/* spill: columns of doubles in a file without a name. */
#include "spill.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nameless.h"

#define PART_SIZE (SPILL_PART * sizeof(double))

struct column {
	unsigned *place;  /* of each part in the file, counted in parts */
	size_t n, placed; /* parts that it has; places that it has */
	void *map;        /* NULL: none */
	size_t map_size;  /* bytes */
};

struct spill {
	int fd;
	unsigned parts; /* of the file */
	size_t n;
	struct column c[];
};

struct spill *spill_new(size_t n)
{
	struct spill *s = calloc(1, sizeof *s + n * sizeof *s->c);

	if (!s)
		return NULL;
	s->n = n;
	s->fd = nameless_temporary();
	if (s->fd >= 0)
		return s;
	free(s);
	return NULL;
}

static off_t offset(const struct column *c, size_t i)
{
	return (off_t)c->place[i] * (off_t)PART_SIZE;
}

int spill_add(struct spill *s, size_t column, const double *part)
{
	struct column *c = &s->c[column];

	if (c->n == c->placed) {
		unsigned *place = reallocarray(c->place, c->placed + 1, sizeof *place);
		if (!place)
			return -1;
		c->place = place;
		place[c->placed++] = s->parts++;
	}
	if (nameless_write(s->fd, part, PART_SIZE, offset(c, c->n)))
		return -1;
	c->n++;
	return 0;
}

int spill_get(const struct spill *s, size_t column, size_t i, double *part)
{
	return nameless_read(s->fd, part, PART_SIZE, offset(&s->c[column], i));
}

int spill_put(const struct spill *s, size_t column, size_t i, const double *part)
{
	return nameless_write(s->fd, part, PART_SIZE, offset(&s->c[column], i));
}

void spill_clear(struct spill *s, size_t column)
{
	s->c[column].n = 0;
}

/* How many parts from i on lie one after the other in the file. */
static size_t run_of(const struct column *c, size_t i)
{
	size_t n = 1;

	while (i + n < c->n && c->place[i + n] == c->place[i] + n)
		n++;
	return n;
}

double *spill_map(struct spill *s, size_t column)
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
		n = run_of(c, i);
		if (mmap(map + i * PART_SIZE, n * PART_SIZE, PROT_READ, MAP_SHARED | MAP_FIXED,
		         s->fd, offset(c, i)) == MAP_FAILED)
			return NULL;
	}
	return c->map;
}

void spill_rest(const struct spill *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->c[i].map)
			madvise(s->c[i].map, s->c[i].map_size, MADV_DONTNEED);
}

void spill_free(struct spill *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		if (s->c[i].map)
			munmap(s->c[i].map, s->c[i].map_size);
		free(s->c[i].place);
	}
	nameless_close(s->fd);
	free(s);
}
