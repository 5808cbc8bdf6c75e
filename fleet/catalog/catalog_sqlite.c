/* catalog_sqlite: a catalog in SQLite: opening it, and the functions that its SQL uses. */
#include "fleet/catalog/catalog_sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/catalog_pack.h"
#include "fleet/catalog/catalog_sqlite_db.h"

/* -- functions --------------------------------------------------------------------------------- */

/* catalog_pair('k=v;k2=v2', key): the value of the key, or ''. */
static void pair_of(sqlite3_context *ctx, int n_args, sqlite3_value **v)
{
	const char *at = (const char *)sqlite3_value_text(v[0]);
	const char *key = (const char *)sqlite3_value_text(v[1]);
	size_t n = key ? strlen(key) : 0;

	(void)n_args;
	while (at && key && !(strncmp(at, key, n) == 0 && at[n] == '=')) {
		at = strchr(at, ';');
		at = at ? at + 1 : NULL;
	}
	if (at && key)
		sqlite3_result_text(ctx, at + n + 1, (int)strcspn(at + n + 1, ";"),
		                    SQLITE_TRANSIENT);
	else
		sqlite3_result_text(ctx, "", 0, SQLITE_STATIC);
}

/* catalog_join(start, packed): the packed numbers of a run of these recordings. */
struct join_state {
	double n;
	double column[CATALOG_COLUMNS];
};

static void join_step(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct join_state *s = sqlite3_aggregate_context(ctx, sizeof *s);
	const unsigned char *packed = sqlite3_value_blob(v[1]);
	int bytes = sqlite3_value_bytes(v[1]);
	double column[CATALOG_COLUMNS] = {0};

	(void)n;
	if (!s) {
		sqlite3_result_error_nomem(ctx);
		return;
	}
	catalog_unpack(catalog_sqlite_db_number(v[0]), packed, packed ? (size_t)bytes : 0, column);
	catalog_pack_add(s->column, column, s->n == 0);
	s->n++;
}

static void join_final(sqlite3_context *ctx)
{
	const struct join_state *s = sqlite3_aggregate_context(ctx, 0);
	unsigned char packed[CATALOG_PACK_MAX];

	if (!s)
		return;
	sqlite3_result_blob(ctx, packed, (int)catalog_pack_numbers(s->column, packed),
	                    SQLITE_TRANSIENT);
}

static int define_functions(sqlite3 *db)
{
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, failed;

	failed = sqlite3_create_function_v2(db, "catalog_pair", 2, flags, NULL, pair_of, NULL, NULL,
	                                    NULL);
	if (!failed)
		failed = sqlite3_create_function_v2(db, "catalog_join", 2, flags, NULL, NULL,
		                                    join_step, join_final, NULL);
	return failed;
}

static void put_pair(struct buf *sql, const char *column)
{
	buf_printf(sql, "catalog_pair(%s, ?)", column);
}

/* -- opening ----------------------------------------------------------------------------------- */

static void close_sqlite(void *self)
{
	struct catalog_sqlite *c = self;

	if (!c)
		return;
	sqlite3_finalize(c->put);
	sqlite3_finalize(c->find);
	sqlite3_finalize(c->source_of);
	sqlite3_close(c->db);
	free(c->place);
	free(c);
}

int catalog_sqlite_open(const char *place, enum catalog_use use, struct catalog_engine *out,
                        struct err *e)
{
	struct catalog_sqlite *c = calloc(1, sizeof *c);
	int failed;

	if (!c)
		return err_set(e, "%s", strerror(ENOMEM));
	if (place && !(c->place = strdup(place))) {
		close_sqlite(c);
		return err_set(e, "%s", strerror(ENOMEM));
	}
	failed = catalog_sqlite_db_open(c, use, e);
	if (!failed && define_functions(c->db))
		failed = catalog_sqlite_db_error(c, e);
	if (failed || catalog_sqlite_check(c, use, e)) {
		close_sqlite(c);
		return -1;
	}
	*out = (struct catalog_engine){
	    .self = c,
	    .table = "runs",
	    .list = "VALUES ",
	    .packed = "catalog_join(start, packed)",
	    .indexed = place ? catalog_sqlite_indexed : NULL,
	    .pair = put_pair,
	    .outputs = catalog_sqlite_outputs,
	    .missing = catalog_sqlite_missing,
	    .put = catalog_sqlite_put,
	    .forget = catalog_sqlite_forget,
	    .bulk = catalog_sqlite_bulk,
	    .select = catalog_sqlite_select,
	    .close = close_sqlite,
	};
	return 0;
}
