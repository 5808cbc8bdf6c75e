/* cost: what a run comes to at a price per hour, and what another server would save. */
#include "cost.h"

#include <math.h>

#include "../core/stats.h"

static bool usable(double v)
{
	return isfinite(v) && v >= 0;
}

double cost_run(double price_hour, double duration_s)
{
	if (!usable(price_hour) || !usable(duration_s))
		return NAN;
	return price_hour / 3600 * duration_s;
}

struct cost_savings cost_saved(double present, double recommended)
{
	struct cost_savings s = {.percent = NAN, .amount = NAN};
	double percent = (present - recommended) / present * 100;

	if (!usable(present) || !usable(recommended) || !(present > 0) || !isfinite(percent))
		return s;
	s.known = true;
	s.extra = recommended > present;
	s.percent = stats_round(percent, 2);
	s.amount = stats_round(present - recommended, 6);
	return s;
}
