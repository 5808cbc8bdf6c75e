/* catalog_list: whole rows of a catalog. */
#include "report/catalog/catalog_list.h"

#include <errno.h>
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

/* sql: what follows the columns. */
static int list_where(struct catalog *c, const char *sql, const struct catalog_value *value,
                      size_t n, catalog_each_listed *each, void *ctx, struct err *e)
{
	struct catalog_output output[CATALOG_COLUMNS];
	struct catalog_statement st = {
	    .value = value, .n_values = n, .output = output, .n_outputs = CATALOG_COLUMNS};
	struct buf text = {0};
	int failed;

	list_columns(output);
	buf_str(&text, "SELECT ");
	c->engine.outputs(&text, output, CATALOG_COLUMNS);
	/* The first condition is that of the index. */
	buf_printf(&text, " FROM %s WHERE job_id <> '' AND %s", c->engine.table, sql);
	st.sql = buf_cstr(&text);
	failed = text.failed ? err_set(e, "%s", strerror(ENOMEM))
	                     : c->engine.select(c->engine.self, &st, each, ctx, e);
	buf_free(&text);
	return failed ? -1 : 0;
}

int catalog_list_any_job(struct catalog *c, const char *origin, catalog_each_listed *each,
                         void *ctx, struct err *e)
{
	const struct catalog_value value = {.kind = CATALOG_TEXT, .text = origin};

	return list_where(c, "origin LIKE ? LIMIT 1", &value, 1, each, ctx, e);
}

int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, catalog_each_listed *each,
                      void *ctx, struct err *e)
{
	struct catalog_value value[CATALOG_LIST_IDS];
	struct buf sql = {0};
	int failed;

	buf_str(&sql, "job_id IN (");
	for (size_t i = 0; i < n; i++) {
		buf_str(&sql, i ? ", ?" : "?");
		value[i] = (struct catalog_value){.kind = CATALOG_TEXT, .text = id[i]};
	}
	buf_str(&sql, ") ORDER BY job_id, source");
	failed = sql.failed ? err_set(e, "%s", strerror(ENOMEM))
	                    : list_where(c, buf_cstr(&sql), value, n, each, ctx, e);
	buf_free(&sql);
	return failed;
}
