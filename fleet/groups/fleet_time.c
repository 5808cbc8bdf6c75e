/* fleet_time: how long the runs of a group would take with other CPUs. */
#include "fleet/groups/fleet_time.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-9 /* of sums in any order */

struct fleet_times fleet_time_of_sums(const double *sums)
{
	struct fleet_times t = {.known_s = sums[CATALOG_SUM_TIME_KNOWN_S],
	                        .asked_s = sums[CATALOG_SUM_TIME_ASKED_S]};

	memcpy(t.at, sums + CATALOG_SUM_TIME_S, sizeof t.at);
	return t;
}

double fleet_time_at(const struct fleet_times *t, double cpus)
{
	int i = 0;
	double share;

	if (!(t->known_s > 0) || !(cpus >= 1))
		return (double)NAN;
	while (i + 1 < CATALOG_TIMES && cpus >= (double)(2 << i))
		i++;
	if (i + 1 == CATALOG_TIMES)
		return t->at[i];
	share = (1.0 / (1 << i) - 1 / cpus) * (2 << i);
	return t->at[i] + (t->at[i + 1] - t->at[i]) * share;
}

double fleet_time_fewest(const struct fleet_times *t, double slowdown)
{
	double most = (1 + slowdown) * t->asked_s * (1 + ROUNDING);
	int low = 0, high = 1 << (CATALOG_TIMES - 1);

	if (!(t->known_s > 0) || !(fleet_time_at(t, high) <= most))
		return (double)NAN;
	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (fleet_time_at(t, middle) <= most)
			high = middle;
		else
			low = middle;
	}
	return high;
}

double fleet_time_longer(const struct fleet_times *t, double cpus)
{
	double longer = fleet_time_at(t, cpus) / t->asked_s;

	return longer > 0 && isfinite(longer) ? longer : 1;
}
