/*
 * phase_align: an axis on which each phase that all runs have begins at the same place in every
 * run.
 */
#ifndef REPORT_CHART_PHASE_ALIGN_H
#define REPORT_CHART_PHASE_ALIGN_H

#include "report/chart/comparison.h"

#define PHASE_ALIGN_MAX 12 /* phases */

/* Valid when zero: no phase in common. */
struct phase_align {
	size_t n;
	const char *name[PHASE_ALIGN_MAX]; /* borrowed from the runs */
	double at[PHASE_ALIGN_MAX];        /* seconds on the axis: where it begins */
	double width[PHASE_ALIGN_MAX];     /* how long it takes in the run where it takes longest */
	double from[PHASE_ALIGN_MAX][COMPARISON_MAX],
	    to[PHASE_ALIGN_MAX][COMPARISON_MAX]; /* Unix */
	double span;
};

/* From the phases that each run went through once, in the same order. Runs without phases do not
 * count and have no place on the axis; at least two must have phases. */
void phase_align_make(struct phase_align *a, const struct comparison *c);

/* The place of a time on the axis, and in *phase its phase; NAN: it is in none. */
double phase_align_at(const struct phase_align *a, size_t run, double unix_s, size_t *phase);

#endif
