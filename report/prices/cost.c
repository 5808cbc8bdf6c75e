/* cost: the cost of a run at a price per hour, and what another server would save. */
#include "report/prices/cost.h"

#include <math.h>

#include "core/base/quantity.h"
#include "core/numbers/stats.h"
#include "report/prices/keeper_filters.h"

static bool is_not_negative(double v)
{
	return isfinite(v) && v >= 0;
}

double cost_run(double price_hour, double duration_s)
{
	if (!is_not_negative(price_hour) || !is_not_negative(duration_s))
		return NAN;
	return price_hour / QUANTITY_HOUR_S * duration_s;
}

static bool is_positive(double v)
{
	return isfinite(v) && v > 0;
}

struct cost_billing cost_billing_of(const char *vendor, double min_s, double increment_s)
{
	const struct keeper_vendor *v = keeper_filters_vendor(vendor);
	struct cost_billing b = {QUANTITY_HOUR_S, QUANTITY_HOUR_S, !is_not_negative(min_s),
	                         !is_positive(increment_s)};

	if (v) {
		b.min_s = v->min_s;
		b.increment_s = v->increment_s;
	}
	if (!b.min_assumed)
		b.min_s = min_s;
	if (!b.increment_assumed)
		b.increment_s = increment_s;
	return b;
}

double cost_alone(double price_hour, double duration_s, struct cost_billing b)
{
	double billed = duration_s > b.min_s ? duration_s : b.min_s;

	if (!is_not_negative(price_hour) || !is_not_negative(duration_s) ||
	    !is_positive(b.increment_s))
		return NAN;
	return cost_run(price_hour, ceil(billed / b.increment_s) * b.increment_s);
}

struct cost_savings cost_saved(double present, double recommended)
{
	struct cost_savings s = {.percent = NAN, .amount = NAN};
	double percent = (present - recommended) / present * 100;

	if (!is_not_negative(present) || !is_not_negative(recommended) || !(present > 0) ||
	    !isfinite(percent))
		return s;
	s.known = true;
	s.extra = recommended > present;
	s.percent = stats_round(percent, 2);
	s.amount = stats_round(present - recommended, 6);
	return s;
}
