/*
 * clickhouse_client: requests to a ClickHouse server, and its answers line by line.
 */
#ifndef FLEET_CATALOG_CLICKHOUSE_CLIENT_H
#define FLEET_CATALOG_CLICKHOUSE_CLIENT_H

#include "core/base/buf.h"
#include "fleet/catalog/catalog_fetcher.h"

/* A line of an answer, without its newline; it may be changed. A value other than 0 ends the
 * request, which returns -1 then, with *e as the function set it. */
typedef int clickhouse_each_line(void *ctx, char *line, struct err *e);

/* Sends a statement; its answer is in TabSeparated. each: NULL: there is none. */
int clickhouse_client_ask(const struct catalog_fetcher *f, const struct buf *sql,
                          clickhouse_each_line *each, void *ctx, struct err *e);

/* Sends rows after an "INSERT … FORMAT …", all or none. */
int clickhouse_client_insert(const struct catalog_fetcher *f, const char *statement,
                             const struct buf *rows, struct err *e);

/* Sets the sentence for a server's answer that refuses a request. Returns -1. Pure. */
int clickhouse_client_error(const char *host, long status, const char *body, struct err *e);

#endif
