/* catalog_sqlite_db: the database of a catalog in SQLite. */
#include "fleet/catalog/catalog_sqlite_db.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define AMOUNT_MAX 1e40 /* no run has a larger number */

/* Bytes of a text or a row of a file. rtrack writes at most 256 for a text, and a path; files of
 * others are read as well. */
#define TEXT_MAX (64 << 10)

int catalog_sqlite_db_error(const struct catalog_sqlite *c, struct err *e)
{
	const char *place = c->place ? c->place : "the runs in memory";
	int code = sqlite3_extended_errcode(c->db), number = sqlite3_system_errno(c->db);

	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return err_set(e, "%s: not a catalog: it is not an SQLite database", place);
	case SQLITE_CORRUPT:
		return err_set(e,
		               "%s: the database is damaged; restore a backup of it, or add all "
		               "runs to a new one",
		               place);
	case SQLITE_TOOBIG:
		return err_set(e, "%s: a text in it is longer than %d KiB", place, TEXT_MAX >> 10);
	case SQLITE_FULL:
		return err_set(e, "%s: %s", place, strerror(ENOSPC));
	case SQLITE_READONLY:
		return err_set(e, "%s: the file or its folder is read-only", place);
	case SQLITE_BUSY:
		return err_set(e, "%s: another program has kept it locked for %d seconds", place,
		               CATALOG_SQLITE_DB_WAIT / 1000);
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

int catalog_sqlite_db_run(const struct catalog_sqlite *c, const char *sql, struct err *e)
{
	return sqlite3_exec(c->db, sql, NULL, NULL, NULL) == SQLITE_OK
	           ? 0
	           : catalog_sqlite_db_error(c, e);
}

int catalog_sqlite_db_begin(struct catalog_sqlite *c, const char *begin, struct err *e)
{
	return c->bulk ? 0 : catalog_sqlite_db_run(c, begin, e);
}

int catalog_sqlite_db_end(struct catalog_sqlite *c, int failed, struct err *e)
{
	if (c->bulk)
		return failed ? catalog_sqlite_db_end_bulk(c, failed, e) : 0;
	if (!failed)
		failed = catalog_sqlite_db_run(c, "COMMIT", e);
	if (failed)
		catalog_sqlite_db_run(c, "ROLLBACK", NULL);
	return failed;
}

int catalog_sqlite_db_end_bulk(struct catalog_sqlite *c, int failed, struct err *e)
{
	c->bulk = false;
	failed = catalog_sqlite_db_end(c, failed, e);
	/* What is asked afterwards is sorted in memory again: readers may not write. */
	catalog_sqlite_db_run(c, "PRAGMA temp_store = MEMORY", NULL);
	return failed;
}

int catalog_sqlite_db_prepare(const struct catalog_sqlite *c, sqlite3_stmt **s, const char *sql,
                              struct err *e)
{
	if (!*s && sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT, s, NULL))
		return catalog_sqlite_db_error(c, e);
	return 0;
}

int catalog_sqlite_db_bind(sqlite3_stmt *s, int at, const struct catalog_value *v)
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

double catalog_sqlite_db_number(sqlite3_value *v)
{
	int type = sqlite3_value_type(v);
	double d = type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(v) : NAN;

	return fabs(d) <= AMOUNT_MAX ? d : NAN;
}

/* -- opening ----------------------------------------------------------------------------------- */

#define PRAGMAS                                                                                    \
	"PRAGMA page_size = 16384; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; "

int catalog_sqlite_db_open(struct catalog_sqlite *c, enum catalog_use use, struct err *e)
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
	/* SQLite has tried to open it for reading as well. */
	if (code == SQLITE_CANTOPEN && sqlite3_system_errno(c->db) == ENOENT)
		return err_set(e, "%s: %s", c->place,
		               use == CATALOG_WRITE
		                   ? "its folder does not exist, or is read-only"
		                   : "there is no catalog yet: rtrack-fleet add makes it");
	if (code)
		return catalog_sqlite_db_error(c, e);
	if (c->place)
		sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, TEXT_MAX);
	sqlite3_extended_result_codes(c->db, 1);
	sqlite3_busy_timeout(c->db, CATALOG_SQLITE_DB_WAIT);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	/* A page's size counts only where a file is made. Larger ones are read in fewer calls. A
	 * reader goes through the rows one after another, for which a cache does nothing. */
	return catalog_sqlite_db_run(c,
	                             use == CATALOG_READ ? PRAGMAS "PRAGMA cache_size = -2048"
	                                                 : PRAGMAS "PRAGMA cache_size = -8192",
	                             e);
}
