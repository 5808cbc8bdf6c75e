/*
 * catalog_sqlite: a catalog in SQLite, in a file or in memory.
 *
 * The file is a plain database with one table (docs/catalog.md). It has a rollback journal, which
 * works on network file systems too, and is changed in transactions only. Nothing is written
 * outside of the file's folder.
 */
#ifndef REPORT_CATALOG_CATALOG_SQLITE_H
#define REPORT_CATALOG_CATALOG_SQLITE_H

#include <sqlite3.h>

#include "report/catalog/catalog_engine.h"

#define CATALOG_SQLITE_ID   0x72747263 /* application_id: "rtrc" */
#define CATALOG_SQLITE_WAIT 60000      /* ms, for another writer */

struct catalog_sqlite {
	char *place; /* NULL: in memory */
	sqlite3 *db;
	bool keep[CATALOG_COLUMNS];           /* columns of the table: all, but for catalog_keep */
	sqlite3_stmt *put, *find, *source_of; /* prepared when they are first needed */
};

/* Sets the sentence for the last error of the database. Returns -1. */
int catalog_sqlite_error(const struct catalog_sqlite *c, struct err *e);

/* Runs statements without values and results. */
int catalog_sqlite_run(const struct catalog_sqlite *c, const char *sql, struct err *e);

/* Prepares *s unless it is. */
int catalog_sqlite_prepare(const struct catalog_sqlite *c, sqlite3_stmt **s, const char *sql,
                           struct err *e);

int catalog_sqlite_bind(sqlite3_stmt *s, int at, const struct catalog_value *v);

/* Creates the table and its indexes. */
int catalog_sqlite_create(const struct catalog_sqlite *c, struct err *e);

/* Checks that the database is a catalog of this version, and makes one of an empty database if it
 * may be written. */
int catalog_sqlite_check(const struct catalog_sqlite *c, enum catalog_use use, struct err *e);

/* Members of struct catalog_engine. */
int catalog_sqlite_missing(void *self, const struct catalog_source *v, size_t n, bool *missing,
                           struct err *e);
int catalog_sqlite_put(void *self, const struct catalog_run *v, size_t n, struct err *e);
int catalog_sqlite_forget(void *self, const char *source, size_t *n, struct err *e);
int catalog_sqlite_keep(void *self, const bool keep[CATALOG_COLUMNS], struct err *e);
bool catalog_sqlite_indexed(int column);
int catalog_sqlite_select(void *self, const struct catalog_statement *s, catalog_each_row *each,
                          void *ctx, struct err *e);

/* Appends a column of a run, from its packed numbers if it is there: the table may lack it. */
void catalog_sqlite_column(struct buf *sql, int column);

/* Defines the functions of its SQL. An error code of SQLite. */
int catalog_sqlite_define(sqlite3 *db);

#endif
