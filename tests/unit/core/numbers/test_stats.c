/* stats: values worked out by hand, and Python's round(). */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/numbers/stats.h"
#include "tests/unit/unit.h"

struct value {
	double v, weight;
};

static bool near(double a, double b)
{
	return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

TEST(by_hand)
{
	static const struct {
		double v[8];
		size_t size;
		struct stats want;
	} cases[] = {
	    {{2, 4, 4, 4, 5, 5, 7, 9},
	     8,
	     {8, 0, 2, 9, 5, 40, 2.1380899352993952 /* sqrt(32/7) */, 4.5, 8.3}},
	    {{3, 1, 2}, 3, {3, 0, 1, 3, 2, 6, 1, 2, 2.9}},
	    {{-5}, 1, {1, 0, -5, -5, -5, -5, NAN, -5, -5}},
	    {{1, 2}, 2, {2, 0, 1, 2, 1.5, 3, 0.7071067811865476, 1.5, 1.95}},
	    {{NAN, 10, NAN, 20, NAN}, 5, {2, 3, 10, 20, 15, 30, 7.0710678118654755, 15, 19.5}},
	    {{7, 7, 7, 7}, 4, {4, 0, 7, 7, 7, 28, 0, 7, 7}},
	    {{NAN, NAN}, 2, {0, 2, NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
	    {{0}, 0, {0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
	    {{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16},
	     4,
	     {4, 0, 1e9 + 4, 1e9 + 16, 1e9 + 10, 4e9 + 40, 5.477225575051661, 1e9 + 10,
	      1e9 + 15.55}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct stats *w = &cases[i].want;
		struct stats s;
		assert_int_equal(stats_of(cases[i].v, NULL, cases[i].size, &s, NULL), 0);
		assert_int_equal(s.n, w->n);
		assert_int_equal(s.left, w->left);
		assert_true(near(s.min, w->min) && near(s.max, w->max));
		assert_true(near(s.mean, w->mean) && near(s.sum, w->sum));
		assert_true(near(s.sd, w->sd));
		assert_true(near(s.p50, w->p50) && near(s.p95, w->p95));
	}
}

/* Worked by hand. Mean: Σ w v / Σ w. Standard deviation: √(Σ w (v − mean)² / Σ w × n / (n − 1)).
 * Percentile p: the values in ascending order, each as wide as its weight, make a staircase of
 * width W; the mean height from p (W − W / n) on, over a width of W / n. */
TEST(weighted_by_hand)
{
	static const struct {
		double v[5], w[5];
		size_t size;
		double mean, sd, p50, p95;
	} cases[] = {
	    /* A burst of half a second, then ten seconds asleep: W = 10.5, W / n = 5.25. p50 begins
	     * at 2.625, p95 at 4.9875: 5.0125 of its 5.25 are 0, and 0.2375 are 1 … */
	    {{1, 0},
	     {0.5, 10},
	     2,
	     1 / 21.0,
	     0.30116930096841713 /* √(2 × 20 / 441) */,
	     0,
	     0.2375 / 5.25},
	    /* Equal weights are the plain ones, whatever they are. */
	    {{3, 1, 2}, {0.25, 0.25, 0.25}, 3, 2, 1, 2, 2.9},
	    /* W = 8, W / n = 2. In order: 1 (1), 2 (4), 4 (2), 8 (1). p50 from 3 to 5 is 2; p95
	     * from 5.7 to 7.7: 4 up to 7, 8 for the last 0.7. */
	    {{4, 1, 8, 2},
	     {2, 1, 1, 4},
	     4,
	     25 / 8.0,
	     2.410912690248239 /* √(279/64 × 4/3) */,
	     2,
	     (1.3 * 4 + 0.7 * 8) / 2},
	    /* A row without a value weighs nothing. */
	    {{NAN, 10, 20, NAN, 30},
	     {100, 1, 2, 100, 1},
	     5,
	     20,
	     8.660254037844387 /* √(50×3/2) */,
	     20,
	     26.5 /* from 2.53 to 3.87: 20 up to 3 */},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stats s;
		assert_int_equal(stats_of(cases[i].v, cases[i].w, cases[i].size, &s, NULL), 0);
		if (!near(s.mean, cases[i].mean) || !near(s.sd, cases[i].sd) ||
		    !near(s.p50, cases[i].p50) || !near(s.p95, cases[i].p95))
			fail_msg("case %zu: %.17g %.17g %.17g %.17g", i, s.mean, s.sd, s.p50,
			         s.p95);
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A pipe organ, a killer of the median of three, saws, steps, one value, and what is random. */
static double shaped(int shape, size_t i, size_t n, uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	switch (shape) {
	case 0:
		return (double)i;
	case 1:
		return (double)(n - i);
	case 2:
		return (double)(i < n / 2 ? i : n - i);
	case 3:
		return i % 2 ? (double)(i < n / 2 ? n / 2 + i : n - i) : (double)i;
	case 4:
		return (double)(i % 17);
	case 5:
		return 7;
	case 8: /* of many sizes, one far from all others, below zero too */
		return i == n / 3 ? 1e15 : exp((double)(*seed >> 59)) - 5;
	case 9: /* further apart than a double can hold */
		return i || n < 100 ? DBL_MAX : -DBL_MAX;
	case 10: /* nearer than that */
		return (double)(*seed >> 60) * 5e-324;
	default:
		return (double)(*seed >> 11) / (shape == 6 ? 1.0 : 0x1p50);
	}
}

static double interpolated(const double *sorted, size_t n, double p)
{
	double at = p * (double)(n - 1), next;
	size_t low = (size_t)at;

	next = sorted[low + 1 < n ? low + 1 : low];
	return sorted[low] + (at - (double)low) * (next - sorted[low]);
}

/* The mean height of the staircase of sorted values, as its definition says. */
static double staircase(const struct value *sorted, size_t n, double p)
{
	double all = 0, at = 0, from, width, sum = 0, taken = 0;

	for (size_t i = 0; i < n; i++)
		all += sorted[i].weight;
	width = all / (double)n;
	from = p * (all - width);
	for (size_t i = 0; i < n; at += sorted[i++].weight) {
		double low = fmax(at, from), high = fmin(at + sorted[i].weight, from + width);
		sum += high > low ? (high - low) * sorted[i].v : 0;
		taken += high > low ? high - low : 0;
	}
	return sum / taken;
}

static int by_value(const void *a, const void *b)
{
	return ascending(&((const struct value *)a)->v, &((const struct value *)b)->v);
}

/* Short and long rows: weights that are binary fractions, so that sums are exact. */
static void weighted_percentiles(const double *v, size_t n, const struct stats *plain)
{
	static struct value sorted[25000];
	static double weight[25000];
	double scale = fmax(fabs(plain->min), fabs(plain->max));
	struct stats s;

	for (size_t i = 0; i < n; i++) {
		weight[i] = i % 7 == 3 ? 0.0625 : i % 11 == 5 ? 32 : 1;
		sorted[i] = (struct value){v[i], weight[i]};
	}
	qsort(sorted, n, sizeof *sorted, by_value);
	assert_int_equal(stats_of(v, weight, n, &s, NULL), 0);
	if (scale > 1e300) /* sums overflow */
		return;
	assert_true(fabs(s.p50 - staircase(sorted, n, 0.50)) <= 1e-9 * scale + 1e-300);
	assert_true(fabs(s.p95 - staircase(sorted, n, 0.95)) <= 1e-9 * scale + 1e-300);
	/* Equal weights change nothing. */
	for (size_t i = 0; i < n; i++)
		weight[i] = 0.5;
	assert_int_equal(stats_of(v, weight, n, &s, NULL), 0);
	assert_true(fabs(s.p50 - plain->p50) <= 1e-12 * scale + 1e-300);
	assert_true(fabs(s.p95 - plain->p95) <= 1e-12 * scale + 1e-300);
	assert_true(fabs(s.mean - plain->mean) <= 1e-12 * scale + 1e-300);
	assert_true(n < 2 || fabs(s.sd - plain->sd) <= 1e-9 * scale + 1e-300);
}

/* Percentiles are found without a sort: a sort says the same. */
TEST(percentiles)
{
	static double v[25000], sorted[25000];
	uint64_t seed = 1;

	for (int shape = 0; shape < 11; shape++)
		for (size_t n = 1; n <= 25000; n = n < 40 ? n + 1 : n * 5) {
			struct stats s;
			for (size_t i = 0; i < n; i++)
				sorted[i] = v[i] = shaped(shape, i, n, &seed);
			qsort(sorted, n, sizeof *sorted, ascending);
			assert_int_equal(stats_of(v, NULL, n, &s, NULL), 0);
			assert_true(s.min == sorted[0] && s.max == sorted[n - 1]);
			assert_true(s.p50 == interpolated(sorted, n, 0.50));
			assert_true(s.p95 == interpolated(sorted, n, 0.95));
			weighted_percentiles(v, n, &s);
		}
}

TEST(rounding)
{
	/* What Python 3 says. */
	static const struct {
		double v;
		int decimals;
		double want;
	} cases[] = {
	    {2.675, 2, 2.67},
	    {0.125, 2, 0.12},
	    {0.375, 2, 0.38},
	    {2.5, 0, 2},
	    {3.5, 0, 4},
	    {-2.5, 0, -2},
	    {-0.5, 0, 0},
	    {0.5, 0, 0},
	    {1.5, 0, 2},
	    {1.005, 2, 1},
	    {1.015, 2, 1.01},
	    {1.025, 2, 1.02},
	    {0.285, 2, 0.28},
	    {5.015, 2, 5.01},
	    {1.45, 1, 1.4},
	    {1.55, 1, 1.6},
	    {-1.55, 1, -1.6},
	    {0.00005, 4, 0.0001},
	    {0.00015, 4, 0.0001},
	    {1e22, 2, 1e22},
	    {1e300, 2, 1e300},
	    {123456789.987654321, 4, 123456789.9877},
	    {1760000000.0005, 3, 1760000000.0},
	    {1760000000.1235, 3, 1760000000.124},
	    {4503599627370497.5, 0, 4503599627370498},
	    {9007199254740992, 0, 9007199254740992},
	    {0.49999999999999994, 0, 0},
	    {5e-324, 6, 0},
	    {0, 2, 0},
	    {0.12345675, 7, 0.1234568},
	    {1e-9 / 3, 12, 0.000000000333},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double got = stats_round(cases[i].v, cases[i].decimals);
		if (got != cases[i].want || signbit(got) != signbit(cases[i].want))
			fail_msg("round(%.17g, %d) gave %.17g", cases[i].v, cases[i].decimals, got);
	}
	assert_true(isnan(stats_round(NAN, 2)));
	assert_true(isinf(stats_round(INFINITY, 2)));
	assert_true(stats_round(DBL_MAX, 4) == DBL_MAX);
	assert_true(stats_round(2.5, 0) == 2 && stats_round(3.5, 0) == 4);
	assert_true(stats_round(-7.5, 0) == -8);
}

/* The exact decimal value, rounded by the C library, is the measure for any value. */
TEST(rounding_of_random_values)
{
	uint64_t s = 42;

	for (int i = 0; i < 300000; i++) {
		int decimals = i % 7;
		double v;
		char text[400];
		s = s * 6364136223846793005ull + 1442695040888963407ull;
		v = (double)(int64_t)s / pow(2, (double)(s >> 58));
		if (i % 3 == 0) /* ties and what is beside them */
			v = ((double)(s >> 40) + 0.5) / pow(10, decimals);
		snprintf(text, sizeof text, "%.*f", decimals, v);
		if (stats_round(v, decimals) != strtod(text, NULL))
			fail_msg("round(%.17g, %d) gave %.17g", v, decimals,
			         stats_round(v, decimals));
	}
}
