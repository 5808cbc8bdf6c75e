/*
 * stats: what a column of numbers comes to. NANs (not measured) are left out and counted.
 *
 * Means, standard deviations and percentiles are weighted; with equal weights they are the plain
 * ones.
 */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include <stddef.h>

#include "core/err.h"

struct stats {
	size_t n;    /* values */
	size_t left; /* cells without a value */
	double min, max, mean, sum,
	    sd;          /* sum: not weighted. sd: sample standard deviation, which is
	                    √(Σ w (v − mean)² / Σ w × n / (n − 1)); NAN where n < 2 */
	double p50, p95; /* as percentile.h defines them */
};

/* Of nothing: all but the counts are NAN. */
struct stats stats_none(void);

/* All of struct stats; min … p95 are NAN where n is 0. weight: n of them, all above 0, or NULL:
 * equal. 0, or -1 without memory (for the ranks). */
int stats_of(const double *v, const double *weight, size_t n, struct stats *out, struct err *e);

/* v rounded to so many decimals, as Python's round(): half to even on the exact binary value. */
double stats_round(double v, int decimals);

/* v rounded to the nearest whole number, halves to even. */
double stats_round_half_even(double v);

#endif
