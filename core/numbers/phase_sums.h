/*
 * phase_sums: what a column did in the phases of a run, sample by sample.
 *
 * Phases of one name count together. A phase ends where the next begins, and with the run at the
 * latest.
 */
#ifndef CORE_NUMBERS_PHASE_SUMS_H
#define CORE_NUMBERS_PHASE_SUMS_H

#include "core/numbers/metric.h"
#include "core/numbers/phases.h"

#define PHASE_SUMS_NAMES_MAX ((size_t)40)

/* One phase, which ends before the next begins. */
struct phase_part {
	size_t name;  /* PHASE_SUMS_NAMES_MAX: of a name for which there was no room */
	size_t order; /* in the phases that were marked */
	double from, to;
};

/* About 160 KiB: keep it on the heap. */
struct phase_parts {
	struct phase_part v[PHASES_MAX]; /* ascending */
	size_t n;
	const char *name[PHASE_SUMS_NAMES_MAX]; /* borrowed; in the order of their first phase */
	size_t names;
};

/* Marks without a time, or after the end of the run, have no part. stop: Unix seconds. */
bool phase_sums_has_part(const struct phase *marked, double stop);

/* p must be zero. */
void phase_sums_parts(struct phase_parts *p, const struct phases *marked, double stop);

/* Weighted mean and variance in one pass (West 1979). Valid when zero. */
struct phase_weighted {
	size_t n;
	double weight, mean, squares, min, max;
};

/* Sums over all samples that touch a phase, and over those that lie in it by half or more. */
struct phase_sums {
	struct phase_weighted touch, inside;
};

/* A sample at time `to` stands for the time since the one before. */
struct phase_sample {
	double from, to, value;
};

/* Sets s->from and s->to of the sample at time t that represents so many seconds (elapsed.h).
 * *last: time of the sample before; begin with NAN. 0: it has no time, or one that goes back. */
int phase_sums_time(double *last, double t, double seconds, struct phase_sample *s);

/* A cell as the sample's value: an amount as a rate. */
double phase_sums_value(const struct metric *m, double cell, const struct phase_sample *s);

/* Adds a sample of a column to sums[p->names]. Samples ascend; *first, 0 at first, belongs to
 * this function. */
void phase_sums_add(const struct phase_parts *p, struct phase_sums *sums,
                    const struct phase_sample *s, size_t *first);

/* Over time. From the samples that lie in the phase by half or more; if there is none, from all
 * that touch it. All NAN without samples; sd is NAN of fewer than two. */
struct phase_stats {
	double min, max, mean, sd;
};
struct phase_stats phase_sums_stats(const struct phase_sums *sums);

#endif
