/* catalog_sqlite_write: the table of a catalog in SQLite, and what changes it. */
#include <errno.h>
#include <string.h>

#include "fleet/catalog/catalog_pack.h"
#include "fleet/catalog/catalog_sqlite.h"
#include "fleet/catalog/catalog_sqlite_db.h"

#define APPLICATION_ID 0x72747263 /* "rtrc" */

/* -- the table --------------------------------------------------------------------------------- */

/* What most queries read: one of these indexes alone, in its order. By the start third, new runs of
 * a name are neighbours. */
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

bool catalog_sqlite_indexed(int column)
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
	buf_str(&sql, BY_ID);
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

/* Adds the columns that an older version did not have. They come last, so that no statement may
 * depend on the order of the columns. */
static int upgrade_table(const struct catalog_sqlite *c, struct err *e)
{
	struct buf sql = {0};
	int failed = 0;

	for (int i = 0; i < CATALOG_COLUMNS && !failed; i++) {
		const struct catalog_column *column = &catalog_columns[i];
		int has = 0;
		buf_clear(&sql);
		buf_printf(&sql, "SELECT count(*) FROM pragma_table_info('runs') WHERE name = '%s'",
		           column->name);
		failed = ask_integer(c, buf_cstr(&sql), &has, e);
		buf_clear(&sql);
		buf_printf(&sql, "ALTER TABLE runs ADD COLUMN %s %s%s", column->name,
		           types[column->kind], column->kind == CATALOG_TEXT ? " DEFAULT ''" : "");
		if (!failed && !has)
			failed = catalog_sqlite_db_run(c, buf_cstr(&sql), e);
	}
	buf_clear(&sql);
	buf_printf(&sql, BY_ID "PRAGMA user_version = %d", CATALOG_SCHEMA);
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

int catalog_sqlite_check(const struct catalog_sqlite *c, enum catalog_use use, struct err *e)
{
	int version = 0, failed;

	if (!c->place)
		return create_table(c, e);
	if (check_version(c, &version, e))
		return -1;
	if (!version && use == CATALOG_READ)
		return err_set(e, "%s: not a catalog: it is empty", c->place);
	if (version == CATALOG_SCHEMA || use == CATALOG_READ)
		return 0;
	/* Another writer may be making or changing it just now. */
	if (catalog_sqlite_db_run(c, "BEGIN IMMEDIATE", e))
		return -1;
	failed = check_version(c, &version, e);
	if (!failed && !version)
		failed = create_table(c, e);
	else if (!failed && version < CATALOG_SCHEMA)
		failed = upgrade_table(c, e);
	if (!failed)
		failed = catalog_sqlite_db_run(c, "COMMIT", e);
	if (failed)
		catalog_sqlite_db_run(c, "ROLLBACK", NULL);
	return failed;
}

/* -- adding and forgetting --------------------------------------------------------------------- */

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

int catalog_sqlite_missing(void *self, const struct catalog_source *v, size_t n, bool *missing,
                           struct err *e)
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
	/* What is not bound is NULL. */
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

int catalog_sqlite_put(void *self, const struct catalog_run *v, size_t n, struct err *e)
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

int catalog_sqlite_forget(void *self, const char *source, size_t *n, struct err *e)
{
	static const char sql[] = "DELETE FROM runs WHERE source = ?1 "
				  "OR (source >= ?1 || '/' AND source < ?1 || '0')"; /* '/' + 1 */
	struct catalog_sqlite *c = self;
	sqlite3_stmt *s = NULL;
	size_t length = strlen(source);
	int failed;

	while (length && source[length - 1] == '/')
		length--;
	if (catalog_sqlite_db_prepare(c, &s, sql, e))
		return -1;
	failed = sqlite3_bind_text(s, 1, source, (int)length, SQLITE_STATIC) ||
	         sqlite3_step(s) != SQLITE_DONE;
	if (failed)
		failed = catalog_sqlite_db_error(c, e);
	else
		*n += (size_t)sqlite3_changes(c->db);
	sqlite3_finalize(s);
	return failed;
}

/* -- many rows in one transaction -------------------------------------------------------------- */

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

int catalog_sqlite_bulk(void *self, bool begin, struct err *e)
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
