/* catalog_list: whole rows of a catalog. */
#include "report/catalog/catalog_list.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "report/catalog/catalog_sql.h"

static void list_columns(struct catalog_output output[CATALOG_COLUMNS])
{
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		output[i] = (struct catalog_output){.kind = CATALOG_OUT_COLUMN, .column = i};
}

int catalog_list(struct catalog *c, const struct catalog_query *q, size_t n,
                 catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_output output[CATALOG_COLUMNS];
	struct catalog_statement st = {.output = output, .n_outputs = CATALOG_COLUMNS};
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	if (catalog_asked_read(q, &a, e))
		return -1;
	list_columns(output);
	catalog_sql_newest(&sql, &c->engine, &a, output, CATALOG_COLUMNS, n);
	failed = catalog_sql_select(&sql, &c->engine, &st, each, ctx, e);
	catalog_sql_free(&sql);
	return failed ? -1 : 0;
}

/* where: what follows WHERE. */
static void put_select(struct catalog *c, struct buf *sql, const char *where)
{
	struct catalog_output output[CATALOG_COLUMNS];

	list_columns(output);
	buf_str(sql, "SELECT ");
	c->engine.outputs(sql, output, CATALOG_COLUMNS);
	buf_printf(sql, " FROM %s WHERE %s", c->engine.table, where);
}

static int list_rows(struct catalog *c, struct buf *sql, const struct catalog_value *value,
                     size_t n, catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_output output[CATALOG_COLUMNS];
	struct catalog_statement st = {.sql = buf_cstr(sql),
	                               .value = value,
	                               .n_values = n,
	                               .output = output,
	                               .n_outputs = CATALOG_COLUMNS};
	int failed;

	list_columns(output);
	failed = sql->failed ? err_set(e, "%s", strerror(ENOMEM))
	                     : c->engine.select(c->engine.self, &st, each, ctx, e);
	buf_free(sql);
	return failed ? -1 : 0;
}

int catalog_list_any_recorded(struct catalog *c, catalog_each_listed *each, void *ctx,
                              struct err *e)
{
	struct buf sql = {0};

	put_select(c, &sql, CATALOG_RECORDED_JOBS " LIMIT 1");
	return list_rows(c, &sql, NULL, 0, each, ctx, e);
}

static void put_marks(struct buf *sql, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_str(sql, i ? ", ?" : "?");
	buf_char(sql, ')');
}

int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, bool accounted,
                      catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_value value[2 * CATALOG_LIST_IDS];
	struct buf sql = {0}, sources = {.max = SIZE_MAX};
	size_t at[CATALOG_LIST_IDS];
	int failed;

	for (size_t i = 0; i < n; i++) {
		at[i] = sources.len;
		buf_printf(&sources, CATALOG_ACCOUNTED "%s", id[i]);
		buf_add(&sources, "", 1);
		value[i] = (struct catalog_value){.kind = CATALOG_TEXT, .text = id[i]};
	}
	for (size_t i = 0; i < n; i++)
		value[n + i] = (struct catalog_value){.kind = CATALOG_TEXT,
		                                      .text = buf_cstr(&sources) + at[i]};
	put_select(c, &sql, CATALOG_RECORDED_JOBS " AND job_id IN (");
	put_marks(&sql, n);
	if (accounted) {
		buf_str(&sql, " UNION ALL ");
		put_select(c, &sql, "source IN (");
		put_marks(&sql, n);
	}
	failed = sources.failed ? err_set(e, "%s", strerror(ENOMEM))
	                        : list_rows(c, &sql, value, accounted ? 2 * n : n, each, ctx, e);
	buf_free(&sources);
	return failed;
}
