/*
 * clickhouse_schema: the table `runs` in a ClickHouse database.
 */
#ifndef FLEET_CATALOG_CLICKHOUSE_SCHEMA_H
#define FLEET_CATALOG_CLICKHOUSE_SCHEMA_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "fleet/catalog/catalog_fetcher.h"

/* Checks the table; make: makes it where there is none, and adds what one of an older version
 * lacks. lacks: what a SELECT of such a table that is only read needs besides its columns:
 * ", '' AS end_cause". -1 with a sentence, also if there is no table, or one that is not of this
 * program or of a newer version. */
int clickhouse_schema_open(const struct catalog_fetcher *f, bool make, struct buf *lacks,
                           struct err *e);

/* "a String, b Nullable(Float64), …": the columns of the table as CREATE TABLE takes them. Pure. */
void clickhouse_schema_columns(struct buf *sql);

#endif
