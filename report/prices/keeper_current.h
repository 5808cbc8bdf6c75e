/*
 * keeper_current: the price and specs of the server that the run was on.
 */
#ifndef REPORT_PRICES_KEEPER_CURRENT_H
#define REPORT_PRICES_KEEPER_CURRENT_H

#include "report/prices/keeper_fetch.h"
#include "report/prices/keeper_result.h"

/* Sets out->present and the present_* fields. Ask /servers first: only its rows have the vendor's
 * billing terms (keeper_parse_servers). */
void keeper_current_ask(struct keeper_fetch *f, struct keeper_result *out);

#endif
