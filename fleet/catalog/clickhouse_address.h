/*
 * clickhouse_address: a ClickHouse server's address as --catalog takes it. Pure.
 *
 *   http[s]://HOST[:PORT]/DATABASE[?cluster=NAME]
 */
#ifndef FLEET_CATALOG_CLICKHOUSE_ADDRESS_H
#define FLEET_CATALOG_CLICKHOUSE_ADDRESS_H

#include <stdbool.h>

#include "core/base/err.h"

struct clickhouse_address {
	char base[320]; /* https://HOST:PORT */
	char database[65];
	char cluster[65]; /* "": none */
};

/* Whether a catalog's place is an address, and no file. */
bool clickhouse_is_address(const char *place);

/* -1 with a sentence, which never repeats a password. */
int clickhouse_address_parse(const char *place, struct clickhouse_address *out, struct err *e);

/* HOST:PORT, for sentences. */
const char *clickhouse_address_host(const struct clickhouse_address *a);

#endif
