/*
 * fleet_weights: runs by a value, exact or from a histogram: percentiles, and the trend of a
 * group's peak memory over its days. Pure.
 */
#ifndef FLEET_GROUPS_FLEET_WEIGHTS_H
#define FLEET_GROUPS_FLEET_WEIGHTS_H

#include "fleet/groups/fleet.h"

/* Runs with the same value, or in the same bucket. */
struct fleet_weight {
	double value;     /* of a bucket: its middle, at most the largest value of all */
	double low, high; /* of a bucket; no run is above high. Of exact values: the value */
	double runs;
	double killed; /* of them, runs that were killed for memory: they need more than value */
	double sum;    /* seconds, or what the list is said to have */
	size_t cell;   /* which type of machine they are on */
};

/* Ascending; a value may occur more than once. */
struct fleet_weights {
	struct fleet_weight *v;
	size_t n, cap;
	double max; /* the largest value of all, exactly; 0 or NAN: unknown */
};

enum fleet_weights_keys {
	FLEET_WEIGHTS_PLAIN, /* seconds, bytes */
	FLEET_WEIGHTS_CORES,
	FLEET_WEIGHTS_GPUS,
	FLEET_WEIGHTS_DAYS, /* no buckets */
};

/* The runs of a bucket (log_bucket.h), still without any: its middle stands for them. */
struct fleet_weight fleet_weights_bucket(double low, double middle, double high,
                                         enum fleet_weights_keys keys);

/* When a list is complete. max, the largest value of all, is in it, or above; NAN: unknown. more: a
 * run may need more than max, because one was killed with less than it needs. */
void fleet_weights_finish(struct fleet_weights *w, double max, bool more);

/* Whether these runs would have failed with this limit. Of a histogram, a bucket that reaches
 * beyond it fails as a whole, so that failures are never understated. */
bool fleet_weights_fails(const struct fleet_weight *w, double limit);

/* How many of these runs would have failed with it: all, or those that were killed for memory,
 * whose need is unknown. */
double fleet_weights_failing(const struct fleet_weight *w, double limit);

double fleet_weights_runs(const struct fleet_weights *w);

/* Nearest rank: the smallest value that at least percent (1 … 100) of all runs do not exceed. NAN
 * without runs. */
double fleet_weights_percentile(const struct fleet_weights *w, int percent);

/* For lists with days (since 1970) as values, and the sum of peaks in bytes as sums. */

/* From the mean of the first half of the days with runs to that of the second, which has the day in
 * the middle: 0.5 is half as much again. NAN for fewer than 2 days or FLEET_RUNS_FEW runs. */
double fleet_weights_trend(const struct fleet_weights *days);

/* Means of FLEET_TREND_POINTS equal parts of the time from the first day to the last, NAN without
 * runs. Returns 0, and leaves out as it is, for fewer than 2 days. */
int fleet_weights_points(const struct fleet_weights *days, double out[FLEET_TREND_POINTS]);

#endif
