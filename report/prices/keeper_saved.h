/*
 * keeper_saved: an answer of keeper_ask as JSON. The page of a run carries it, so that it can show
 * the same prices again without a network.
 */
#ifndef REPORT_PRICES_KEEPER_SAVED_H
#define REPORT_PRICES_KEEPER_SAVED_H

#include "core/json/json_write.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_result.h"

/* Writes the answer to a query, as one object. */
void keeper_saved_write(struct json_write *j, const struct keeper_result *r);

/* Overwrites *out with the answer in text. 0, or -1 if there is none to this query. The text may be
 * anyone's. Pure. */
int keeper_saved_read(const char *text, const struct keeper_query *q, struct keeper_result *out);

#endif
