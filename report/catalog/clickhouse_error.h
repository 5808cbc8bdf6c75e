/*
 * clickhouse_error: what a ClickHouse server answers when it refuses a request, as one sentence.
 * Pure.
 */
#ifndef REPORT_CATALOG_CLICKHOUSE_ERROR_H
#define REPORT_CATALOG_CLICKHOUSE_ERROR_H

#include "core/base/err.h"

/* The code of the server's message; 0: none. */
int clickhouse_error_code(const char *body);

/* host: as the sentence names the server; body: the answer. Always -1. */
int clickhouse_error_say(const char *host, long status, const char *body, struct err *e);

#endif
