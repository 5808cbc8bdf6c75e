/*
 * catalog_sqlite_db: the database of a catalog in SQLite, in a file or in memory.
 *
 * The file is a plain database with one table (docs/catalog.md). It has a rollback journal, which
 * works on network file systems too, and is changed in transactions only. Nothing is written
 * outside of the file's folder.
 */
#ifndef FLEET_CATALOG_CATALOG_SQLITE_DB_H
#define FLEET_CATALOG_CATALOG_SQLITE_DB_H

#include <sqlite3.h>

#include "fleet/catalog/catalog_row.h"

#define CATALOG_SQLITE_DB_WAIT 60000 /* ms, for another writer */

struct catalog_sqlite {
	char *place; /* NULL: in memory */
	sqlite3 *db;
	bool bulk;                            /* a transaction of catalog_sqlite_bulk */
	bool no_names;                        /* in which there is no index by name */
	sqlite3_stmt *put, *find, *source_of; /* prepared when they are first needed */
};

/* Opens c->db, whose place is set. It is not checked. */
int catalog_sqlite_db_open(struct catalog_sqlite *c, enum catalog_use use, struct err *e);

/* Sets the sentence for the last error of the database. Returns -1. */
int catalog_sqlite_db_error(const struct catalog_sqlite *c, struct err *e);

/* Runs statements without values and results. */
int catalog_sqlite_db_run(const struct catalog_sqlite *c, const char *sql, struct err *e);

/* A transaction, which is a part of that of catalog_sqlite_bulk where there is one: then what
 * failed ends both. end returns failed, or -1 if it cannot be committed. */
int catalog_sqlite_db_begin(struct catalog_sqlite *c, const char *begin, struct err *e);
int catalog_sqlite_db_end(struct catalog_sqlite *c, int failed, struct err *e);
int catalog_sqlite_db_end_bulk(struct catalog_sqlite *c, int failed, struct err *e);

/* Prepares *s unless it is. */
int catalog_sqlite_db_prepare(const struct catalog_sqlite *c, sqlite3_stmt **s, const char *sql,
                              struct err *e);

int catalog_sqlite_db_bind(sqlite3_stmt *s, int at, const struct catalog_value *v);

/* A number of a row or of an argument; NAN where there is none, or one that no run has. */
double catalog_sqlite_db_number(sqlite3_value *v);

#endif
