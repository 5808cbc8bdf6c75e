/* catalog_sqlite: a catalog in SQLite: opening it, and the functions that its SQL uses. */
#include "fleet/catalog/catalog_engine.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/catalog_groups.h"
#include "fleet/catalog/catalog_pack.h"
#include "fleet/catalog/catalog_row.h"

/* -- the database, in a file or in memory ------------------------------------------------------ */

/* The file is a plain database with one table (docs/catalog.md). It has a rollback journal,
 * which works on network file systems too, and is changed in transactions only. Nothing is
 * written outside of the file's folder. */

#define CATALOG_SQLITE_DB_WAIT 60000 /* ms, for another writer */

struct catalog_sqlite {
	char *place; /* NULL: in memory */
	sqlite3 *db;
	int upgraded_from;
	bool bulk;                            /* a transaction of catalog_sqlite_bulk */
	bool no_names;                        /* in which there is no index by name */
	sqlite3_stmt *put, *find, *source_of; /* prepared when they are first needed */
};

#define AMOUNT_MAX 1e40 /* no run has a larger number */

/* Bytes of a text or a row of a file. rtrack writes at most 256 for a text, and a path; files of
 * others are read as well. */
#define TEXT_MAX (64 << 10)

/* Sets the sentence for the last error of the database. Returns -1. */
static int catalog_sqlite_db_error(const struct catalog_sqlite *c, struct err *e)
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

/* Runs statements without values and results. */
static int catalog_sqlite_db_run(const struct catalog_sqlite *c, const char *sql, struct err *e)
{
	return sqlite3_exec(c->db, sql, NULL, NULL, NULL) == SQLITE_OK
	           ? 0
	           : catalog_sqlite_db_error(c, e);
}

/* A transaction, which is a part of that of catalog_sqlite_bulk where there is one: then what
 * failed ends both. end returns failed, or -1 if it cannot be committed. */
static int catalog_sqlite_db_begin(struct catalog_sqlite *c, const char *begin, struct err *e)
{
	return c->bulk ? 0 : catalog_sqlite_db_run(c, begin, e);
}

static int commit_or_roll_back(const struct catalog_sqlite *c, int failed, struct err *e)
{
	if (!failed)
		failed = catalog_sqlite_db_run(c, "COMMIT", e);
	if (failed)
		catalog_sqlite_db_run(c, "ROLLBACK", NULL);
	return failed;
}

static int catalog_sqlite_db_end_bulk(struct catalog_sqlite *c, int failed, struct err *e)
{
	c->bulk = false;
	failed = commit_or_roll_back(c, failed, e);
	/* Later queries sort in memory again: readers may not write. */
	catalog_sqlite_db_run(c, "PRAGMA temp_store = MEMORY", NULL);
	return failed;
}

static int catalog_sqlite_db_end(struct catalog_sqlite *c, int failed, struct err *e)
{
	if (!c->bulk)
		return commit_or_roll_back(c, failed, e);
	return failed ? catalog_sqlite_db_end_bulk(c, failed, e) : 0;
}

/* Prepares *s unless it is. */
static int catalog_sqlite_db_prepare(const struct catalog_sqlite *c, sqlite3_stmt **s,
                                     const char *sql, struct err *e)
{
	if (!*s && sqlite3_prepare_v3(c->db, sql, -1, SQLITE_PREPARE_PERSISTENT, s, NULL))
		return catalog_sqlite_db_error(c, e);
	return 0;
}

static int catalog_sqlite_db_bind(sqlite3_stmt *s, int at, const struct catalog_value *v)
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

/* A number of a row or of an argument; NAN where there is none, or one that no run has. */
static double catalog_sqlite_db_number(sqlite3_value *v)
{
	int type = sqlite3_value_type(v);
	double d = type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(v) : NAN;

	return fabs(d) <= AMOUNT_MAX ? d : NAN;
}

/* -- the database: opening --------------------------------------------------------------------- */

#define PRAGMAS                                                                                    \
	"PRAGMA page_size = 16384; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; "

/* Opens c->db, whose place is set. It is not checked. */
static int catalog_sqlite_db_open(struct catalog_sqlite *c, enum catalog_use use, struct err *e)
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

/* -- the table, and what changes it ------------------------------------------------------------ */

#define APPLICATION_ID 0x72747263 /* "rtrc" */

/* Most queries read one of these indexes alone, in its order. By the start third, new runs of a
 * name are neighbours. */
#define BY_NAME                                                                                    \
	"CREATE INDEX runs_name ON runs (name, machine, start, user, class, joined, packed) "      \
	"WHERE joined = '';"
#define BY_JOB                                                                                     \
	"CREATE INDEX runs_joined ON runs (joined, name, machine, start, user, class, packed) "    \
	"WHERE joined <> '';"

/* The recordings of a job find each other when they are put; rows of accounting are found by their
 * source. */
#define BY_ID                                                                                      \
	"CREATE INDEX IF NOT EXISTS runs_job_id ON runs (job_id) "                                 \
	"WHERE " CATALOG_RECORDED_JOBS ";"

/* Folders that need not be read again. */
#define FOLDERS                                                                                    \
	"CREATE TABLE IF NOT EXISTS folders (path TEXT PRIMARY KEY, changed_ns INTEGER NOT NULL) " \
	"WITHOUT ROWID;"

/* Rows that an older version put: no recording has this size, so that it is read again. */
#define OLDER  "source_size = -1"
#define BY_AGE "CREATE INDEX IF NOT EXISTS runs_older ON runs (source) WHERE " OLDER ";"

static bool catalog_sqlite_indexed(int column)
{
	return column == RTRACK_ROW_NAME || column == CATALOG_COLUMN_MACHINE ||
	       column == RTRACK_ROW_START || column == RTRACK_ROW_USER ||
	       column == CATALOG_COLUMN_CLASS || column == CATALOG_COLUMN_JOINED;
}

static const char *const types[] = {
    [CATALOG_TEXT] = "TEXT NOT NULL", [CATALOG_INTEGER] = "INTEGER", [CATALOG_NUMBER] = "REAL"};

static void put_create_table(struct buf *sql)
{
	buf_str(sql, "CREATE TABLE runs (");
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		buf_printf(sql, "%s %s, ", catalog_columns[i].name, types[catalog_columns[i].kind]);
	buf_str(sql, "packed BLOB, PRIMARY KEY (source));");
}

static int create_table(const struct catalog_sqlite *c, struct err *e)
{
	struct buf sql = {0};
	int failed;

	put_create_table(&sql);
	buf_str(&sql, c->place ? BY_NAME BY_JOB
	                       : "CREATE INDEX runs_joined ON runs (joined) WHERE joined <> '';");
	buf_str(&sql, BY_ID FOLDERS BY_AGE);
	buf_printf(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION_ID,
	           CATALOG_SCHEMA);
	failed = sql.failed ? err_set(e, "%s", strerror(ENOMEM))
	                    : catalog_sqlite_db_run(c, buf_cstr(&sql), e);
	buf_free(&sql);
	return failed;
}

static int ask_integer(const struct catalog_sqlite *c, const char *sql, int *out, struct err *e)
{
	sqlite3_stmt *s = NULL;
	int step;

	if (catalog_sqlite_db_prepare(c, &s, sql, e))
		return -1;
	step = sqlite3_step(s);
	*out = sqlite3_column_int(s, 0);
	if (step != SQLITE_ROW)
		catalog_sqlite_db_error(c, e);
	sqlite3_finalize(s);
	return step == SQLITE_ROW ? 0 : -1;
}

static int has_catalog_column(const struct catalog_sqlite *c, int i, int *has, struct err *e)
{
	struct buf sql = {0};
	int failed;

	buf_printf(&sql, "SELECT count(*) FROM pragma_table_info('runs') WHERE name = '%s'",
	           catalog_columns[i].name);
	failed = ask_integer(c, buf_cstr(&sql), has, e);
	buf_free(&sql);
	return failed;
}

/* The table as this version knows it, of an older one that is only read. */
static int view_table(const struct catalog_sqlite *c, struct err *e)
{
	struct buf sql = {0};
	int failed = 0;

	buf_str(&sql, "CREATE TEMP VIEW runs AS SELECT rowid AS rowid, *");
	for (int i = 0; i < CATALOG_COLUMNS && !failed; i++) {
		int has = 0;
		failed = has_catalog_column(c, i, &has, e);
		if (!has)
			buf_printf(&sql, ", %s AS %s",
			           catalog_columns[i].kind == CATALOG_TEXT ? "''" : "NULL",
			           catalog_columns[i].name);
	}
	buf_str(&sql, " FROM main.runs");
	if (!failed)
		failed = catalog_sqlite_db_run(c, buf_cstr(&sql), e);
	buf_free(&sql);
	return failed;
}

/* Adds the columns that an older version did not have. They come last, so that no statement may
 * depend on the order of the columns. */
static int upgrade_table(const struct catalog_sqlite *c, struct err *e)
{
	struct buf sql = {0};
	bool added = false;
	int failed = 0;

	for (int i = 0; i < CATALOG_COLUMNS && !failed; i++) {
		const struct catalog_column *column = &catalog_columns[i];
		int has = 0;
		failed = has_catalog_column(c, i, &has, e);
		buf_clear(&sql);
		buf_printf(&sql, "ALTER TABLE runs ADD COLUMN %s %s%s", column->name,
		           types[column->kind], column->kind == CATALOG_TEXT ? " DEFAULT ''" : "");
		if (!failed && !has)
			failed = catalog_sqlite_db_run(c, buf_cstr(&sql), e);
		added = added || !has;
	}
	buf_clear(&sql);
	buf_str(&sql, BY_ID FOLDERS BY_AGE);
	if (added)
		buf_str(&sql, "UPDATE runs SET source_size = -1, source_tag = '' "
		              "WHERE origin IN ('', 'recorded', 'recorded+sacct'); "
		              "DELETE FROM folders;");
	buf_printf(&sql, "PRAGMA user_version = %d", CATALOG_SCHEMA);
	if (!failed)
		failed = catalog_sqlite_db_run(c, buf_cstr(&sql), e);
	buf_free(&sql);
	return failed;
}

/* *version: 0 of an empty file. */
static int check_version(const struct catalog_sqlite *c, int *version, struct err *e)
{
	int id, tables;
	bool failed;

	/* Together: another process may be making the catalog just now. */
	if (catalog_sqlite_db_run(c, "SAVEPOINT version", e))
		return -1;
	failed = ask_integer(c, "SELECT count(*) FROM sqlite_schema", &tables, e) ||
	         ask_integer(c, "PRAGMA application_id", &id, e) ||
	         ask_integer(c, "PRAGMA user_version", version, e);
	if (catalog_sqlite_db_run(c, "RELEASE version", failed ? NULL : e) || failed)
		return -1;
	if (!tables && !id && !*version)
		return 0;
	if (id != APPLICATION_ID)
		return err_set(e, "%s: not a catalog: it is another program's database", c->place);
	if (*version > CATALOG_SCHEMA)
		return err_set(e,
		               "%s: a newer version of rtrack made this catalog (its version is "
		               "%d, and this program knows %d)",
		               c->place, *version, CATALOG_SCHEMA);
	if (*version < 1)
		return err_set(e, "%s: not a catalog: its version is %d", c->place, *version);
	return 0;
}

/* In a transaction: another writer may have made or changed it meanwhile. */
static int make_current(struct catalog_sqlite *c, struct err *e)
{
	int version = 0;

	if (check_version(c, &version, e))
		return -1;
	if (!version)
		return create_table(c, e);
	if (version == CATALOG_SCHEMA)
		return 0;
	c->upgraded_from = version;
	return upgrade_table(c, e);
}

static int catalog_sqlite_check(struct catalog_sqlite *c, enum catalog_use use, struct err *e)
{
	int version = 0;

	if (!c->place)
		return create_table(c, e);
	if (check_version(c, &version, e))
		return -1;
	if (!version && use == CATALOG_READ)
		return err_set(
		    e, "%s: there is no catalog yet, only an empty file: rtrack-fleet add makes it",
		    c->place);
	if (version == CATALOG_SCHEMA)
		return 0;
	if (use == CATALOG_READ)
		return view_table(c, e);
	if (catalog_sqlite_db_run(c, "BEGIN IMMEDIATE", e))
		return -1;
	return commit_or_roll_back(c, make_current(c, e), e);
}

/* -- the table: adding and forgetting ---------------------------------------------------------- */

static bool as_it_was(const struct catalog_source *s, sqlite3_stmt *st)
{
	const char *tag = (const char *)sqlite3_column_text(st, 2);

	if (*s->tag)
		return tag && strcmp(tag, s->tag) == 0;
	return sqlite3_column_int64(st, 0) == s->size && sqlite3_column_int64(st, 1) == s->mtime_ns;
}

static int find_missing(struct catalog_sqlite *c, const struct catalog_source *s, bool *missing,
                        struct err *e)
{
	int step;

	if (sqlite3_bind_text(c->find, 1, s->path, -1, SQLITE_STATIC))
		return catalog_sqlite_db_error(c, e);
	step = sqlite3_step(c->find);
	*missing = step != SQLITE_ROW || !as_it_was(s, c->find);
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		catalog_sqlite_db_error(c, e);
	sqlite3_reset(c->find);
	return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : -1;
}

static int catalog_sqlite_missing(void *self, const struct catalog_source *v, size_t n,
                                  bool *missing, struct err *e)
{
	struct catalog_sqlite *c = self;
	int failed = 0;

	if (catalog_sqlite_db_prepare(c, &c->find,
	                              "SELECT source_size, source_mtime_ns, source_tag FROM runs "
	                              "WHERE source = ?",
	                              e) ||
	    catalog_sqlite_db_begin(c, "BEGIN", e)) /* one lock for all */
		return -1;
	for (size_t i = 0; i < n && !failed; i++)
		failed = find_missing(c, &v[i], &missing[i], e);
	sqlite3_clear_bindings(c->find);
	catalog_sqlite_db_end(c, false, NULL);
	return failed;
}

static int prepare_put(struct catalog_sqlite *c, struct err *e)
{
	struct buf sql = {0};
	int failed;

	if (c->put)
		return 0;
	buf_str(&sql, "INSERT OR REPLACE INTO runs (");
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		buf_printf(&sql, "%s, ", catalog_columns[i].name);
	buf_str(&sql, "packed) VALUES (");
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		buf_str(&sql, "?, ");
	buf_str(&sql, "?)");
	failed = sql.failed ? err_set(e, "%s", strerror(ENOMEM))
	                    : catalog_sqlite_db_prepare(c, &c->put, buf_cstr(&sql), e);
	buf_free(&sql);
	return failed;
}

static int put_sqlite_run(struct catalog_sqlite *c, const struct catalog_run *run, struct err *e)
{
	struct catalog_value v[CATALOG_COLUMNS];
	unsigned char packed[CATALOG_PACK_MAX];
	struct catalog_row_text text;
	int failed = 0, at = 1;
	size_t n;

	catalog_row_values(run, &text, v);
	n = catalog_pack(v, packed);
	/* Values that are not bound are NULL. */
	for (int i = 0; i < CATALOG_COLUMNS && !failed; i++, at++)
		if (v[i].kind != CATALOG_NULL)
			failed = catalog_sqlite_db_bind(c->put, at, &v[i]);
	if (!failed)
		failed = sqlite3_bind_blob(c->put, at, packed, (int)n, SQLITE_STATIC);
	if (failed || sqlite3_step(c->put) != SQLITE_DONE)
		failed = catalog_sqlite_db_error(c, e);
	sqlite3_reset(c->put);
	sqlite3_clear_bindings(c->put);
	return failed;
}

/* A recording's journal was OUT.partial, or OUT.partial.2 and so on, until it ended. An older
 * journal that is still there is of a run that started at another time. */
static int forget_journals(struct catalog_sqlite *c, const struct catalog_run *v, size_t n,
                           struct err *e)
{
	static const char sql[] = "DELETE FROM runs WHERE source >= ?1 || '.partial' "
				  "AND source < ?1 || '.partial/' " /* '.' + 1 */
				  "AND class = ?3 AND abs(start - ?2) < ?4";
	sqlite3_stmt *s = NULL;
	int failed = catalog_sqlite_db_prepare(c, &s, sql, e);

	for (size_t i = 0; i < n && !failed; i++) {
		if (v[i].origin != IMPORT_RECORDED)
			continue;
		failed = sqlite3_bind_text(s, 1, v[i].source.path, -1, SQLITE_STATIC) ||
		         sqlite3_bind_double(s, 2, v[i].row->of[RTRACK_ROW_START].number) ||
		         sqlite3_bind_int(s, 3, CATALOG_UNFINISHED) ||
		         sqlite3_bind_double(s, 4, CATALOG_SAME_START) ||
		         sqlite3_step(s) != SQLITE_DONE;
		if (failed)
			failed = catalog_sqlite_db_error(c, e);
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return failed;
}

static int catalog_sqlite_put(void *self, const struct catalog_run *v, size_t n, struct err *e)
{
	struct catalog_sqlite *c = self;
	int failed = 0;

	if (prepare_put(c, e) || catalog_sqlite_db_begin(c, "BEGIN IMMEDIATE", e))
		return -1;
	for (size_t i = 0; i < n && !failed; i++)
		failed = put_sqlite_run(c, &v[i], e);
	if (!failed)
		failed = forget_journals(c, v, n, e);
	return catalog_sqlite_db_end(c, failed, e);
}

#define BELOW(column) "(" column " >= ?1 || '/' AND " column " < ?1 || '0')" /* '/' + 1 */

/* Runs a statement whose first value is a text, and frees it; its other values are bound. Adds the
 * number of rows that it changed to *n. */
static int change_below(const struct catalog_sqlite *c, sqlite3_stmt *s, const char *source,
                        size_t length, size_t *n, struct err *e)
{
	int failed = sqlite3_bind_text(s, 1, source, (int)length, SQLITE_STATIC) ||
	             sqlite3_step(s) != SQLITE_DONE;

	if (failed)
		failed = catalog_sqlite_db_error(c, e);
	else
		*n += (size_t)sqlite3_changes(c->db);
	sqlite3_finalize(s);
	return failed;
}

static int forget_runs(const struct catalog_sqlite *c, const char *source, size_t length,
                       double before, size_t *n, struct err *e)
{
	sqlite3_stmt *s = NULL;

	if (catalog_sqlite_db_prepare(c, &s,
	                              "DELETE FROM runs WHERE (source = ?1 OR " BELOW(
					  "source") ") AND (?2 = 0 OR start < ?2)",
	                              e))
		return -1;
	sqlite3_bind_double(s, 2, before);
	return change_below(c, s, source, length, n, e);
}

/* Also the folder that it is in. */
static int open_folders(const struct catalog_sqlite *c, const char *source, size_t length,
                        struct err *e)
{
	size_t folder = length, n = 0;
	sqlite3_stmt *s = NULL;

	while (folder && source[folder - 1] != '/')
		folder--;
	folder -= folder > 0;
	if (catalog_sqlite_db_prepare(
		c, &s, "DELETE FROM folders WHERE path = ?1 OR path = ?2 OR " BELOW("path"), e))
		return -1;
	sqlite3_bind_text(s, 2, source, (int)folder, SQLITE_STATIC);
	return change_below(c, s, source, length, &n, e);
}

static int catalog_sqlite_forget(void *self, const char *source, double before, size_t *n,
                                 struct err *e)
{
	struct catalog_sqlite *c = self;
	size_t length = strlen(source);
	int failed;

	while (length && source[length - 1] == '/')
		length--;
	if (catalog_sqlite_db_begin(c, "BEGIN IMMEDIATE", e))
		return -1;
	failed = forget_runs(c, source, length, before, n, e);
	if (!failed && !(before > 0))
		failed = open_folders(c, source, length, e);
	return catalog_sqlite_db_end(c, failed, e);
}

/* -- the table: folders that need not be read again -------------------------------------------- */

static int catalog_sqlite_each_closed(void *self, catalog_each_folder *each, void *ctx,
                                      struct err *e)
{
	const struct catalog_sqlite *c = self;
	sqlite3_stmt *s = NULL;
	int failed = catalog_sqlite_db_prepare(c, &s, "SELECT path, changed_ns FROM folders", e);
	int step = SQLITE_DONE;

	while (!failed && (step = sqlite3_step(s)) == SQLITE_ROW) {
		const unsigned char *path = sqlite3_column_text(s, 0);
		struct catalog_folder f = {path ? (const char *)path : "",
		                           sqlite3_column_int64(s, 1)};
		failed = each(ctx, &f, e);
	}
	if (!failed && step != SQLITE_DONE)
		failed = catalog_sqlite_db_error(c, e);
	sqlite3_finalize(s);
	return failed;
}

static int catalog_sqlite_older_rows(void *self, size_t *n, struct err *e)
{
	int older;

	if (ask_integer(self, "SELECT count(*) FROM runs WHERE " OLDER, &older, e))
		return -1;
	*n = (size_t)older;
	return 0;
}

static int catalog_sqlite_close_folders(void *self, const struct catalog_folder *v, size_t n,
                                        struct err *e)
{
	struct catalog_sqlite *c = self;
	sqlite3_stmt *s = NULL;
	int failed;

	if (catalog_sqlite_db_begin(c, "BEGIN IMMEDIATE", e))
		return -1;
	failed =
	    catalog_sqlite_db_prepare(c, &s, "INSERT OR REPLACE INTO folders VALUES (?, ?)", e);
	for (size_t i = 0; i < n && !failed; i++) {
		failed = sqlite3_bind_text(s, 1, v[i].path, -1, SQLITE_STATIC) ||
		         sqlite3_bind_int64(s, 2, v[i].changed_ns) ||
		         sqlite3_step(s) != SQLITE_DONE;
		if (failed)
			failed = catalog_sqlite_db_error(c, e);
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return catalog_sqlite_db_end(c, failed, e);
}

/* -- the table: many rows in one transaction --------------------------------------------------- */

/* For what does not fit into memory; where else SQLite looks, nothing may be written. */
static void set_temporary_folder(const struct catalog_sqlite *c)
{
	const char *slash = strrchr(c->place, '/');

	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory =
	    slash ? sqlite3_mprintf("%.*s", (int)(slash - c->place + 1), c->place)
		  : sqlite3_mprintf(".");
}

/* To sort a million names at the end takes a fifth of the time of finding the place of each. */
static int begin_bulk(struct catalog_sqlite *c, struct err *e)
{
	int rows = 1;

	if (c->place)
		set_temporary_folder(c);
	/* Runs in memory are sorted there: no file may be made for them. */
	if (catalog_sqlite_db_run(c,
	                          c->place
	                              ? "PRAGMA cache_size = -16384; PRAGMA temp_store = FILE; "
	                                "BEGIN IMMEDIATE"
	                              : "PRAGMA cache_size = -16384; BEGIN IMMEDIATE",
	                          e))
		return -1;
	c->bulk = true;
	if (ask_integer(c, "SELECT EXISTS (SELECT 1 FROM runs)", &rows, e))
		return catalog_sqlite_db_end(c, -1, e);
	c->no_names = c->place && !rows;
	return c->no_names && catalog_sqlite_db_run(c, "DROP INDEX runs_name", e)
	           ? catalog_sqlite_db_end(c, -1, e)
	           : 0;
}

static int catalog_sqlite_bulk(void *self, bool begin, struct err *e)
{
	struct catalog_sqlite *c = self;
	int failed = 0;

	if (begin)
		return begin_bulk(c, e);
	if (!c->bulk) /* what failed has ended it */
		return 0;
	if (c->no_names)
		failed = catalog_sqlite_db_run(c, BY_NAME, e);
	c->no_names = false;
	return catalog_sqlite_db_end_bulk(c, failed, e);
}

/* -- queries ----------------------------------------------------------------------------------- */

#define RESULTS_MAX (CATALOG_KEYS + 2 + CATALOG_GROUP_OUTPUTS)

/* Bytes of groups in memory, to which malloc adds a fifth: a page of 300,000 groups takes less than
 * 64 MiB. Where the runs are in memory as well, reading them once more takes no time. */
#define BYTES_OF_FILE   ((size_t)16 << 20)
#define BYTES_OF_MEMORY ((size_t)6 << 20)

/* A statement that runs. */
struct sqlite_query {
	struct catalog_sqlite *c;
	const struct catalog_statement *s;
	sqlite3_stmt *st;
	catalog_each_row *each;
	void *ctx;
	struct err *e;
	struct catalog_groups groups;
	struct catalog_sums days;
	struct catalog_sums_plan days_plan;
	struct buf first; /* the first key of the last row, where rows are ordered */
	char *source[CATALOG_WORST + CATALOG_HISTORY + 1]; /* owned, of NEWEST and TOP */
	size_t n_sources;
};

static int no_query_memory(struct err *e)
{
	return err_set(e, "%s", strerror(ENOMEM));
}

/* -- queries: sources of rows ------------------------------------------------------------------ */

/* The source of a row, to be freed; NULL without memory, or with an error of SQLite. */
static char *source_of_row(struct catalog_sqlite *c, double row)
{
	const unsigned char *source = NULL;
	char *copy = NULL;
	int step;

	sqlite3_bind_int64(c->source_of, 1, (sqlite3_int64)row);
	step = sqlite3_step(c->source_of);
	if (step == SQLITE_ROW)
		source = sqlite3_column_text(c->source_of, 0);
	if (step == SQLITE_ROW || step == SQLITE_DONE)
		copy = strdup(source ? (const char *)source : "");
	sqlite3_reset(c->source_of);
	return copy;
}

static bool later_source(void *ctx, double a, double b)
{
	struct sqlite_query *q = ctx;
	char *x = source_of_row(q->c, a), *y = source_of_row(q->c, b);
	bool later = x && (!y || strcmp(x, y) > 0);

	free(x);
	free(y);
	return later;
}

static void forget_sources(struct sqlite_query *q)
{
	while (q->n_sources)
		free(q->source[--q->n_sources]);
}

/* The sources of the rows of NEWEST and TOP. */
static int keep_sources(struct sqlite_query *q, const struct catalog_output *of,
                        struct catalog_result *v)
{
	size_t first = q->n_sources;

	if (of->kind != CATALOG_OUT_NEWEST && of->kind != CATALOG_OUT_TOP)
		return 0;
	for (size_t i = 0; i < v->map.n; i++) {
		if (q->n_sources == sizeof q->source / sizeof *q->source)
			return err_set(q->e, "too many rows");
		if (!(q->source[q->n_sources] = source_of_row(q->c, v->map.v[i])))
			return catalog_sqlite_db_error(q->c, q->e);
		q->n_sources++;
	}
	v->list = (const char *const *)q->source + first;
	v->n = q->n_sources - first;
	if (of->kind == CATALOG_OUT_NEWEST && v->n)
		v->text = *v->list;
	return 0;
}

/* -- queries: groups --------------------------------------------------------------------------- */

static int each_sqlite_group(void *ctx, struct catalog_result *v)
{
	struct sqlite_query *q = ctx;
	int failed = 0;

	for (size_t i = 0; i < q->s->n_outputs && !failed; i++)
		failed = keep_sources(q, &q->s->output[i], &v[q->s->n_keys + i]);
	if (!failed)
		failed = q->each(q->ctx, v, q->e);
	forget_sources(q);
	return failed ? 1 : 0;
}

static int finish_groups(struct sqlite_query *q)
{
	return catalog_groups_finish(&q->groups, each_sqlite_group, q) ? -1 : 0;
}

/* Rows come by the first key, so groups with one key are complete once it changes. */
static int finish_before(struct sqlite_query *q, const struct catalog_groups_key *key)
{
	if (strcmp(buf_cstr(&q->first), key->s) == 0)
		return 0;
	buf_clear(&q->first);
	buf_add(&q->first, key->s, key->n);
	if (q->first.failed)
		return no_query_memory(q->e);
	return q->groups.n ? finish_groups(q) : 0;
}

/* Reads column `at` of a row, and the next: start and packed. */
static void unpack_row(sqlite3_stmt *st, int at, double column[CATALOG_COLUMNS])
{
	const unsigned char *packed = sqlite3_column_blob(st, at + 1);
	int size = sqlite3_column_bytes(st, at + 1);

	catalog_unpack(catalog_sqlite_db_number(sqlite3_column_value(st, at)), packed,
	               packed ? (size_t)size : 0, column);
}

static bool has_day(const double *column)
{
	return column[CATALOG_COLUMN_CLASS] != CATALOG_NO_ASK &&
	       column[CATALOG_COLUMN_CLASS] != CATALOG_UNMEASURED &&
	       column[CATALOG_COLUMN_CLASS] != CATALOG_IMPOSSIBLE;
}

/* The keys, then start, packed and rowid. */
static int add_row(struct sqlite_query *q, double column[CATALOG_COLUMNS])
{
	struct catalog_groups_key key[CATALOG_KEYS + 2];
	int n = (int)q->s->n_keys;

	for (int i = 0; i < n; i++) {
		const unsigned char *text = sqlite3_column_text(q->st, i);
		key[i].s = text ? (const char *)text : "";
		key[i].n = strlen(key[i].s);
	}
	if (q->s->ordered && finish_before(q, key))
		return -1;
	unpack_row(q->st, n, column);
	/* Each pass reads all rows. */
	if (q->s->days && q->groups.low == 0 && has_day(column) &&
	    catalog_sums_add(&q->days, &q->days_plan, column, 0))
		return no_query_memory(q->e);
	if (catalog_groups_add(&q->groups, key, column, sqlite3_column_double(q->st, n + 2)))
		return no_query_memory(q->e);
	return 0;
}

static int select_groups(struct sqlite_query *q)
{
	double column[CATALOG_COLUMNS] = {0};
	int step;

	do {
		sqlite3_reset(q->st);
		while ((step = sqlite3_step(q->st)) == SQLITE_ROW)
			if (add_row(q, column))
				return -1;
		if (step != SQLITE_DONE)
			return catalog_sqlite_db_error(q->c, q->e);
		if (finish_groups(q))
			return -1;
	} while (catalog_groups_again(&q->groups));
	return 0;
}

static int select_days(struct sqlite_query *q)
{
	struct catalog_result days;

	catalog_sums_results(&q->days, &q->days_plan, &days);
	return q->s->days(q->s->days_ctx, &days, q->e) ? -1 : 0;
}

static int select_groups_and_days(struct sqlite_query *q)
{
	static const struct catalog_output days = {.kind = CATALOG_OUT_DAYS};
	size_t bytes_max = q->c->place ? BYTES_OF_FILE : BYTES_OF_MEMORY;
	int failed = -1;

	q->days_plan = (struct catalog_sums_plan){.output = &days, .n = 1};
	q->groups = (struct catalog_groups){
	    .plan = {q->s->output, q->s->n_outputs, later_source, q},
	    .n_keys = q->s->n_keys,
	    .n_whole = q->s->n_whole,
	    .bytes_max = q->s->ordered ? SIZE_MAX : bytes_max,
	};
	if (q->s->days && catalog_sums_begin(&q->days, &q->days_plan)) {
		no_query_memory(q->e);
		goto out;
	}
	failed = select_groups(q) || (q->s->days && select_days(q)) ? -1 : 0;
out:
	catalog_groups_free(&q->groups);
	catalog_sums_free(&q->days, &q->days_plan);
	buf_free(&q->first);
	forget_sources(q);
	return failed;
}

/* -- queries: rows ----------------------------------------------------------------------------- */

/* Numbers that groups are made of are read from the column packed. */
static void catalog_sqlite_outputs(struct buf *sql, const struct catalog_output *v, size_t n)
{
	buf_str(sql, "start, packed");
	for (size_t i = 0; i < n; i++)
		if (catalog_columns[v[i].column].kind == CATALOG_TEXT ||
		    v[i].kind == CATALOG_OUT_COLUMN)
			buf_printf(sql, ", %s", catalog_columns[v[i].column].name);
}

static void read_plain_row(const struct sqlite_query *q, struct catalog_result v[RESULTS_MAX])
{
	double column[CATALOG_COLUMNS] = {0};
	int at = 2;

	unpack_row(q->st, 0, column);
	for (size_t i = 0; i < q->s->n_outputs; i++) {
		int of = q->s->output[i].column;
		const unsigned char *text = NULL;
		if (catalog_columns[of].kind == CATALOG_TEXT)
			text = sqlite3_column_text(q->st, at++);
		else if (q->s->output[i].kind == CATALOG_OUT_COLUMN)
			column[of] = catalog_sqlite_db_number(sqlite3_column_value(q->st, at++));
		/* Nanoseconds have more digits than a double. */
		if (of == CATALOG_COLUMN_SOURCE_MTIME)
			text = sqlite3_column_text(q->st, at - 1);
		v[i] = (struct catalog_result){.text = text ? (const char *)text : "",
		                               .number = column[of]};
	}
}

static int select_plain_rows(struct sqlite_query *q)
{
	struct catalog_result v[RESULTS_MAX];
	int step;

	while ((step = sqlite3_step(q->st)) == SQLITE_ROW) {
		read_plain_row(q, v);
		if (q->each(q->ctx, v, q->e))
			return -1;
	}
	return step == SQLITE_DONE ? 0 : catalog_sqlite_db_error(q->c, q->e);
}

/* -- queries: a statement ---------------------------------------------------------------------- */

static int catalog_sqlite_select(void *self, const struct catalog_statement *s,
                                 catalog_each_row *each, void *ctx, struct err *e)
{
	struct catalog_sqlite *c = self;
	struct sqlite_query q = {
	    .c = c, .s = s, .each = each, .ctx = ctx, .e = e, .first = {.max = SIZE_MAX}};
	int failed;

	if (s->n_keys > CATALOG_KEYS + 2 || s->n_outputs > CATALOG_GROUP_OUTPUTS)
		return err_set(e, "a query of too many columns");
	if (catalog_sqlite_db_prepare(c, &c->source_of, "SELECT source FROM runs WHERE rowid = ?",
	                              e) ||
	    catalog_sqlite_db_prepare(c, &q.st, s->sql, e))
		return -1;
	failed = 0;
	for (size_t i = 0; i < s->n_values && !failed; i++)
		if (catalog_sqlite_db_bind(q.st, (int)i + 1, &s->value[i]))
			failed = catalog_sqlite_db_error(c, e);
	if (!failed)
		failed = s->n_outputs && (s->output[0].kind == CATALOG_OUT_PLAIN ||
		                          s->output[0].kind == CATALOG_OUT_COLUMN)
		             ? select_plain_rows(&q)
		             : select_groups_and_days(&q);
	sqlite3_finalize(q.st);
	return failed;
}

/* -- functions of its SQL ---------------------------------------------------------------------- */

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

/* -- the engine -------------------------------------------------------------------------------- */

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
	    .upgraded_from = c->upgraded_from,
	    .table = "runs",
	    .sources = "runs WHERE source IN ",
	    .sources_end = "",
	    .list = "VALUES ",
	    .packed = "catalog_join(start, packed)",
	    .indexed = place ? catalog_sqlite_indexed : NULL,
	    .pair = put_pair,
	    .outputs = catalog_sqlite_outputs,
	    .missing = catalog_sqlite_missing,
	    .put = catalog_sqlite_put,
	    .forget = catalog_sqlite_forget,
	    .each_closed = catalog_sqlite_each_closed,
	    .close_folders = catalog_sqlite_close_folders,
	    .older_rows = catalog_sqlite_older_rows,
	    .bulk = catalog_sqlite_bulk,
	    .select = catalog_sqlite_select,
	    .close = close_sqlite,
	};
	return 0;
}
