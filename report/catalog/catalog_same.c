/* catalog_same: runs that may be there twice: as a recording and as a page. */
#include "report/catalog/catalog.h"

#include <errno.h>
#include <string.h>

#include "report/catalog/catalog_engine.h"

#define SAME_START 0.01 /* seconds: a page has the start in all its digits */

static const struct catalog_output id_and_source[] = {
    {.kind = CATALOG_OUT_PLAIN, .column = RTRACK_ROW_ID},
    {.kind = CATALOG_OUT_PLAIN, .column = CATALOG_COLUMN_SOURCE},
};

struct each_run {
	catalog_each_run *each;
	void *ctx;
};

static int on_id_and_source(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct each_run *r = ctx;

	return r->each(r->ctx, v[0].text, v[1].text, e);
}

static int select_runs(struct catalog *c, const struct buf *sql, const struct catalog_value *value,
                       size_t n, struct each_run *each, struct err *e)
{
	const struct catalog_statement st = {.sql = buf_cstr(sql),
	                                     .value = value,
	                                     .n_values = n,
	                                     .output = id_and_source,
	                                     .n_outputs = 2};

	if (sql->failed)
		return err_set(e, "%s", strerror(ENOMEM));
	return c->engine.select(c->engine.self, &st, on_id_and_source, each, e);
}

/* The inner list is that of an index alone. */
int catalog_each_page(struct catalog *c, catalog_each_run *each, void *ctx, struct err *e)
{
	static const struct catalog_value value[] = {{.kind = CATALOG_TEXT, .text = "%.html"},
	                                             {.kind = CATALOG_TEXT, .text = "%.htm"}};
	struct buf sql = {0};
	int failed;

	if (c->engine.keep)
		return 0;
	buf_str(&sql, "SELECT ");
	c->engine.outputs(&sql, id_and_source, 2);
	buf_printf(&sql,
	           " FROM %s WHERE source IN (SELECT source FROM %s WHERE "
	           "source LIKE ? OR source LIKE ?)",
	           c->engine.table, c->engine.table);
	failed = select_runs(c, &sql, value, 2, &(struct each_run){each, ctx}, e);
	buf_free(&sql);
	return failed;
}

int catalog_each_start(struct catalog *c, const struct rtrack_row *const *row, size_t n,
                       catalog_each_run *each, void *ctx, struct err *e)
{
	struct catalog_value value[3 * CATALOG_ASKED];
	struct buf sql = {0};
	int failed;

	if (c->engine.keep)
		return 0;
	buf_str(&sql, "SELECT ");
	c->engine.outputs(&sql, id_and_source, 2);
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
	buf_free(&sql);
	return failed;
}
