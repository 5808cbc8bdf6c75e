/*
 * keeper_type: the prices per hour of one type of server in all regions, and which of them is that
 * of a region.
 */
#ifndef REPORT_PRICES_KEEPER_TYPE_H
#define REPORT_PRICES_KEEPER_TYPE_H

#include "report/prices/keeper_fetch.h"
#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_result.h"

/* Whether the query's present_vendor and present_type can be asked for. */
bool keeper_type_is_askable(const struct keeper_query *q);

/* Asks for the prices of f->q's present_type; at least one is known afterwards. -1 with a sentence.
 */
int keeper_type_ask(struct keeper_fetch *f, const char *currency, struct keeper_prices *out,
                    struct err *e);

/* The price in the region with this id, or NULL. */
const struct keeper_price *keeper_type_in_region(const struct keeper_prices *p,
                                                 const char *region_id);

/* The price in q's present_region by its name, API reference or alias, or NULL. */
const struct keeper_price *keeper_type_in_named_region(const struct keeper_region_list *all,
                                                       const struct keeper_query *q,
                                                       const struct keeper_prices *p);

/* The lowest price of all regions, on demand. p must not be empty. */
const struct keeper_price *keeper_type_cheapest(const struct keeper_prices *p);

/* Sets out->present and the present_* fields. Ask /servers first: only its rows have the vendor's
 * billing terms (keeper_parse_servers). */
void keeper_type_ask_present(struct keeper_fetch *f, struct keeper_result *out);

#endif
