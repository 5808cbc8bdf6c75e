/* stats: what a column of numbers comes to. */
#include "stats.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "mem.h"

#define BINS 2048

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

static double median_of_3(double a, double b, double c)
{
	if (a > b)
		swap(&a, &b);
	return c < a ? a : c > b ? b : c;
}

/* Moves what is less than the pivot to the front of v[from…to), and what is more to its end; the
 * equals come to be v[*from…*to). */
static void partition(double *v, size_t *from, size_t *to, double pivot)
{
	size_t low = *from, high = *to;

	for (size_t i = low; i < high;) {
		if (v[i] < pivot)
			swap(&v[low++], &v[i++]);
		else if (v[i] > pivot)
			swap(&v[i], &v[--high]);
		else
			i++;
	}
	*from = low;
	*to = high;
}

/* The value of rank k, 0 being the least: quickselect, and where the pivots turn out bad, a sort.
 * Nothing less comes to stand behind it, nothing more before it. */
static double ranked(double *v, size_t n, size_t k)
{
	size_t from = 0, to = n;

	for (int left = 64; to - from > 1; left--) {
		size_t low = from, high = to;
		if (!left) {
			qsort(v + from, to - from, sizeof *v, ascending);
			break;
		}
		/* clang-analyzer-core.CallAndMessage: take() has filled n of them */
		partition(v, &low, &high,
		          median_of_3(v[from], v[from + (to - from) / 2], v[to - 1]));
		if (k >= low && k < high)
			break;
		*(k < low ? &to : &from) = k < low ? low : high;
	}
	return v[k];
}

/* How the values of a long column are spread between its extremes: a first look at all of them,
 * after which only the few that lie near a rank need to be put in order. */
struct bins {
	double min, scale; /* 0: none were made */
	unsigned n[BINS];
};

static size_t bin_of(const struct bins *b, double v)
{
	size_t i = (size_t)((v - b->min) * b->scale);

	return i < BINS ? i : BINS - 1;
}

static void fill_bins(struct bins *b, const double *v, size_t n, const struct stats *s)
{
	double scale = BINS / (s->max - s->min);

	if (n < 4 * (size_t)BINS || n > UINT_MAX || !isnormal(scale))
		return;
	*b = (struct bins){.min = s->min, .scale = scale};
	for (size_t i = 0; i < n; i++)
		b->n[bin_of(b, v[i])]++;
}

/* Brings the values of the bin in which rank *k lies to the front; *k becomes the rank among them.
 * Returns how many they are; *next is the least value of higher bins. */
static size_t narrow(double *v, size_t n, size_t *k, const struct bins *b, double *next)
{
	size_t bin = 0, front = 0;

	for (; *k >= b->n[bin]; bin++)
		*k -= b->n[bin];
	for (size_t i = 0; i < n; i++) {
		size_t here = bin_of(b, v[i]);
		if (here == bin)
			swap(&v[i], &v[front++]);
		else if (here > bin)
			*next = v[i] < *next ? v[i] : *next;
	}
	return front;
}

/* n > 0. Changes the order of v. */
static double percentile(double *v, size_t n, double p, const struct bins *b)
{
	double at = p * (double)(n - 1), next = INFINITY, here;
	size_t low = (size_t)at, rank = low;

	n = b->scale > 0 ? narrow(v, n, &rank, b, &next) : n;
	here = ranked(v, n, rank);
	for (size_t i = rank + 1; i < n; i++)
		next = v[i] < next ? v[i] : next;
	return next < INFINITY ? here + (at - (double)low) * (next - here) : here;
}

static double deviation(const double *v, size_t n, double mean)
{
	double squares = 0;

	if (n < 2)
		return NAN;
	/* clang-analyzer-core.UndefinedBinaryOperatorResult: take() has filled n of them */
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	return sqrt(squares / (double)(n - 1));
}

struct stats stats_none(void)
{
	return (struct stats){
	    .min = NAN, .max = NAN, .mean = NAN, .sum = NAN, .sd = NAN, .p50 = NAN, .p95 = NAN};
}

/* The values of v that are there, and what one pass over them tells. */
static void take(const double *v, size_t n, double *known, struct stats *out)
{
	*out = stats_none();
	out->min = INFINITY;
	out->max = -INFINITY;
	out->sum = 0;
	for (size_t i = 0; i < n; i++) {
		if (isnan(v[i]))
			continue;
		known[out->n++] = v[i];
		out->sum += v[i];
		out->min = v[i] < out->min ? v[i] : out->min;
		out->max = v[i] > out->max ? v[i] : out->max;
	}
	out->left = n - out->n;
	if (!out->n)
		out->sum = out->min = out->max = NAN;
}

int stats_of(const double *v, size_t n, struct stats *out, struct err *e)
{
	double *known = mem_noted(malloc((n ? n : 1) * sizeof *known));
	struct bins bins = {.scale = 0};

	take(v, known ? n : 0, known, out);
	if (!known)
		return err_set(e, "no memory for the statistics of %zu values", n);
	if (out->n) {
		out->mean = out->sum / (double)out->n;
		out->sd = deviation(known, out->n, out->mean);
		fill_bins(&bins, known, out->n, out);
		out->p50 = percentile(known, out->n, 0.50, &bins);
		out->p95 = percentile(known, out->n, 0.95, &bins);
	}
	free(known);
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
