/*
 * cost: the cost of a run at a price per hour, and what another server would save.
 *
 * There are two costs: the marginal cost is the price of the time that the run took. A run alone on
 * a fresh server is billed for at least the vendor's minimum, in the vendor's increments.
 */
#ifndef REPORT_PRICES_COST_H
#define REPORT_PRICES_COST_H

#include <stdbool.h>

/* price_hour / 3600 × duration_s, in the price's currency. NAN if either is negative or not
 * finite. */
double cost_run(double price_hour, double duration_s);

/* How a vendor bills: at least min_s seconds, in whole increments. */
struct cost_billing {
	double min_s, increment_s;
	bool min_assumed, increment_assumed; /* unknown to the service */
};

/* Takes the service's values, else the vendor's defaults (keeper_filters.h), else whole hours. The
 * service's minimum is unknown if it is NAN or negative (0 means that there is none); its increment
 * is unknown unless it is positive. */
struct cost_billing cost_billing_of(const char *vendor, double min_s, double increment_s);

/* price_hour / 3600 × ceil(max(duration_s, min) / increment) × increment. NAN as in cost_run. */
double cost_alone(double price_hour, double duration_s, struct cost_billing b);

struct cost_savings {
	bool known;
	bool extra;     /* the other server costs more: percent and amount are negative */
	double percent; /* of the present cost, rounded to 2 decimals */
	double amount;  /* in the currency, rounded to 6 decimals */
};

/* The savings of `recommended` over `present`; both are costs of the same run. Unknown if either is
 * negative or not finite, or if the present cost is 0. */
struct cost_savings cost_saved(double present, double recommended);

#endif
