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

int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, catalog_each_listed *each,
                      void *ctx, struct err *e)
{
	struct catalog_output output[CATALOG_COLUMNS];
	struct catalog_value value[CATALOG_LIST_IDS];
	struct catalog_statement st = {
	    .value = value, .n_values = n, .output = output, .n_outputs = CATALOG_COLUMNS};
	struct buf sql = {0};
	int failed;

	list_columns(output);
	buf_str(&sql, "SELECT ");
	c->engine.outputs(&sql, output, CATALOG_COLUMNS);
	/* The first condition is that of the index. */
	buf_printf(&sql, " FROM %s WHERE job_id <> '' AND job_id IN (", c->engine.table);
	for (size_t i = 0; i < n; i++) {
		buf_str(&sql, i ? ", ?" : "?");
		value[i] = (struct catalog_value){.kind = CATALOG_TEXT, .text = id[i]};
	}
	buf_str(&sql, ") ORDER BY job_id, source");
	st.sql = buf_cstr(&sql);
	failed = sql.failed ? err_set(e, "%s", strerror(ENOMEM))
	                    : c->engine.select(c->engine.self, &st, each, ctx, e);
	buf_free(&sql);
	return failed ? -1 : 0;
}
