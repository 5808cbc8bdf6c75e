/*
 * keeper_server: one server of an answer, and the cheapest of many in their order. Pure.
 */
#ifndef REPORT_PRICES_KEEPER_SERVER_H
#define REPORT_PRICES_KEEPER_SERVER_H

#include "report/prices/keeper.h"

/* Nothing is known of it: its numbers are NAN. */
struct keeper_server keeper_server_unknown(void);

/* Takes v where *known is NAN. */
void keeper_server_learn(double *known, double v);

/* Puts it in its place among the cheapest max of *out, by (price, vendor_id, server_id); a server
 * that is there already counts once, at its lower price. */
void keeper_server_add(struct keeper_result *out, const struct keeper_server *s, size_t max);

/* What the row of one server leaves out of how its vendor bills, that of another one may tell. */
void keeper_server_share_billing(struct keeper_result *out);

#endif
