/*
 * fleet_round: numbers without the last digits, which depend on the order of adding.
 *
 * Every engine adds up runs in another order, so sums of the same runs differ in their last digits.
 * Rounded, they are the same, and a mean of equal asks is the ask itself.
 */
#ifndef FLEET_GROUPS_FLEET_ROUND_H
#define FLEET_GROUPS_FLEET_ROUND_H

#include "fleet/groups/fleet.h"

#define FLEET_ROUND_DIGITS 9

/* v with so many significant digits. */
double fleet_round(double v, int digits);

/* All sums and means; what is exact stays: counts, percentiles, the largest asks. */
void fleet_round_usage(struct fleet_usage *u);
void fleet_round_backtest(struct fleet_backtest *t);
void fleet_round_group(struct fleet_group *g);
void fleet_round_day(struct catalog_day *d);

#endif
