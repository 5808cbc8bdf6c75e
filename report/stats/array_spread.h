/*
 * array_spread: the elements of the job array that this run is an element of, and how they differ.
 *
 * An element is the run with the latest start of all runs with its index (history_in_array).
 * Earlier ones are attempts or steps of it with another key, or, with the same key, other parts of
 * the same attempt; both are only counted.
 */
#ifndef REPORT_STATS_ARRAY_SPREAD_H
#define REPORT_STATS_ARRAY_SPREAD_H

#include "core/base/buf.h"
#include "core/numbers/stats.h"
#include "report/runs/load.h"
#include "report/stats/trend.h"

/* Fewer finished elements do not show what is usual. */
#define ARRAY_SPREAD_OUTLIERS 8

/* The measures are the first of enum trend_id: duration, mean CPU, peak memory. */
#define ARRAY_SPREAD_MEASURES 3

enum array_outcome {
	ARRAY_FINISHED,
	ARRAY_FAILED,
	ARRAY_KILLED,
	ARRAY_OOM, /* killed because memory ran out */
	ARRAY_UNFINISHED,
	ARRAY_UNKNOWN, /* the recording does not say */
	ARRAY_OUTCOMES
};

struct array_element {
	size_t run; /* index in runs */
	double index;
	enum array_outcome outcome;
	/* NAN: not measured. Peak memory of one that was killed because memory ran out is at least
	 * what was too little for it. */
	double value[ARRAY_SPREAD_MEASURES];
	bool beyond[ARRAY_SPREAD_MEASURES]; /* it finished, and differs from the others */
	double distance; /* from the median, in multiples of what is usual: the largest of those
	                    that are beyond; 0: none is */
};

/* Valid when zero: no array. */
struct array_spread {
	struct array_element *v; /* by index; at least 2, else none */
	size_t n;
	size_t count[ARRAY_OUTCOMES];
	size_t earlier; /* runs that are earlier attempts or steps of the elements */
	size_t parts;   /* runs that are other parts of them */
	/* Statistics of the elements that finished, or whose end is unknown; each counts once. */
	struct stats of[ARRAY_SPREAD_MEASURES];
};

/* The array of v[0]. -1 without memory, which alloc_failed knows. */
int array_spread_make(struct array_spread *a, const struct runs *r);

/* Whether the element's values are in a->of. */
bool array_spread_counts(const struct array_element *e);

/* Appends the indices of the elements with this outcome, ARRAY_OUTCOMES for all: "0-5,7". */
void array_spread_ranges(const struct array_spread *a, enum array_outcome outcome, struct buf *out);

void array_spread_free(struct array_spread *a);

#endif
