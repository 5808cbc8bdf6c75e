/*
 * speed: how fast a core of another server is, from the scores of the price service, and how far a
 * time that is predicted with it may be off. All predictions of times on other servers use it.
 * Pure. docs/advice.md has the formula.
 */
#ifndef REPORT_PRICES_SPEED_H
#define REPORT_PRICES_SPEED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/prices/keeper_result.h"

/* Most times elsewhere lie between ÷ and × this (docs/advice.md has how many). */
#define SPEED_RANGE_ARCH    1.4 /* within an architecture */
#define SPEED_RANGE_ACROSS  1.7 /* or by all CPUs, of more than twice as many or half as few */
#define SPEED_RANGE_UNKNOWN 2.2 /* with the scores of stress-ng, or none */

/* --workload: a word such as "web", or the ID of a benchmark. -1 with a sentence if it is neither,
 * or if its scores are better where they are lower. */
int speed_check(const char *workload, struct err *e);

/* workload: speed_check accepted it; NULL or "": Geekbench. one: the job keeps few of its CPUs
 * busy, so the speed of a core alone counts, if the benchmark measures both. */
struct speed_measure speed_measure(const char *workload, bool one);

/* The measure to ask for where the service refuses this one or has no scores of it. */
struct speed_measure speed_fallback(const struct speed_measure *m);

/* The benchmark_config to ask for, which the service compares as text; "": any. */
const char *speed_config(const struct speed_measure *m);

/* Whether a score of /benchmarks whose configuration has these "cores" ("" without any) is one of
 * this measure. */
bool speed_is_of(const struct speed_measure *m, const char *id, const char *cores);

/* Which scores were compared. */
enum speed_by {
	SPEED_UNKNOWN,   /* one of the two is unknown: taken to be equally fast */
	SPEED_STRESS_NG, /* those of stress-ng, all CPUs, by their number */
	SPEED_MEASURE,
};

struct speed {
	double times; /* of a core there: 2 is twice as fast as here */
	double range;
	enum speed_by by;
};

struct speed speed_of(const struct speed_measure *m, const struct keeper_server *here,
                      const struct keeper_server *there);

/* Appends which scores: "Geekbench, one core"; "stress-ng, all CPUs". */
void speed_words(const struct speed_measure *m, enum speed_by by, struct buf *out);

#endif
