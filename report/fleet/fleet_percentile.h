/*
 * fleet_percentile: percentiles of runs, from exact values or from a histogram. Pure.
 */
#ifndef REPORT_FLEET_FLEET_PERCENTILE_H
#define REPORT_FLEET_FLEET_PERCENTILE_H

#include <stddef.h>

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
};

double fleet_percentile_runs(const struct fleet_weights *w);

/* Nearest rank: the smallest value that at least percent (1 … 100) of all runs do not exceed. NAN
 * without runs. */
double fleet_percentile(const struct fleet_weights *w, int percent);

#endif
