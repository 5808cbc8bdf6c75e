/*
 * change_detect: whether a new value differs from earlier ones by more than their noise.
 *
 * The one place that decides when a change is news: with at least CHANGE_DETECT_RUNS earlier
 * values, and further from their median than a tenth of it and than three deviations. The deviation
 * is 1.4826 × the median absolute deviation (MAD), the standard deviation of a normal distribution.
 */
#ifndef REPORT_STATS_CHANGE_DETECT_H
#define REPORT_STATS_CHANGE_DETECT_H

#include <stdbool.h>
#include <stddef.h>

#define CHANGE_DETECT_CHANGE     0.1 /* of the median */
#define CHANGE_DETECT_DEVIATIONS 3
#define CHANGE_DETECT_RUNS       3

/* Without values all but n are NAN; margin is NAN below CHANGE_DETECT_RUNS values. */
struct change_detect {
	size_t n;
	double mean, median;
	double margin; /* a distance from the median up to this is noise */
};

/* Of n numbers; overwrites v. */
struct change_detect change_detect_of(double *v, size_t n);

/* False with too few values, and if now is NAN. */
bool change_detect_beyond(const struct change_detect *noise, double now);

#endif
