/*
 * keeper_present: what the present server costs, and what it is.
 */
#ifndef REPORT_KEEPER_PRESENT_H
#define REPORT_KEEPER_PRESENT_H

#include "keeper_fetch.h"

/* Sets out->present and what goes with it. /servers must have been asked before: its rows know more
 * of a vendor than the calls for one server do. */
void keeper_present_ask(struct keeper_fetch *f, struct keeper_result *out);

#endif
