/* stats: what a column of numbers comes to. */
#include "stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* sorted has n > 0 values. */
static double percentile(const double *sorted, size_t n, double p)
{
	double at = p * (double)(n - 1);
	size_t low = (size_t)at;
	double part = at - (double)low;

	if (low + 1 >= n)
		return sorted[n - 1];
	return sorted[low] + part * (sorted[low + 1] - sorted[low]);
}

static double deviation(const double *v, size_t n, double mean)
{
	double squares = 0;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	return sqrt(squares / (double)(n - 1));
}

int stats_of(const double *v, size_t n, struct stats *out, struct err *e)
{
	double *sorted;

	*out = (struct stats){
	    .min = NAN, .max = NAN, .mean = NAN, .sum = NAN, .sd = NAN, .p50 = NAN, .p95 = NAN};
	sorted = malloc((n ? n : 1) * sizeof *sorted);
	if (!sorted)
		return err_set(e, "no memory for the statistics of %zu values", n);
	for (size_t i = 0; i < n; i++)
		if (!isnan(v[i]))
			sorted[out->n++] = v[i];
	out->left = n - out->n;
	if (out->n) {
		out->sum = 0;
		for (size_t i = 0; i < out->n; i++)
			out->sum += sorted[i];
		out->mean = out->sum / (double)out->n;
		out->sd = deviation(sorted, out->n, out->mean);
		qsort(sorted, out->n, sizeof *sorted, ascending);
		out->min = sorted[0];
		out->max = sorted[out->n - 1];
		out->p50 = percentile(sorted, out->n, 0.50);
		out->p95 = percentile(sorted, out->n, 0.95);
	}
	free(sorted);
	return 0;
}

/* Most values are small and not near a tie: below 2^42 the error of the product is under 0.001, and
 * a quotient of exact numbers is the double that is nearest to that decimal. */
static bool round_fast(double *v, int decimals)
{
	static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
	double scaled, whole;

	if (decimals < 0 || decimals > 6)
		return false;
	scaled = *v * power[decimals];
	whole = floor(scaled);
	if (!(fabs(scaled) < 4398046511104.0) || fabs(scaled - whole - 0.5) < 0.001)
		return false;
	whole += scaled - whole > 0.5;
	*v = whole == 0 ? 0 : whole / power[decimals];
	return true;
}

double stats_round(double v, int decimals)
{
	char text[400]; /* the longest double has 309 digits before the point */

	if (!isfinite(v) || round_fast(&v, decimals))
		return v;
	/* The C library prints the exact binary value, halves to even, as Python's round() does. */
	snprintf(text, sizeof text, "%.*f", decimals, v);
	v = strtod(text, NULL);
	return v == 0 ? 0 : v; /* no -0 */
}

double stats_round_half_even(double v)
{
	return stats_round(v, 0);
}
