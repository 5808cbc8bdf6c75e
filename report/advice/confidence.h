/*
 * confidence: how far the advice can be relied on, by the number and length of its runs and the
 * number of their samples.
 */
#ifndef REPORT_ADVICE_CONFIDENCE_H
#define REPORT_ADVICE_CONFIDENCE_H

#include "report/runs/load.h"

/* -- thresholds -------------------------------------------------------------------------------- */

/* Seconds of the longest run: a shorter run is mostly start-up. */
#define CONFIDENCE_SECONDS 10
/* Samples of the run with the most: fewer miss too much between them. */
#define CONFIDENCE_SAMPLES 20
/* Runs that are enough to show how much runs differ. */
#define CONFIDENCE_RUNS_SOME 3
/* The chance that the next run needs more than any of these, at most (fail_bound.h): 59 runs, none
 * of which was killed for memory. */
#define CONFIDENCE_GOOD 0.05
/* The largest memory peak over the smallest: beyond, a later run may well need still more. */
#define CONFIDENCE_SPREAD 2

/* The runs behind the advice. NAN: unknown. */
struct confidence_basis {
	size_t runs;
	size_t killed; /* of them, for memory: they needed more than they had */
	double shortest_s, longest_s, interval_s; /* the interval of the longest */
	size_t samples;                           /* of the run with the most */
	double memory_min_b, memory_max_b;        /* peaks */
	bool whole;                               /* this run finished */
	size_t open; /* runs whose peak has no known upper bound (memory_peak_is_open) */
};

struct confidence {
	const char *word;  /* "weak", "fair", "good": static */
	const char *level; /* "warn", "info", "good": static */
	char text[320];    /* "From 12 runs of 2 h each, a sample each 1.00 s: …" */
};

/* From the runs that show what the job needs (history.h). */
void confidence_basis_of(const struct runs *r, struct confidence_basis *out);

void confidence_say(const struct confidence_basis *b, struct confidence *out);

#endif
