/*
 * keeper_records: rows of the Keeper API's /servers, with all members that the service sent.
 *
 * Values are as they came; a number beyond what a double can hold is rounded or null.
 */
#ifndef REPORT_PRICES_KEEPER_RECORDS_H
#define REPORT_PRICES_KEEPER_RECORDS_H

#include <stddef.h>

#include "report/prices/keeper_result.h"

struct cJSON;

#define KEEPER_RECORD_MAX  ((size_t)64 << 10) /* bytes of one row; larger ones are not kept */
#define KEEPER_RECORDS_MAX ((size_t)16 << 20) /* bytes of all rows */

/* Valid when zero. */
struct keeper_records {
	char **v; /* JSON */
	size_t n, bytes;
};

/* Keeps a copy of the row. Returns its number, from 1; 0 if it is not kept: it is too large, or
 * nested deeper than 16 levels, or there is no memory. */
size_t keeper_records_add(struct keeper_records *r, const struct cJSON *row);

/* keeper_result_add, and keeps the row of a server that is in the list then. r: NULL keeps none. */
void keeper_records_add_server(struct keeper_records *r, const struct cJSON *row,
                               struct keeper_server *s, struct keeper_result *out, size_t max);

/* The row with this number, which the caller deletes. NULL: there is none. r: may be NULL. */
struct cJSON *keeper_records_get(const struct keeper_records *r, size_t number);

void keeper_records_free(struct keeper_records *r);

#endif
