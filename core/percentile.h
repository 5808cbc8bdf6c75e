/*
 * percentile: percentiles of values that weigh differently, without a sort.
 *
 * Put the values in ascending order, each as wide as its weight: they make a staircase as wide as
 * all weights together. The percentile p is the mean height of a stretch of it that is as wide as
 * one value on average and begins at p × (the whole width − the stretch's). For equal weights that
 * is linear interpolation between closest ranks, as NumPy and pandas do by default.
 */
#ifndef CORE_PERCENTILE_H
#define CORE_PERCENTILE_H

#include <stdbool.h>
#include <stddef.h>

struct percentile_value {
	double v, weight; /* above 0 */
};

/* A stretch of the staircase, which is collected from its left end. {.width = …} at first. */
struct percentile_stretch {
	double width;
	double taken;       /* of the width */
	double first, rest; /* the height at its left end; Σ (height − first) × width */
};

/* Takes the values from weight `from` on, until the stretch is full or there are no more. A from
 * that is beyond all weights, by rounding, is the last value. Changes the order of v. n > 0. */
void percentile_take(struct percentile_stretch *s, struct percentile_value *v, size_t n,
                     double from);

/* The same for n values of which all are equal. */
void percentile_take_one(struct percentile_stretch *s, double v, double weight);

bool percentile_full(const struct percentile_stretch *s);

/* The mean height of what was taken, which is something. */
double percentile_mean(const struct percentile_stretch *s);

#endif
