/* catalog_open: opening, adding and forgetting, by its engine; runs that may be there twice. */
#include "fleet/catalog/catalog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/journal.h"
#include "fleet/catalog/catalog_sql.h"
#include "fleet/catalog/clickhouse_address.h"

#define SAME_START 0.01 /* seconds: a page has the start in all its digits */

struct catalog *catalog_open(const char *place, enum catalog_use use,
                             const struct catalog_fetcher *fetcher, struct err *e)
{
	struct catalog *c = calloc(1, sizeof *c);
	int failed;

	if (!c) {
		err_set(e, "%s", strerror(ENOMEM));
		return NULL;
	}
	failed = place && clickhouse_is_address(place)
	             ? catalog_clickhouse_open(place, use, fetcher, &c->engine, e)
	             : catalog_sqlite_open(place, use, &c->engine, e);
	if (!failed) {
		snprintf(c->place, sizeof c->place, "%s", place ? place : "the runs in memory");
		return c;
	}
	free(c);
	return NULL;
}

int catalog_older(struct catalog *c, int *from, size_t *rows, struct err *e)
{
	*from = c->engine.upgraded_from;
	*rows = 0;
	return c->engine.older_rows ? c->engine.older_rows(c->engine.self, rows, e) : 0;
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

int catalog_forget(struct catalog *c, const char *source, double before, size_t *n, struct err *e)
{
	return c->engine.forget(c->engine.self, source, before, n, e);
}

int catalog_each_closed(struct catalog *c, catalog_each_folder *each, void *ctx, struct err *e)
{
	return c->engine.each_closed(c->engine.self, each, ctx, e);
}

int catalog_close_folders(struct catalog *c, const struct catalog_folder *v, size_t n,
                          struct err *e)
{
	return n ? c->engine.close_folders(c->engine.self, v, n, e) : 0;
}

int catalog_query_check(const struct catalog_query *q, struct err *e)
{
	struct catalog_asked a;

	return catalog_asked_read(q, &a, e);
}

int catalog_bulk(struct catalog *c, bool begin, struct err *e)
{
	return c->engine.bulk ? c->engine.bulk(c->engine.self, begin, e) : 0;
}

/* -- runs that may be there as a recording and as a page --------------------------------------- */

static const struct catalog_output page_key[] = {
    {.kind = CATALOG_OUT_PLAIN, .column = RTRACK_ROW_ID},
    {.kind = CATALOG_OUT_PLAIN, .column = RTRACK_ROW_USER},
    {.kind = CATALOG_OUT_PLAIN, .column = CATALOG_COLUMN_SOURCE},
};

struct each_run {
	catalog_each_run *each;
	void *ctx;
};

static int on_page_key(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct each_run *r = ctx;

	return r->each(r->ctx, v[0].text, v[1].text, v[2].text, e);
}

static int select_runs(struct catalog *c, const struct buf *sql, const struct catalog_value *value,
                       size_t n, struct each_run *each, struct err *e)
{
	const struct catalog_statement st = {.sql = buf_cstr(sql),
	                                     .value = value,
	                                     .n_values = n,
	                                     .output = page_key,
	                                     .n_outputs = 3};

	if (sql->failed)
		return err_set(e, "%s", strerror(ENOMEM));
	return c->engine.select(c->engine.self, &st, on_page_key, each, e);
}

/* The inner list is that of an index alone. */
int catalog_each_page(struct catalog *c, catalog_each_run *each, void *ctx, struct err *e)
{
	static const struct catalog_value value[] = {
	    {.kind = CATALOG_TEXT, .text = "%.html"},
	    {.kind = CATALOG_TEXT, .text = "%.htm"},
	    {.kind = CATALOG_TEXT, .text = "%" JOURNAL_COPY}};
	struct buf sql = {0};
	int failed;

	buf_str(&sql, "SELECT ");
	c->engine.outputs(&sql, page_key, 3);
	buf_printf(&sql,
	           " FROM %s WHERE source IN (SELECT source FROM %s WHERE "
	           "source LIKE ? OR source LIKE ? OR source LIKE ?)",
	           c->engine.table, c->engine.table);
	failed = select_runs(c, &sql, value, 3, &(struct each_run){each, ctx}, e);
	buf_free(&sql);
	return failed;
}

/* The recordings of the jobs of n rows: a job with several is not found by its start. */
static int each_of_jobs(struct catalog *c, const struct rtrack_row *const *row, size_t n,
                        struct each_run *each, struct err *e)
{
	struct catalog_value value[CATALOG_ASKED];
	struct buf sql = {0};
	size_t jobs = 0;
	int failed;

	buf_str(&sql, "SELECT ");
	c->engine.outputs(&sql, page_key, 3);
	buf_printf(&sql, " FROM %s WHERE " CATALOG_RECORDED_JOBS " AND job_id IN (",
	           c->engine.table);
	for (size_t i = 0; i < n; i++) {
		const char *job = row[i]->of[RTRACK_ROW_JOB_ID].text;
		if (!*job)
			continue;
		buf_str(&sql, jobs ? ", ?" : "?");
		value[jobs++] = (struct catalog_value){.kind = CATALOG_TEXT, .text = job};
	}
	buf_str(&sql, ")");
	failed = jobs ? select_runs(c, &sql, value, jobs, each, e) : 0;
	buf_free(&sql);
	return failed;
}

int catalog_each_start(struct catalog *c, const struct rtrack_row *const *row, size_t n,
                       catalog_each_run *each, void *ctx, struct err *e)
{
	struct catalog_value value[3 * CATALOG_ASKED];
	struct buf sql = {0};
	int failed;

	buf_str(&sql, "SELECT ");
	c->engine.outputs(&sql, page_key, 3);
	buf_printf(&sql, " FROM %s WHERE ", c->engine.table);
	for (size_t i = 0; i < n; i++) {
		double start = row[i]->of[RTRACK_ROW_START].number;
		buf_printf(&sql, "%s(joined = '' AND name = ? AND start > ? AND start < ?)",
		           i ? " OR " : "");
		value[3 * i] = (struct catalog_value){.kind = CATALOG_TEXT,
		                                      .text = row[i]->of[RTRACK_ROW_NAME].text};
		value[3 * i + 1] =
		    (struct catalog_value){.kind = CATALOG_NUMBER, .number = start - SAME_START};
		value[3 * i + 2] =
		    (struct catalog_value){.kind = CATALOG_NUMBER, .number = start + SAME_START};
	}
	failed = select_runs(c, &sql, value, 3 * n, &(struct each_run){each, ctx}, e);
	if (!failed)
		failed = each_of_jobs(c, row, n, &(struct each_run){each, ctx}, e);
	buf_free(&sql);
	return failed;
}
