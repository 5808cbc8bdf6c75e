/*
 * fail_bound: what it means that k of n runs would have failed. Pure.
 *
 * That none of 12 runs would have failed does not make an ask safe: if one of five fails, twelve
 * runs without a failure are not surprising. The exact binomial bound (Clopper and Pearson) says
 * how often runs may fail for this result to be still as likely as 5 %.
 */
#ifndef REPORT_STATS_FAIL_BOUND_H
#define REPORT_STATS_FAIL_BOUND_H

#include "core/base/buf.h"

/* The upper end of the one-sided 95 % interval of the chance that the next run fails, from 0 to 1.
 * failed: 0 … runs. 1 without runs, and where all failed. */
double fail_bound(double failed, double runs);

/* Appends "0 of 12 runs would have failed; the next fails with at most 22%", and of one run "the
 * one run would not have failed: a first guess". bound: fail_bound of these runs, or a larger
 * one where more is known. */
void fail_bound_say(struct buf *out, double failed, double runs, double bound);

#endif
