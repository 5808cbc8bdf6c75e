/*
 * fleet_backtest: what the rule for memory would have done on the later half of a group's own runs,
 * learnt on the earlier half. Pure. docs/fleet.md has the formulas with examples.
 */
#ifndef FLEET_GROUPS_FLEET_BACKTEST_H
#define FLEET_GROUPS_FLEET_BACKTEST_H

#include "fleet/groups/fleet_weights.h"
#include "report/advice/memory_rule.h"

/* Memory needs by quarters of the runs, in the order of their starts. */
#define FLEET_QUARTERS 4
struct fleet_quarters {
	struct fleet_weights of[FLEET_QUARTERS]; /* sum: wall seconds of all nodes */
	double asked_byte_s;                     /* of the last two; 0: unknown */
};

/* How many times the later half needs what the earlier does (memory_rule.h); 1: no more. */
double fleet_backtest_growth(const struct fleet_quarters *q);

/* The rule over a histogram of n lists, up to FLEET_QUARTERS. NAN and no runs where there are none,
 * or no memory to merge them. */
void fleet_backtest_rule(const struct fleet_weights *const *w, size_t n,
                         const struct memory_situation *now, struct memory_rule *out);

/* runs is 0 where there is none: fewer than MEMORY_RULE_RUNS runs in the earlier half. */
void fleet_backtest_make(const struct fleet_quarters *q, double today_b, double lambda,
                         struct fleet_backtest *out);

#endif
