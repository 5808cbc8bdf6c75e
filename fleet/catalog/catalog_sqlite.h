/*
 * catalog_sqlite: what a catalog in SQLite does: members of struct catalog_engine.
 */
#ifndef FLEET_CATALOG_CATALOG_SQLITE_H
#define FLEET_CATALOG_CATALOG_SQLITE_H

#include "fleet/catalog/catalog_engine.h"

/* Of catalog_sqlite_write.c. Checks that the database is a catalog of this version, and makes one
 * of an empty database if it may be written. */
struct catalog_sqlite;
int catalog_sqlite_check(const struct catalog_sqlite *c, enum catalog_use use, struct err *e);
int catalog_sqlite_missing(void *self, const struct catalog_source *v, size_t n, bool *missing,
                           struct err *e);
int catalog_sqlite_put(void *self, const struct catalog_run *v, size_t n, struct err *e);
int catalog_sqlite_forget(void *self, const char *source, size_t *n, struct err *e);
int catalog_sqlite_bulk(void *self, bool begin, struct err *e);
bool catalog_sqlite_indexed(int column);

/* Of catalog_sqlite_select.c. */
void catalog_sqlite_outputs(struct buf *sql, const struct catalog_output *v, size_t n);
int catalog_sqlite_select(void *self, const struct catalog_statement *s, catalog_each_row *each,
                          void *ctx, struct err *e);

#endif
