/* catalog_sqlite: a catalog in SQLite: opening it, and querying. */
#include "report/catalog/catalog_sqlite.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESULTS_MAX (CATALOG_KEYS + 1 + CATALOG_SUMS_OUTPUTS)

int catalog_sqlite_error(const struct catalog_sqlite *c, struct err *e)
{
	const char *place = c->place ? c->place : "the runs in memory";
	int code = sqlite3_extended_errcode(c->db), number = sqlite3_system_errno(c->db);

	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return err_set(e, "%s: not a catalog: it is no SQLite database", place);
	case SQLITE_CORRUPT:
		return err_set(e,
		               "%s: the database is damaged; restore a backup of it, or add all "
		               "runs to a new one",
		               place);
	case SQLITE_FULL:
		return err_set(e, "%s: %s", place, strerror(ENOSPC));
	case SQLITE_READONLY:
		return err_set(e, "%s: the file or its folder is read-only", place);
	case SQLITE_BUSY:
		return err_set(e, "%s: another program has kept it locked for %d seconds", place,
		               CATALOG_SQLITE_WAIT / 1000);
	case SQLITE_NOMEM:
		return err_set(e, "%s: %s", place, strerror(ENOMEM));
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		if (number)
			return err_set(e, "%s: %s", place, strerror(number));
		if (code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC ||
		    code == SQLITE_IOERR_TRUNCATE)
			return err_set(e, "%s: it cannot be written", place);
		break;
	default:
		break;
	}
	return err_set(e, "%s: %s", place, sqlite3_errmsg(c->db));
}

int catalog_sqlite_run(const struct catalog_sqlite *c, const char *sql, struct err *e)
{
	return sqlite3_exec(c->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
	                                                               : catalog_sqlite_error(c, e);
}

int catalog_sqlite_prepare(const struct catalog_sqlite *c, sqlite3_stmt **s, const char *sql,
                           struct err *e)
{
	if (!*s && sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT, s, NULL))
		return catalog_sqlite_error(c, e);
	return 0;
}

int catalog_sqlite_bind(sqlite3_stmt *s, int at, const struct catalog_value *v)
{
	switch (v->kind) {
	case CATALOG_TEXT:
		return sqlite3_bind_text(s, at, v->text, -1, SQLITE_STATIC);
	case CATALOG_NUMBER:
		return sqlite3_bind_double(s, at, v->number);
	case CATALOG_INTEGER:
		return sqlite3_bind_int64(s, at, v->integer);
	case CATALOG_NULL:
		break;
	}
	return sqlite3_bind_null(s, at);
}

/* -- how its SQL differs ----------------------------------------------------------------------- */

static void put_pair(struct buf *sql, const char *column)
{
	buf_printf(sql, "catalog_pair(%s, ?)", column);
}

static void put_outputs(struct buf *sql, const struct catalog_output *v, size_t n)
{
	if (n && v[0].kind == CATALOG_OUT_PLAIN) {
		for (size_t i = 0; i < n; i++) {
			buf_str(sql, i ? ", " : "");
			catalog_sums_column(sql, v[i].column);
		}
		return;
	}
	buf_str(sql, CATALOG_SUMS_CALL);
}

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

/* -- querying ---------------------------------------------------------------------------------- */

/* A row of results, and what it borrows. */
struct sqlite_row {
	struct catalog_result v[RESULTS_MAX];
	double *blob;
	size_t cap;                      /* bytes of blob */
	char *source[CATALOG_WORST + 1]; /* owned; one statement has one NEWEST or one TOP */
	size_t n_sources;
};

static void forget_sources(struct sqlite_row *r)
{
	while (r->n_sources)
		free(r->source[--r->n_sources]);
}

static int keep_source(struct catalog_sqlite *c, struct sqlite_row *r, double row, struct err *e)
{
	const unsigned char *source = NULL;
	char *copy;
	int step;

	if (r->n_sources == sizeof r->source / sizeof *r->source)
		return err_set(e, "too many rows");
	sqlite3_bind_int64(c->source_of, 1, (sqlite3_int64)row);
	step = sqlite3_step(c->source_of);
	if (step == SQLITE_ROW)
		source = sqlite3_column_text(c->source_of, 0);
	copy = strdup(source ? (const char *)source : "");
	sqlite3_reset(c->source_of);
	if (step != SQLITE_ROW && step != SQLITE_DONE) {
		free(copy);
		return catalog_sqlite_error(c, e);
	}
	if (!copy)
		return err_set(e, "%s", strerror(ENOMEM));
	r->source[r->n_sources++] = copy;
	return 0;
}

/* The sources of rows: of NEWEST and TOP. */
static int keep_sources(struct catalog_sqlite *c, struct sqlite_row *r,
                        const struct catalog_output *of, struct catalog_result *v, struct err *e)
{
	size_t first = r->n_sources;

	if (of->kind == CATALOG_OUT_NEWEST && isfinite(v->number)) {
		if (keep_source(c, r, v->number, e))
			return -1;
		v->text = r->source[first];
	}
	if (of->kind != CATALOG_OUT_TOP)
		return 0;
	for (size_t i = 0; i < v->map.n; i++)
		if (keep_source(c, r, v->map.v[i], e))
			return -1;
	v->list = (const char *const *)r->source + first;
	v->n = r->n_sources - first;
	return 0;
}

static int read_aggregates(struct catalog_sqlite *c, struct sqlite_row *r, sqlite3_stmt *st,
                           const struct catalog_statement *s, struct err *e)
{
	const void *blob = sqlite3_column_blob(st, (int)s->n_keys);
	size_t n = (size_t)sqlite3_column_bytes(st, (int)s->n_keys);

	if (n > r->cap) {
		double *more = realloc(r->blob, n);
		if (!more)
			return err_set(e, "%s", strerror(ENOMEM));
		r->blob = more;
		r->cap = n;
	}
	if (n) /* it need not be aligned */
		memcpy(r->blob, blob, n);
	if (catalog_sums_read(&c->sums, r->blob, n / sizeof *r->blob, r->v + s->n_keys))
		return err_set(e, "%s: a wrong result", c->place ? c->place : "SQLite");
	for (size_t i = 0; i < s->n_outputs; i++)
		if (keep_sources(c, r, &s->output[i], &r->v[s->n_keys + i], e))
			return -1;
	return 0;
}

static void read_text(sqlite3_stmt *st, size_t i, struct catalog_result *v)
{
	const unsigned char *text = sqlite3_column_text(st, (int)i);

	*v = (struct catalog_result){.text = text ? (const char *)text : "", .number = NAN};
}

static void read_plain_result(sqlite3_stmt *st, size_t i, const struct catalog_output *of,
                              struct catalog_result *v)
{
	int type = sqlite3_column_type(st, (int)i);

	if (catalog_columns[of->column].kind == CATALOG_TEXT) {
		read_text(st, i, v);
		return;
	}
	*v = (struct catalog_result){.text = "", .number = NAN};
	if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
		v->number = sqlite3_column_double(st, (int)i);
}

static int read_results(struct catalog_sqlite *c, struct sqlite_row *r, sqlite3_stmt *st,
                        const struct catalog_statement *s, struct err *e)
{
	for (size_t i = 0; i < s->n_keys; i++)
		read_text(st, i, &r->v[i]);
	if (s->n_outputs && s->output[0].kind != CATALOG_OUT_PLAIN)
		return read_aggregates(c, r, st, s, e);
	for (size_t i = 0; i < s->n_outputs; i++)
		read_plain_result(st, s->n_keys + i, &s->output[i], &r->v[s->n_keys + i]);
	return 0;
}

static int bind_values(const struct catalog_sqlite *c, sqlite3_stmt *st,
                       const struct catalog_statement *s, struct err *e)
{
	for (size_t i = 0; i < s->n_values; i++)
		if (catalog_sqlite_bind(st, (int)i + 1, &s->value[i]))
			return catalog_sqlite_error(c, e);
	return 0;
}

static int select_rows(void *self, const struct catalog_statement *s, catalog_each_row *each,
                       void *ctx, struct err *e)
{
	struct catalog_sqlite *c = self;
	struct sqlite_row row = {.cap = 0};
	sqlite3_stmt *st = NULL;
	int step, failed = -1;

	if (s->n_keys > CATALOG_KEYS + 1 || s->n_outputs > CATALOG_SUMS_OUTPUTS)
		return err_set(e, "a query of too many columns");
	if (catalog_sqlite_prepare(c, &c->source_of, "SELECT source FROM runs WHERE rowid = ?", e))
		return -1;
	c->sums = (struct catalog_sums){s->output, s->n_outputs, c->source_of};
	if (catalog_sqlite_prepare(c, &st, s->sql, e) || bind_values(c, st, s, e))
		goto out;
	while ((step = sqlite3_step(st)) == SQLITE_ROW) {
		if (read_results(c, &row, st, s, e) || each(ctx, row.v, e))
			goto out;
		forget_sources(&row);
	}
	failed = step == SQLITE_DONE ? 0 : catalog_sqlite_error(c, e);
out:
	sqlite3_finalize(st);
	forget_sources(&row);
	free(row.blob);
	return failed;
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

static int open_database(struct catalog_sqlite *c, enum catalog_use use, struct err *e)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE;
	struct buf path = {0};
	int code;

	if (use == CATALOG_WRITE || !c->place)
		flags |= SQLITE_OPEN_CREATE;
	/* Names like :memory: and file:… are special to SQLite. To read, it is opened for writing
	 * too where that is allowed: a reader may have to roll back what a killed writer left. */
	if (c->place)
		buf_printf(&path, "%s%s", *c->place == '/' ? "" : "./", c->place);
	else
		buf_str(&path, ":memory:");
	code = path.failed ? SQLITE_NOMEM : sqlite3_open_v2(buf_cstr(&path), &c->db, flags, NULL);
	buf_free(&path);
	if (!c->db)
		return err_set(e, "%s", strerror(ENOMEM));
	/* SQLite has tried to open it for reading, too. */
	if (code == SQLITE_CANTOPEN && use == CATALOG_WRITE &&
	    sqlite3_system_errno(c->db) == ENOENT)
		return err_set(e, "%s: its folder does not exist, or is read-only", c->place);
	if (code)
		return catalog_sqlite_error(c, e);
	sqlite3_extended_result_codes(c->db, 1);
	sqlite3_busy_timeout(c->db, CATALOG_SQLITE_WAIT);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	if (sqlite3_create_function_v2(c->db, "catalog_pair", 2,
	                               SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL,
	                               pair_of, NULL, NULL, NULL) ||
	    catalog_sums_define(c->db, &c->sums))
		return catalog_sqlite_error(c, e);
	return catalog_sqlite_run(c,
	                          "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192; "
	                          "PRAGMA cell_size_check = ON",
	                          e);
}

int catalog_sqlite_open(const char *place, enum catalog_use use, struct catalog_engine *out,
                        struct err *e)
{
	struct catalog_sqlite *c = calloc(1, sizeof *c);

	if (!c)
		return err_set(e, "%s", strerror(ENOMEM));
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		c->keep[i] = true;
	if (place && !(c->place = strdup(place))) {
		close_sqlite(c);
		return err_set(e, "%s", strerror(ENOMEM));
	}
	if (open_database(c, use, e) || catalog_sqlite_check(c, use, e)) {
		close_sqlite(c);
		return -1;
	}
	*out = (struct catalog_engine){
	    .self = c,
	    .table = "runs",
	    .row = "rowid",
	    .packed = CATALOG_SUMS_JOIN,
	    .pair = put_pair,
	    .outputs = put_outputs,
	    .missing = catalog_sqlite_missing,
	    .put = catalog_sqlite_put,
	    .forget = catalog_sqlite_forget,
	    .keep = place ? NULL : catalog_sqlite_keep,
	    .select = select_rows,
	    .close = close_sqlite,
	};
	return 0;
}
