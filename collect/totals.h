/*
 * totals: what the kernel said, exactly, of the processes that we reaped and of those that these
 * had reaped (getrusage(2)), beside what the samples add up to.
 */
#ifndef COLLECT_TOTALS_H
#define COLLECT_TOTALS_H

#include <sys/resource.h>

#include "../core/json.h"
#include "../core/snapshot.h"
#include "ledger.h"

struct totals {
	double utime_s, stime_s;
	double peak_rss_b; /* of the largest process, of any that a sample saw too */
	double read_b, write_b;
	double minor_faults, major_faults, ctx_voluntary, ctx_involuntary;
	double cpu_wait_s;    /* of the threads that samples saw, at least; NAN: not told */
	double sampled_cpu_s; /* the sum of the rows; the caller's */
	double cgroup_cpu_s; /* of the command's own cgroup, which sees those that nobody waited for
	                        too; NAN: there is none. The caller's */
};

double totals_seconds(struct timeval v);

/* What is to be booked of a process that was reaped; total: what its own reading told of storage.
 */
void totals_credit(const struct rusage *usage, const double total[LEDGER_COUNT],
                   double out[LEDGER_COUNT]);

/* Adds a process that was reaped. */
void totals_add(struct totals *t, const struct rusage *usage);

/* CPU seconds of the whole tree: of its cgroup, or else of the processes that were waited for. */
double totals_exact(const struct totals *t);

/* By how much the sum of the rows differs from the exact CPU time, as a share of that; 0 where the
 * difference is no more than a tick. */
double totals_difference(const struct totals *t);

/* Notes a difference of more than 1 %. */
void totals_notes(const struct totals *t, struct snapshot *s);

/* Writes members into the object "totals", which is open. */
void totals_write(const struct totals *t, struct json *j);

#endif
