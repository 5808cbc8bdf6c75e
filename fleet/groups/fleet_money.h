/*
 * fleet_money: what many runs cost: the site's own rates, or prices of machines.
 *
 *	struct fleet_money money = {0};
 *	fleet_money_begin(&money, o, &w->prices);
 *	s.money = &money;
 *	... fleet_make of fleet_money_input(&s) ...
 *	fleet_money_basis(&s);
 *	fleet_money_free(&money);
 */
#ifndef FLEET_GROUPS_FLEET_MONEY_H
#define FLEET_GROUPS_FLEET_MONEY_H

#include "fleet/groups/fleet.h"
#include "fleet/scan/fleet_sources.h"

/* {0} is valid: nothing is known. */
struct fleet_money {
	struct keeper_machines *machines; /* NULL: the site's own rates */
	struct buf basis;                 /* sentences */
	char attribution[160];
};

/* Without rates, prices will be asked for. */
void fleet_money_begin(struct fleet_money *m, const struct fleet_options *o,
                       const struct price_fetcher *fetcher);

/* The input of fleet_make: the runs of the command line, with what they cost. Borrowed from s. */
struct fleet_input fleet_money_input(const struct fleet_sources *s);

/* Once prices were asked for: fills in what the money is based on, and says why there are no
 * prices. Does nothing the second time. */
void fleet_money_basis(const struct fleet_sources *s);

void fleet_money_free(struct fleet_money *m);

#endif
