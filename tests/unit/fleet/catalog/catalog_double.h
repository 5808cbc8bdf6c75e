/*
 * catalog_double: a catalog that remembers what was put into it, for tests of the scan alone.
 */
#ifndef TESTS_UNIT_FLEET_CATALOG_CATALOG_DOUBLE_H
#define TESTS_UNIT_FLEET_CATALOG_CATALOG_DOUBLE_H

#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/catalog.h"

#define DOUBLE_RUNS    4096
#define DOUBLE_FOLDERS 64

struct catalog {
	struct {
		char *path;
		int64_t size, mtime_ns;
		double wall;
	} run[DOUBLE_RUNS];
	size_t n, asked, puts, largest;
	bool fails;
	struct {
		char *path;
		int64_t changed_ns;
	} folder[DOUBLE_FOLDERS];
	size_t n_folders;
	struct rtrack_row last;
};

static inline size_t double_find(const struct catalog *c, const char *path)
{
	size_t i = 0;

	while (i < c->n && strcmp(c->run[i].path, path) != 0)
		i++;
	return i;
}

int catalog_missing(struct catalog *c, const struct catalog_source *v, size_t n, bool *missing,
                    struct err *e)
{
	(void)e;
	c->asked += n;
	for (size_t i = 0; i < n; i++) {
		size_t at = double_find(c, v[i].path);
		missing[i] = at == c->n || c->run[at].size != v[i].size ||
		             c->run[at].mtime_ns != v[i].mtime_ns;
	}
	return 0;
}

int catalog_put(struct catalog *c, const struct catalog_run *v, size_t n, struct err *e)
{
	if (c->fails)
		return err_set(e, "the disk is full");
	c->puts++;
	c->largest = n > c->largest ? n : c->largest;
	for (size_t i = 0; i < n; i++) {
		size_t at = double_find(c, v[i].source.path);
		if (at == c->n && c->n++ == DOUBLE_RUNS)
			abort();
		if (!c->run[at].path)
			c->run[at].path = strdup(v[i].source.path);
		c->run[at].size = v[i].source.size;
		c->run[at].mtime_ns = v[i].source.mtime_ns;
		c->run[at].wall = v[i].row->of[RTRACK_ROW_WALL].number;
		c->last = *v[i].row; /* its texts point into the original: for numbers only */
	}
	return 0;
}

static inline void double_free(struct catalog *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->run[i].path);
	for (size_t i = 0; i < c->n_folders; i++)
		free(c->folder[i].path);
	free(c);
}

int catalog_each_closed(struct catalog *c, catalog_each_folder *each, void *ctx, struct err *e)
{
	for (size_t i = 0; i < c->n_folders; i++) {
		struct catalog_folder f = {c->folder[i].path, c->folder[i].changed_ns};
		if (each(ctx, &f, e))
			return -1;
	}
	return 0;
}

int catalog_close_folders(struct catalog *c, const struct catalog_folder *v, size_t n,
                          struct err *e)
{
	(void)e;
	for (size_t i = 0, k; i < n; i++) {
		for (k = 0; k < c->n_folders && strcmp(c->folder[k].path, v[i].path) != 0; k++)
			;
		if (k == c->n_folders && c->n_folders++ == DOUBLE_FOLDERS)
			abort();
		if (!c->folder[k].path)
			c->folder[k].path = strdup(v[i].path);
		c->folder[k].changed_ns = v[i].changed_ns;
	}
	return 0;
}

/* What is never asked of this one: it has no jobs of a scheduler, and no pages. */
int catalog_bulk(struct catalog *c, bool begin, struct err *e)
{
	(void)c, (void)begin, (void)e;
	return 0;
}

/* catalog_list.h has another struct catalog. */
struct catalog_result;
typedef int double_each(void *ctx, const struct catalog_result *v, struct err *e);
int catalog_list_sources(struct catalog *c, const char *const *source, size_t n, double_each *each,
                         void *ctx, struct err *e);
int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, bool accounted,
                      double_each *each, void *ctx, struct err *e);
int catalog_list_any_recorded(struct catalog *c, double_each *each, void *ctx, struct err *e);

int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, bool accounted,
                      double_each *each, void *ctx, struct err *e)
{
	(void)c, (void)id, (void)n, (void)accounted, (void)each, (void)ctx, (void)e;
	return 0;
}

int catalog_list_any_recorded(struct catalog *c, double_each *each, void *ctx, struct err *e)
{
	(void)c, (void)each, (void)ctx, (void)e;
	return 0;
}

int catalog_list_sources(struct catalog *c, const char *const *source, size_t n, double_each *each,
                         void *ctx, struct err *e)
{
	(void)c, (void)source, (void)n, (void)each, (void)ctx, (void)e;
	return 0;
}

int catalog_each_page(struct catalog *c, catalog_each_run *each, void *ctx, struct err *e)
{
	(void)c, (void)each, (void)ctx, (void)e;
	return 0;
}

int catalog_each_start(struct catalog *c, const struct rtrack_row *const *row, size_t n,
                       catalog_each_run *each, void *ctx, struct err *e)
{
	(void)c, (void)row, (void)n, (void)each, (void)ctx, (void)e;
	return 0;
}

int catalog_forget(struct catalog *c, const char *source, double before, size_t *n, struct err *e)
{
	(void)c, (void)source, (void)before, (void)n, (void)e;
	return 0;
}

#endif
