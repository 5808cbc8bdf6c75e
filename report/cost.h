/*
 * cost: what a run comes to at a price per hour, and what another server would save.
 *
 * Only the marginal cost: the share of an hour that the run took, without billing minimums.
 */
#ifndef REPORT_COST_H
#define REPORT_COST_H

#include <stdbool.h>

/* price_hour / 3600 × duration_s, in the price's currency. NAN where either is not a finite number
 * or is negative. */
double cost_run(double price_hour, double duration_s);

struct cost_savings {
	bool known;
	bool extra;     /* it costs more: percent and amount are negative */
	double percent; /* of the present cost, 2 decimals */
	double amount;  /* in the currency, 6 decimals */
};

/* What `recommended` saves against `present`, both costs of the same run. Not known where either
 * is not a finite number or is negative, or where the present cost is 0. */
struct cost_savings cost_saved(double present, double recommended);

#endif
