/*
 * fleet_money: what many runs cost: the site's own rates, or prices of machines.
 *
 *	struct fleet_money money = {0};
 *	fleet_money_begin(&money, o, &w->prices);
 *	... fleet_make, with keeper_machines_price and money.machines ...
 *	fleet_money_basis(o, watch, &money);
 *	fleet_money_free(&money);
 */
#ifndef FLEET_GROUPS_FLEET_MONEY_H
#define FLEET_GROUPS_FLEET_MONEY_H

#include "fleet/scan/fleet_sources.h"

/* {0} is valid: nothing is known. */
struct fleet_money {
	struct keeper_machines *machines; /* NULL: the site's own rates */
	struct buf basis;
	char attribution[160];
};

/* Without rates, prices will be asked for. */
void fleet_money_begin(struct fleet_money *m, const struct fleet_options *o,
                       const struct price_fetcher *fetcher);

/* Once they were: says what the money is based on, and why there are no prices. */
void fleet_money_basis(const struct fleet_options *o, const struct fleet_report_watch *watch,
                       struct fleet_money *m);

void fleet_money_free(struct fleet_money *m);

#endif
