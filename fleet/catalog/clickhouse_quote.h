/*
 * clickhouse_quote: values on their way to ClickHouse: as literals of SQL, and as JSON. Pure.
 *
 * ClickHouse got query parameters only in 19.14, so literals are quoted here, and nowhere else.
 * Texts are bytes, of any encoding.
 */
#ifndef FLEET_CATALOG_CLICKHOUSE_QUOTE_H
#define FLEET_CATALOG_CLICKHOUSE_QUOTE_H

#include "core/base/buf.h"
#include "fleet/catalog/catalog_row.h"

/* Appends a literal: 'text', a number, or NULL. */
void clickhouse_quote(struct buf *out, const struct catalog_value *v);

/* Appends sql with each `?` replaced by the next of n values; a `?` within quotes stays. -1 if
 * there are more or fewer of them than n. */
int clickhouse_quote_all(struct buf *out, const char *sql, const struct catalog_value *v, size_t n);

/* Appends a value of JSONEachRow. */
void clickhouse_json(struct buf *out, const struct catalog_value *v);

/* Appends text as a part of a URL's query. */
void clickhouse_url(struct buf *out, const char *text);

#endif
