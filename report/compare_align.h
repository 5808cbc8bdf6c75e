/*
 * compare_align: where the phases that all runs have lie on an axis on which each of them begins at
 * the same place in every run.
 */
#ifndef REPORT_COMPARE_ALIGN_H
#define REPORT_COMPARE_ALIGN_H

#include "compare.h"

#define COMPARE_ALIGN_MAX 12 /* phases */

/* Valid when zero: nothing in common. */
struct compare_align {
	size_t n;
	const char *name[COMPARE_ALIGN_MAX]; /* borrowed from the comparison */
	double at[COMPARE_ALIGN_MAX];        /* seconds on the axis: where it begins */
	double width[COMPARE_ALIGN_MAX]; /* how long it takes in the run where it takes longest */
	double from[COMPARE_ALIGN_MAX][COMPARE_MAX], to[COMPARE_ALIGN_MAX][COMPARE_MAX]; /* Unix */
	double span;
};

/* Of phases that each run went through once, in the same order. Runs that marked no phases do not
 * count, and have no place on the axis; there must be two that did. */
void compare_align_make(struct compare_align *a, const struct compare *c);

/* Where the time lies on the axis, and in *phase in which phase that is; NAN for none. */
double compare_align_at(const struct compare_align *a, size_t run, double unix_s, size_t *phase);

#endif
