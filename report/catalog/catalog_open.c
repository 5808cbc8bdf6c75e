/* catalog_open: opening a catalog, adding and forgetting, by its engine. */
#include "report/catalog/catalog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/catalog/catalog_sql.h"

static bool is_address(const char *place)
{
	return strncmp(place, "http://", 7) == 0 || strncmp(place, "https://", 8) == 0;
}

struct catalog *catalog_open(const char *place, enum catalog_use use,
                             const struct catalog_fetcher *fetcher, struct err *e)
{
	struct catalog *c = calloc(1, sizeof *c);
	int failed;

	if (!c) {
		err_set(e, "%s", strerror(ENOMEM));
		return NULL;
	}
	failed = place && is_address(place)
	             ? catalog_clickhouse_open(place, use, fetcher, &c->engine, e)
	             : catalog_sqlite_open(place, use, &c->engine, e);
	if (!failed) {
		snprintf(c->place, sizeof c->place, "%s", place ? place : "the runs in memory");
		return c;
	}
	free(c);
	return NULL;
}

void catalog_close(struct catalog *c)
{
	if (!c)
		return;
	c->engine.close(c->engine.self);
	free(c);
}

int catalog_missing(struct catalog *c, const struct catalog_source *v, size_t n, bool *missing,
                    struct err *e)
{
	return n ? c->engine.missing(c->engine.self, v, n, missing, e) : 0;
}

int catalog_put(struct catalog *c, const struct catalog_run *v, size_t n, struct err *e)
{
	return n ? c->engine.put(c->engine.self, v, n, e) : 0;
}

int catalog_forget(struct catalog *c, const char *source, size_t *n, struct err *e)
{
	return c->engine.forget(c->engine.self, source, n, e);
}

int catalog_query_check(const struct catalog_query *q, struct err *e)
{
	struct catalog_asked a;

	return catalog_asked_read(q, &a, e);
}

int catalog_keep(struct catalog *c, const struct catalog_query *q, struct err *e)
{
	bool keep[CATALOG_COLUMNS] = {[CATALOG_COLUMN_MACHINE] = true, [RTRACK_ROW_START] = true,
	                              [RTRACK_ROW_HOST] = true,        [RTRACK_ROW_USER] = true,
	                              [CATALOG_COLUMN_CLASS] = true,   [CATALOG_COLUMN_OOM] = true};
	struct catalog_asked a;

	if (catalog_asked_read(q, &a, e))
		return -1;
	if (!c->engine.keep)
		return 0;
	for (size_t i = 0; i < a.n_keys; i++)
		keep[a.key[i].column] = true;
	for (size_t i = 0; i < a.n_where; i++)
		keep[a.where[i].key.column] = true;
	return c->engine.keep(c->engine.self, keep, e);
}
