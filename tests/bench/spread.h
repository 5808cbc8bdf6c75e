/*
 * spread: what repeated measurements come to, and the row of the table (table.mjs) that they make.
 *
 * A row is fields apart by tabs: what, unit, bare, ours, ratio, its quartiles, the budget ("x2": of
 * the ratio, "=5": of ours; or nothing), and, where a line is to be laid through several rows, the
 * line's name, the row's place on it and, if need be, the budget of its slope.
 */
#ifndef BENCH_SPREAD_H
#define BENCH_SPREAD_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define SPREAD_MAX 99 /* measurements */

struct spread {
	double low, median, high; /* quartiles */
};

static inline int spread_ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts v, of 1 to SPREAD_MAX. */
static inline struct spread spread_of(double *v, size_t n)
{
	qsort(v, n, sizeof *v, spread_ascending);
	return (struct spread){v[n / 4], v[n / 2], v[n - 1 - n / 4]};
}

/* Measurements in turns: their ratio is that of neighbours. Sorts ours, and leaves bare. */
static inline void spread_row(const char *what, const char *unit, const double *bare, double *ours,
                              size_t n, const char *rest)
{
	double sorted[SPREAD_MAX], ratios[SPREAD_MAX];
	struct spread ratio;

	for (size_t i = 0; i < n; i++) {
		sorted[i] = bare[i];
		ratios[i] = ours[i] / bare[i];
	}
	ratio = spread_of(ratios, n);
	printf("%s\t%s\t%.4g\t%.4g\t%.3f\t%.3f\t%.3f\t%s\n", what, unit,
	       spread_of(sorted, n).median, spread_of(ours, n).median, ratio.median, ratio.low,
	       ratio.high, rest);
	fflush(stdout);
}

#endif
