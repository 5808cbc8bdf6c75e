/*
 * cost: what a run comes to at a price per hour, and what another server would save.
 *
 * Twice: the marginal cost is the share of an hour that the run took; alone on a fresh server it is
 * billed for the vendor's minimum at least, in the vendor's steps.
 */
#ifndef REPORT_PRICES_COST_H
#define REPORT_PRICES_COST_H

#include <stdbool.h>

/* price_hour / 3600 × duration_s, in the price's currency. NAN where either is not a finite number
 * or is negative. */
double cost_run(double price_hour, double duration_s);

/* How a vendor bills: for min_s seconds at least, in whole increments. */
struct cost_billing {
	double min_s, increment_s;
	bool min_assumed, increment_assumed; /* the service did not tell */
};

/* What the service told, else what is known of the vendor ("aws"), else whole hours. The service
 * told no minimum where it is NAN or negative (0 is one: none), and no increment where it is not
 * positive. */
struct cost_billing cost_billing_of(const char *vendor, double min_s, double increment_s);

/* price_hour / 3600 × ceil(max(duration_s, min) / increment) × increment. NAN as in cost_run. */
double cost_alone(double price_hour, double duration_s, struct cost_billing b);

/* How long the run would take on a server of another score (the higher, the faster), where all its
 * work grows with it: an estimate. NAN where either score is not positive. */
double cost_scaled_duration(double duration_s, double score_here, double score_there);

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
