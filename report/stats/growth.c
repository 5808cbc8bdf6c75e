/* growth: whether something that a job holds grew while it ran. */
#include "report/stats/growth.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/head/overview.h"
#include "core/numbers/stats.h"
#include "report/runs/run_buckets.h"

#define PAIRS       (GROWTH_WINDOWS * (GROWTH_WINDOWS - 1) / 2)
#define BLOCK       5
#define RESAMPLES   199
#define TAIL        1 /* of the sorted slopes, at either end: a range of 98 % */
#define SEED        UINT64_C(0x9E3779B97F4A7C15)
#define LEAST       0.02 /* of the level */
#define LEAST_B     (8 * QUANTITY_MIB)
#define LEAST_COUNT 8
#define PARTS       6
#define RISE_LOW    0.3 /* of the mean rise from part to part, where growth is straight */
#define RISE_HIGH   2.2
#define GOES_ON     0.6 /* of the earlier half's slope, the later half's at least */

/* -- the slope --------------------------------------------------------------------------------- */

static int compare_values(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The k-th smallest of n numbers, from 0 on (Hoare's Find); moves the others around. */
static double nth(double *v, size_t n, size_t k)
{
	size_t from = 0, to = n - 1;

	while (from < to) {
		double pivot = v[(from + to) / 2];
		size_t i = from, j = to;
		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i > j)
				break;
			double held = v[i];
			v[i++] = v[j];
			v[j] = held;
			if (!j--)
				break;
		}
		if (k <= j && j < n)
			to = j;
		else if (k >= i)
			from = i;
		else
			break;
	}
	return v[k];
}

static double median(double *v, size_t n)
{
	return (nth(v, n, n / 2) + nth(v, n, (n - 1) / 2)) / 2;
}

static double median_window(const double *v, size_t n)
{
	double copy[GROWTH_WINDOWS];

	memcpy(copy, v, n * sizeof *v);
	return median(copy, n);
}

/* Theil–Sen's: the median of the slopes between all pairs, for each window. */
static double slope(const double *v, size_t n)
{
	double of[PAIRS];
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			of[k++] = (v[j] - v[i]) / (double)(j - i);
	return median(of, k);
}

/* xorshift64: Marsaglia, Xorshift RNGs, Journal of Statistical Software 8(14), 2003. */
static size_t draw_below(uint64_t *state, size_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (size_t)(*state % n);
}

static void find_range(const double v[GROWTH_WINDOWS], double b, double *low, double *high)
{
	double line[GROWTH_WINDOWS], rest[GROWTH_WINDOWS], one[GROWTH_WINDOWS], of[RESAMPLES], a;
	uint64_t state = SEED;

	for (size_t i = 0; i < GROWTH_WINDOWS; i++)
		rest[i] = v[i] - b * (double)i;
	a = median_window(rest, GROWTH_WINDOWS);
	for (size_t i = 0; i < GROWTH_WINDOWS; i++) {
		line[i] = a + b * (double)i;
		rest[i] = v[i] - line[i];
	}
	for (size_t k = 0; k < RESAMPLES; k++) {
		for (size_t i = 0; i < GROWTH_WINDOWS; i += BLOCK) {
			size_t from = draw_below(&state, GROWTH_WINDOWS - BLOCK + 1);
			for (size_t j = 0; j < BLOCK; j++)
				one[i + j] = line[i + j] + rest[from + j];
		}
		of[k] = slope(one, GROWTH_WINDOWS);
	}
	qsort(of, RESAMPLES, sizeof *of, compare_values);
	*low = of[TAIL];
	*high = of[RESAMPLES - 1 - TAIL];
}

/* -- what it says ------------------------------------------------------------------------------ */

/* How far apart the windows are once the line is taken from them. */
static double spread_around(const double v[GROWTH_WINDOWS], double b)
{
	double low = v[0], high = v[0];

	for (size_t i = 1; i < GROWTH_WINDOWS; i++) {
		low = lesser(low, v[i] - b * (double)i);
		high = larger(high, v[i] - b * (double)i);
	}
	return high - low;
}

/* The slope is b. */
static bool rises_evenly(const double v[GROWTH_WINDOWS], double b)
{
	const size_t each = GROWTH_WINDOWS / PARTS, half = GROWTH_WINDOWS / 2;
	double part[PARTS], rise;

	for (size_t i = 0; i < PARTS; i++)
		part[i] = median_window(v + i * each, each);
	rise = (part[PARTS - 1] - part[0]) / (PARTS - 1);
	for (size_t i = 1; i < PARTS; i++) {
		double one = part[i] - part[i - 1];
		if (!(one >= RISE_LOW * rise && one <= RISE_HIGH * rise))
			return false;
	}
	return b * GROWTH_WINDOWS >= spread_around(v, b) &&
	       slope(v + half, half) >= GOES_ON * slope(v, half);
}

struct growth growth_of_minima(const double v[GROWTH_WINDOWS], double span_s, double least)
{
	const double window_s = span_s / GROWTH_WINDOWS;
	struct growth g = {.kind = GROWTH_STEADY};
	double b = slope(v, GROWTH_WINDOWS), level = median_window(v, GROWTH_WINDOWS);

	least = larger(least, LEAST * level);
	find_range(v, b, &g.low, &g.high);
	g.grew = b * GROWTH_WINDOWS;
	g.last = level + g.grew / 2;
	g.shown_per_s = larger(g.high / window_s, least / span_s);
	if (g.low > 0 && g.grew > least)
		g.kind = rises_evenly(v, b) ? GROWTH_STRAIGHT : GROWTH_UNEVEN;
	g.per_s = b / window_s;
	g.low /= window_s;
	g.high /= window_s;
	return g;
}

/* -- of a run ---------------------------------------------------------------------------------- */

/* Fewer digits than an overview has, so that rows and overview give the same. */
static double shortened(double v)
{
	return stats_round(v, 7 - (int)floor(log10(larger(fabs(v), 1e-300))));
}

/* The least value of a column in each bucket; NAN: none. */
static void find_minima(const struct run *run, enum metric_id id, const struct buckets *b,
                        double min[BUCKETS_MAX])
{
	const struct overview *o = run->snapshot.overview;
	const double *have = o ? o->column[id].min : NULL, *t, *v;
	struct buckets_walk walk = {.before = NAN};
	size_t n, first, at;

	for (size_t i = 0; i < b->n; i++)
		min[i] = have ? have[i] : (double)NAN;
	t = run_times(run, metrics[id].scope, &n);
	v = have ? NULL : frame_col(&run->snapshot.rows[metrics[id].scope], id);
	for (size_t i = 0; v && i < n; i++)
		if (buckets_place(b, &walk, t[i], &first, &at))
			for (size_t k = first; k <= at; k++)
				min[k] = lesser(min[k], v[i]);
	frame_rest(&run->snapshot.rows[metrics[id].scope]);
}

struct growth growth_of_column(const struct run *run, enum metric_id id)
{
	const struct buckets b = run_buckets(run);
	const double least = metrics[id].unit == METRIC_UNIT_COUNT ? LEAST_COUNT : LEAST_B;
	const size_t from = b.n / 4;
	double min[BUCKETS_MAX], window[GROWTH_WINDOWS];

	/* Columns that were not measured may hold 0. */
	if (!(run->stats[id].max > 0) || !((double)b.n * b.step >= GROWTH_LEAST_S) ||
	    b.n - from < GROWTH_WINDOWS || b.n > BUCKETS_MAX)
		return (struct growth){.kind = GROWTH_UNKNOWN};
	find_minima(run, id, &b, min);
	for (size_t i = 0; i < GROWTH_WINDOWS; i++) {
		window[i] = NAN;
		for (size_t k = from + i * (b.n - from) / GROWTH_WINDOWS;
		     k < from + (i + 1) * (b.n - from) / GROWTH_WINDOWS; k++)
			window[i] = lesser(window[i], shortened(min[k]));
		if (isnan(window[i]))
			return (struct growth){.kind = GROWTH_UNKNOWN};
	}
	return growth_of_minima(window, (double)(b.n - from) * b.step, least);
}

/* -- in words ---------------------------------------------------------------------------------- */

#define HOUR 3600

void growth_say(const struct growth *g, enum unit u, struct buf *text)
{
	if (g->kind == GROWTH_STEADY)
		buf_printf(
		    text,
		    "steady: it grows by less than %s an hour, which is all that this run could "
		    "have shown",
		    UNITS_TEXT(u, g->shown_per_s * HOUR));
	else if (g->kind == GROWTH_STRAIGHT)
		buf_printf(text, "grows by %s an hour (%s to %s), straight",
		           UNITS_TEXT(u, g->per_s * HOUR), UNITS_TEXT(u, g->low * HOUR),
		           UNITS_TEXT(u, g->high * HOUR));
	else if (g->kind == GROWTH_UNEVEN)
		buf_printf(text, "grew by %s, not evenly: a cache that fills looks like this",
		           UNITS_TEXT(u, g->grew));
}

double growth_reaches(const struct growth *g, double limit)
{
	return g->kind == GROWTH_STRAIGHT && limit > g->last ? (limit - g->last) / g->per_s
	                                                     : (double)NAN;
}
