/*
 * noise: what earlier values are like, and whether a new one is beyond their noise.
 *
 * The one place that decides when a change is news: beside at least NOISE_RUNS values, and further
 * from their median than a tenth of it and than three deviations of theirs (1.4826 × the median of
 * the distances from the median, which is the standard deviation of a normal distribution).
 */
#ifndef REPORT_NOISE_H
#define REPORT_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#define NOISE_CHANGE     0.1 /* of the median */
#define NOISE_DEVIATIONS 3
#define NOISE_RUNS       3

/* All but n are NAN of no values; margin is also of fewer than NOISE_RUNS. */
struct noise {
	size_t n;
	double mean, median;
	double margin; /* how far from the median is not news */
};

/* Of n numbers, whose order and values are lost by it. */
struct noise noise_of(double *v, size_t n);

/* False where there are too few values, or now is NAN. */
bool noise_beyond(const struct noise *noise, double now);

#endif
