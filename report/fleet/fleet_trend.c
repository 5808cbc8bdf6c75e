/* fleet_trend: how the peak memory of a group's runs changes over its days. */
#include "report/fleet/fleet_trend.h"

#include <math.h>

struct mean {
	double runs, sum;
};

static bool new_day(const struct fleet_weights *days, size_t i)
{
	return i == 0 || days->v[i].value != days->v[i - 1].value;
}

static size_t days_with_runs(const struct fleet_weights *days)
{
	size_t n = 0;

	for (size_t i = 0; i < days->n; i++)
		n += new_day(days, i);
	return n;
}

double fleet_trend_change(const struct fleet_weights *days)
{
	size_t n = days_with_runs(days), day = 0;
	struct mean half[2] = {{0, 0}, {0, 0}};

	if (n < 2 || fleet_percentile_runs(days) < FLEET_RUNS_FEW)
		return (double)NAN;
	for (size_t i = 0; i < days->n; i++) {
		day += new_day(days, i);
		half[day > n / 2].runs += days->v[i].runs;
		half[day > n / 2].sum += days->v[i].sum;
	}
	if (!(half[0].sum > 0))
		return (double)NAN;
	return half[1].sum / half[1].runs / (half[0].sum / half[0].runs) - 1;
}

int fleet_trend_points(const struct fleet_weights *days, double out[FLEET_TREND_POINTS])
{
	struct mean part[FLEET_TREND_POINTS] = {{0, 0}};
	double first, span;

	if (days_with_runs(days) < 2)
		return 0;
	first = days->v[0].value;
	span = days->v[days->n - 1].value - first + 1;
	for (size_t i = 0; i < days->n; i++) {
		size_t at = (size_t)((days->v[i].value - first) * FLEET_TREND_POINTS / span);
		part[at].runs += days->v[i].runs;
		part[at].sum += days->v[i].sum;
	}
	for (int i = 0; i < FLEET_TREND_POINTS; i++)
		out[i] = part[i].runs > 0 ? part[i].sum / part[i].runs : (double)NAN;
	return 1;
}
