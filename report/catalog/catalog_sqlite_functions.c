/* catalog_sqlite: a catalog in SQLite: the functions that its SQL uses. */
#include <math.h>
#include <string.h>

#include "report/catalog/catalog_pack.h"
#include "report/catalog/catalog_sqlite.h"

#define AMOUNT_MAX 1e40 /* a larger number is not of ours */

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

/* -- recordings of one run --------------------------------------------------------------------- */

static double sane_number(sqlite3_value *v)
{
	int type = sqlite3_value_type(v);
	double d = type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(v) : NAN;

	return fabs(d) <= AMOUNT_MAX ? d : NAN;
}

/* Of a run's start and packed numbers. */
static void unpack_args(sqlite3_value **v, double column[CATALOG_COLUMNS])
{
	const unsigned char *packed = sqlite3_value_blob(v[1]);
	int n = sqlite3_value_bytes(v[1]);

	catalog_unpack(sane_number(v[0]), packed, packed && n > 0 ? (size_t)n : 0, column);
}

struct join_state {
	double n;
	double column[CATALOG_COLUMNS];
};

static void join_step(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct join_state *s = sqlite3_aggregate_context(ctx, sizeof *s);
	double column[CATALOG_COLUMNS];

	(void)n;
	if (!s) {
		sqlite3_result_error_nomem(ctx);
		return;
	}
	memset(column, 0, sizeof column);
	unpack_args(v, column);
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

/* catalog_number(start, packed, column) */
static void number_in_pack(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	double column[CATALOG_COLUMNS];
	int at = sqlite3_value_int(v[2]);

	(void)n;
	if (at < 0 || at >= CATALOG_COLUMNS || !catalog_is_packed(at))
		return;
	unpack_args(v, column);
	sqlite3_result_double(ctx, column[at]); /* NAN is NULL */
}

void catalog_sqlite_column(struct buf *sql, int column)
{
	if (catalog_is_packed(column) && column != RTRACK_ROW_START)
		buf_printf(sql, "catalog_number(start, packed, %d)", column);
	else
		buf_str(sql, catalog_columns[column].name);
}

int catalog_sqlite_define(sqlite3 *db)
{
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, failed;

	failed = sqlite3_create_function_v2(db, "catalog_pair", 2, flags, NULL, pair_of, NULL, NULL,
	                                    NULL);
	if (!failed)
		failed = sqlite3_create_function_v2(db, "catalog_join", 2, flags, NULL, NULL,
		                                    join_step, join_final, NULL);
	if (!failed)
		failed = sqlite3_create_function_v2(db, "catalog_number", 3, flags, NULL,
		                                    number_in_pack, NULL, NULL, NULL);
	return failed;
}
