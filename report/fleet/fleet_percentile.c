/* fleet_percentile: percentiles of runs, by the nearest rank. */
#include "report/fleet/fleet_percentile.h"

#include <math.h>

double fleet_percentile_runs(const struct fleet_weights *w)
{
	double runs = 0;

	for (size_t i = 0; i < w->n; i++)
		runs += w->v[i].runs;
	return runs;
}

double fleet_percentile(const struct fleet_weights *w, int percent)
{
	/* Multiplied first, so that a whole rank stays whole. */
	double rank = ceil(percent * fleet_percentile_runs(w) / 100), below = 0;

	for (size_t i = 0; i < w->n; i++) {
		below += w->v[i].runs;
		if (w->v[i].runs > 0 && below >= rank)
			return w->v[i].value;
	}
	return (double)NAN;
}
