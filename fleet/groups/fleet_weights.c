/* fleet_weights: runs by a value: percentiles, by the nearest rank, and the trend. */
#include "fleet/groups/fleet_weights.h"

#include <math.h>

struct fleet_weight fleet_weights_bucket(double low, double middle, double high,
                                         enum fleet_weights_keys keys)
{
	double whole = ceil(low);

	/* GPUs are mostly in use as a whole. Their number is rounded up, so a middle that is just
	 * above it would be a GPU too many. */
	if (keys == FLEET_WEIGHTS_GPUS && whole < high)
		middle = whole;
	/* From 100 cores on, a bucket holds a whole number of CPUs that a run needed: not less. */
	if (keys == FLEET_WEIGHTS_CORES && high - low > 0.99)
		middle = ceil(high) - 1;
	return (struct fleet_weight){.value = middle, .low = low, .high = high};
}

void fleet_weights_finish(struct fleet_weights *w, double max, bool more)
{
	double top = 0, at_top = 0;

	w->max = max;
	for (size_t i = 0; i < w->n; i++)
		top = fmax(top, w->v[i].value);
	for (size_t i = 0; i < w->n; i++)
		at_top += w->v[i].value == top ? w->v[i].runs : 0;
	for (size_t i = 0; i < w->n; i++) {
		struct fleet_weight *v = &w->v[i];
		/* Where the largest value is alone in its bucket, it is known exactly. */
		if (v->value == top && at_top == 1 && max <= v->high)
			v->value = max;
		v->value = fmin(v->value, max);
		if (!more)
			v->high = fmin(v->high, max);
	}
}

bool fleet_weights_fails(const struct fleet_weight *w, double limit)
{
	return w->high > limit;
}

double fleet_weights_failing(const struct fleet_weight *w, double limit)
{
	return fleet_weights_fails(w, limit) ? w->runs : w->killed;
}

double fleet_weights_runs(const struct fleet_weights *w)
{
	double runs = 0;

	for (size_t i = 0; i < w->n; i++)
		runs += w->v[i].runs;
	return runs;
}

double fleet_weights_percentile(const struct fleet_weights *w, int percent)
{
	/* Multiplied first, so that a whole rank stays whole. */
	double rank = ceil(percent * fleet_weights_runs(w) / 100), below = 0;

	for (size_t i = 0; i < w->n; i++) {
		below += w->v[i].runs;
		if (w->v[i].runs > 0 && below >= rank)
			return w->v[i].value;
	}
	return (double)NAN;
}

/* -- over days --------------------------------------------------------------------------------- */

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

double fleet_weights_trend(const struct fleet_weights *days)
{
	size_t n = days_with_runs(days), day = 0;
	struct mean half[2] = {{0, 0}, {0, 0}};

	if (n < 2 || fleet_weights_runs(days) < FLEET_RUNS_FEW)
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

int fleet_weights_points(const struct fleet_weights *days, double out[FLEET_TREND_POINTS])
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
