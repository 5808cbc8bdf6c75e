/*
 * stats: what a column of numbers comes to. NANs (not measured) are left out and counted.
 */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include <stddef.h>

#include "err.h"

struct stats {
	size_t n;                       /* values */
	size_t left;                    /* cells without a value */
	double min, max, mean, sum, sd; /* sd: sample standard deviation (n - 1); NAN where n < 2 */
	double p50, p95;                /* by linear interpolation between closest ranks */
};

/* Of nothing: all but the counts are NAN. */
struct stats stats_none(void);

/* All of struct stats; min … p95 are NAN where n is 0. 0, or -1 without memory (for the ranks). */
int stats_of(const double *v, size_t n, struct stats *out, struct err *e);

/* v rounded to so many decimals, as Python's round(): half to even on the exact binary value. */
double stats_round(double v, int decimals);

/* v rounded to the nearest whole number, halves to even. */
double stats_round_half_even(double v);

#endif
