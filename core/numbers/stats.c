/* stats: statistics of a column of numbers that is in memory. */
#include "core/numbers/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/percentile.h"

#define BINS     2048
#define BINS_MIN ((size_t)4 * BINS) /* from so many values on, bins save time */

/* A column and its total weight. */
struct column {
	const double *v, *weight; /* weight may be NULL */
	size_t size;
	double all; /* Σ weight of the values that are not NAN */
};

static double weight_at(const struct column *c, size_t i)
{
	return c->weight ? c->weight[i] : 1;
}

/* A histogram of a long column between its extremes, so that only the few values in the bins
 * around a percentile are copied and ordered. A full sort of each column would take most of the
 * report's time. */
struct bins {
	double min, scale;
	size_t used; /* 1: all values are in the first bin */
	double weight[BINS];
	size_t n[BINS];
};

static size_t bin_of(const struct bins *b, double v)
{
	size_t i = b->used > 1 ? (size_t)((v - b->min) * b->scale) : 0;

	return i < b->used ? i : b->used - 1;
}

/* The bins that contain the stretch of a percentile. */
struct bin_range {
	size_t first, last, n; /* n: values in the bins */
	double before;         /* weight of the values before them */
	struct percentile_value *v;
};

static struct bin_range range_of_bins(const struct bins *b, double from, double width)
{
	struct bin_range r = {.first = 0};
	size_t highest = b->used - 1;
	double end;

	while (highest && !b->n[highest])
		highest--;
	while (r.first < highest && r.before + b->weight[r.first] <= from)
		r.before += b->weight[r.first++];
	end = r.before + b->weight[r.first];
	r.n = b->n[r.first];
	for (r.last = r.first; r.last < highest && end <= from + width; end += b->weight[r.last])
		r.n += b->n[++r.last];
	return r;
}

/* Copies the values of the bin ranges. */
static void copy_in_range(const struct column *c, const struct bins *b, struct bin_range *r,
                          size_t reaches)
{
	for (size_t k = 0; k < reaches; k++)
		r[k].n = 0;
	for (size_t i = 0; i < c->size; i++) {
		size_t bin;
		if (isnan(c->v[i]))
			continue;
		bin = bin_of(b, c->v[i]);
		for (size_t k = 0; k < reaches; k++)
			if (bin >= r[k].first && bin <= r[k].last)
				r[k].v[r[k].n++] =
				    (struct percentile_value){c->v[i], weight_at(c, i)};
	}
}

static int column_percentiles(const struct column *c, const struct bins *b, struct stats *out)
{
	static const double p[] = {0.50, 0.95};
	double *const to[] = {&out->p50, &out->p95}, width = c->all / (double)out->n;
	struct bin_range r[2];
	int failed = 0;

	for (int k = 0; k < 2; k++) {
		r[k] = range_of_bins(b, p[k] * (c->all - width), width);
		r[k].v = alloc_failed_note(malloc(r[k].n * sizeof *r[k].v));
		failed |= !r[k].v;
	}
	if (!failed)
		copy_in_range(c, b, r, 2);
	for (int k = 0; k < 2; k++) {
		struct percentile_stretch s = {.width = width};
		if (!failed)
			percentile_take(&s, r[k].v, r[k].n, p[k] * (c->all - width) - r[k].before);
		*to[k] = percentile_mean(&s);
		free(r[k].v);
	}
	return failed ? -1 : 0;
}

struct stats stats_none(void)
{
	return (struct stats){
	    .min = NAN, .max = NAN, .mean = NAN, .sum = NAN, .sd = NAN, .p50 = NAN, .p95 = NAN};
}

/* The extremes, the sum and the mean. */
static void first_pass(struct column *c, struct stats *out)
{
	double weighted = 0;

	*out = stats_none();
	out->min = INFINITY;
	out->max = -INFINITY;
	out->sum = 0;
	for (size_t i = 0; i < c->size; i++) {
		double v = c->v[i], w = weight_at(c, i);
		if (isnan(v))
			continue;
		out->n++;
		out->sum += v;
		out->min = v < out->min ? v : out->min;
		out->max = v > out->max ? v : out->max;
		weighted += w * v;
		c->all += w;
	}
	out->left = c->size - out->n;
	if (!out->n)
		out->sum = out->min = out->max = NAN;
	out->mean = out->n ? weighted / c->all : NAN;
}

/* The standard deviation and the histogram: both need the results of the first pass. */
static void second_pass(const struct column *c, struct stats *out, struct bins *b)
{
	double squares = 0, scale = BINS / (out->max - out->min), n = (double)out->n;
	bool worth = out->n >= BINS_MIN && isnormal(scale);

	b->min = out->min;
	b->scale = scale;
	b->used = worth ? BINS : 1;
	memset(b->weight, 0, b->used * sizeof *b->weight);
	memset(b->n, 0, b->used * sizeof *b->n);
	for (size_t i = 0; i < c->size; i++) {
		double off = c->v[i] - out->mean, w = weight_at(c, i);
		size_t bin;
		if (isnan(c->v[i]))
			continue;
		squares += w * off * off;
		bin = bin_of(b, c->v[i]);
		b->n[bin]++;
		b->weight[bin] += w;
	}
	if (out->n > 1)
		out->sd = sqrt(squares / c->all * (n / (n - 1)));
}

int stats_of(const double *v, const double *weight, size_t n, struct stats *out, struct err *e)
{
	struct column c = {.v = v, .weight = weight, .size = n};
	struct bins bins;

	first_pass(&c, out);
	if (!out->n)
		return 0;
	second_pass(&c, out, &bins);
	out->p50 = out->p95 = out->min;
	if (out->min == out->max || column_percentiles(&c, &bins, out) == 0)
		return 0;
	return err_set(e, "no memory for the statistics of %zu values", n);
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
	/* glibc rounds the exact binary value half to even, as Python's round() does. */
	snprintf(text, sizeof text, "%.*f", decimals, v);
	v = strtod(text, NULL);
	return v == 0 ? 0 : v; /* no -0 */
}

double stats_digits(double v, int digits)
{
	char text[32];

	if (v == 0 || !isfinite(v))
		return v;
	snprintf(text, sizeof text, "%.*g", digits, v);
	return strtod(text, NULL);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double stats_median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}
