/*
 * change_detect: what earlier values are like, and whether a new one is beyond their noise.
 *
 * The one place that decides when a change is news: beside at least CHANGE_DETECT_RUNS values, and
 * further
 * from their median than a tenth of it and than three deviations of theirs (1.4826 × the median of
 * the distances from the median, which is the standard deviation of a normal distribution).
 */
#ifndef REPORT_STATS_CHANGE_DETECT_H
#define REPORT_STATS_CHANGE_DETECT_H

#include <stdbool.h>
#include <stddef.h>

#define CHANGE_DETECT_CHANGE     0.1 /* of the median */
#define CHANGE_DETECT_DEVIATIONS 3
#define CHANGE_DETECT_RUNS       3

/* All but n are NAN of no values; margin is also of fewer than CHANGE_DETECT_RUNS. */
struct change_detect {
	size_t n;
	double mean, median;
	double margin; /* how far from the median is not news */
};

/* Of n numbers, whose order and values are lost by it. */
struct change_detect change_detect_of(double *v, size_t n);

/* False where there are too few values, or now is NAN. */
bool change_detect_beyond(const struct change_detect *noise, double now);

#endif
