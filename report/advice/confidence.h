/*
 * confidence: how far the advice can be relied on: from how many runs it is, how long they were and
 * how closely they were watched.
 */
#ifndef REPORT_ADVICE_CONFIDENCE_H
#define REPORT_ADVICE_CONFIDENCE_H

#include "report/runs/load.h"

/* -- thresholds -------------------------------------------------------------------------------- */

/* The longest run: a shorter one is mostly its own start. */
#define CONFIDENCE_SECONDS 10
/* Samples of the run that has the most: fewer miss what lies between them. */
#define CONFIDENCE_SAMPLES 20
/* Runs, that tell how much they differ; and so many that they have likely seen it. */
#define CONFIDENCE_RUNS_SOME 3
#define CONFIDENCE_RUNS_MANY 10
/* Memory peaks, the largest of the smallest: beyond, a run may well come that needs still more. */
#define CONFIDENCE_SPREAD 2

/* The runs that the advice is from. NAN where not known. */
struct confidence_basis {
	size_t runs;
	double shortest_s, longest_s, interval_s; /* the interval of the longest */
	size_t samples;                           /* at most, of a run */
	double memory_min_b, memory_max_b;        /* peaks */
	bool whole;                               /* this run came to its end */
};

struct confidence {
	const char *word;  /* "weak", "fair", "good": static */
	const char *level; /* "warn", "info", "good": static */
	char text[320];    /* "From 12 runs of 2 h each, a sample each 1.00 s: …" */
};

/* Of v[0] and the runs that are used. */
void confidence_basis_of(const struct runs *r, struct confidence_basis *out);

void confidence_say(const struct confidence_basis *b, struct confidence *out);

#endif
