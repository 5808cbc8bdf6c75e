/* catalog_sqlite: a catalog in SQLite: opening it. */
#include "report/catalog/catalog_sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
	case SQLITE_OK: /* what found no memory was not the database */
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
	if (!n || v[0].kind != CATALOG_OUT_PLAIN) {
		buf_str(sql, "start, packed, rowid");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		buf_str(sql, i ? ", " : "");
		catalog_sqlite_column(sql, v[i].column);
	}
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

#define PRAGMAS                                                                                    \
	"PRAGMA page_size = 16384; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; "

static int open_database(struct catalog_sqlite *c, enum catalog_use use, struct err *e)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX;
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
	if (code == SQLITE_CANTOPEN && sqlite3_system_errno(c->db) == ENOENT)
		return err_set(e, "%s: %s", c->place,
		               use == CATALOG_WRITE ? "its folder does not exist, or is read-only"
		                                    : "there is no catalog yet: --add makes it");
	if (code)
		return catalog_sqlite_error(c, e);
	sqlite3_extended_result_codes(c->db, 1);
	sqlite3_busy_timeout(c->db, CATALOG_SQLITE_WAIT);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	if (catalog_sqlite_define(c->db))
		return catalog_sqlite_error(c, e);
	/* A page's size counts only where a file is made. Larger ones are read in fewer calls. A
	 * reader goes through the rows one after another, for which a cache does nothing. */
	return catalog_sqlite_run(c,
	                          use == CATALOG_READ ? PRAGMAS "PRAGMA cache_size = -2048"
	                                              : PRAGMAS "PRAGMA cache_size = -8192",
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
	    .list = "VALUES ",
	    .packed = "catalog_join(start, packed)",
	    .indexed = place ? catalog_sqlite_indexed : NULL,
	    .pair = put_pair,
	    .outputs = put_outputs,
	    .missing = catalog_sqlite_missing,
	    .put = catalog_sqlite_put,
	    .forget = catalog_sqlite_forget,
	    .keep = place ? NULL : catalog_sqlite_keep,
	    .select = catalog_sqlite_select,
	    .close = close_sqlite,
	};
	return 0;
}
