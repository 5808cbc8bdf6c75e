/* fail_bound: what it means that k of n runs would have failed. */
#include "report/stats/fail_bound.h"

#include <math.h>

#include "report/units/units.h"

#define MISSED 0.05 /* the chance that the bound is too low */
#define NEAR   1e-12
#define TERMS  1000000

/* The continued fraction of the incomplete beta function (Lentz's method), which converges fast for
 * x < (a + 1) / (a + b + 2): in about the square root of the larger of a and b. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;

	for (int m = 1; m < TERMS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double before = h;
		d = 1 / (1 + even * d);
		c = 1 + even / c;
		h *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		h *= c * d;
		if (fabs(h - before) <= 1e-15 * h)
			break;
	}
	return h;
}

/* lgamma(3) as it was before glibc 2.23, of which older systems have a version. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* The chance of at most `failed` failures in n runs that fail with chance p: the regularized
 * incomplete beta function I at 1 - p of (n - failed, failed + 1). */
static double at_most(double failed, double n, double p)
{
	double a = n - failed, b = failed + 1;
	double front =
	    exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log1p(-p) + b * log(p));

	if (1 - p < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, 1 - p) / a;
	return 1 - front * beta_fraction(b, a, p) / b;
}

double fail_bound(double failed, double runs)
{
	double low = failed / runs, high = 1;

	if (!(runs > 0) || failed >= runs)
		return 1;
	if (!(failed > 0))
		return -expm1(log(MISSED) / runs); /* (1 - p)^runs = 5 % */
	/* Nearly always above it: three times the spread of the number of failures. */
	high = fmin(1, (failed + 3 + 3 * sqrt(failed + 3)) / runs);
	if (high < 1 && at_most(failed, runs, high) > MISSED)
		high = 1;
	while (high - low > NEAR * high) {
		double p = (low + high) / 2;
		if (at_most(failed, runs, p) > MISSED)
			low = p;
		else
			high = p;
	}
	return high;
}

void fail_bound_say(struct buf *out, double failed, double runs, double bound)
{
	/* "0 of 1" would read like evidence. */
	if (runs == 1) {
		buf_printf(out, "the one run would %s failed: a first guess",
		           failed > 0 ? "have" : "not have");
		return;
	}
	buf_printf(out, "%s of %s runs would have failed; the next fails with %s%s",
	           UNITS_COUNT(failed), UNITS_COUNT(runs), bound < 0.001 ? "" : "at most ",
	           UNITS_SHARE(bound));
}
