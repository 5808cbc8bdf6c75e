/*
 * percentile: weighted percentiles, without sorting all values.
 *
 * Put the values in ascending order and draw each as wide as its weight: a staircase as wide as all
 * weights together. Percentile p is the mean height of a stretch of it. The stretch is as wide as
 * the average weight and begins at p × (total width − stretch width). For equal weights this is
 * linear interpolation between closest ranks, the default of NumPy and pandas.
 *
 * This is the only definition of a percentile in rtrack. stats.c and stats_stream.c narrow a column
 * down to the values around the stretch, each in its own way, and hand them over here.
 */
#ifndef CORE_NUMBERS_PERCENTILE_H
#define CORE_NUMBERS_PERCENTILE_H

#include <stdbool.h>
#include <stddef.h>

struct percentile_value {
	double v, weight; /* above 0 */
};

/* A stretch of the staircase, filled from its left end. Start with {.width = …}. */
struct percentile_stretch {
	double width;
	double taken;       /* the part of the width that is filled */
	double first, rest; /* the height at its left end; Σ (height − first) × width, which
	                       keeps the mean of equal values exact */
};

/* Fills the stretch from weight `from` on, until it is full or v ends. If rounding puts from after
 * all weights, the last value is taken. Reorders v. n > 0. */
void percentile_take(struct percentile_stretch *s, struct percentile_value *v, size_t n,
                     double from);

/* The same for values that are all equal to v and have this weight together. */
void percentile_take_one(struct percentile_stretch *s, double v, double weight);

bool percentile_full(const struct percentile_stretch *s);

/* The mean height of the filled part, which must not be empty. */
double percentile_mean(const struct percentile_stretch *s);

#endif
