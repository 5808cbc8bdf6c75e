/*
 * keeper_current: what the present server costs, and what it is.
 */
#ifndef REPORT_PRICES_KEEPER_CURRENT_H
#define REPORT_PRICES_KEEPER_CURRENT_H

#include "report/prices/keeper_fetch.h"

/* Sets out->present and what goes with it. /servers must have been asked before: its rows know more
 * of a vendor than the calls for one server do. */
void keeper_current_ask(struct keeper_fetch *f, struct keeper_result *out);

#endif
