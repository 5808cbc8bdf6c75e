/*
 * reaped_totals: what the kernel said, exactly, of the processes that we reaped and of those that
 * these
 * had reaped (getrusage(2)), beside what the samples add up to.
 */
#ifndef COLLECT_PROCESS_REAPED_TOTALS_H
#define COLLECT_PROCESS_REAPED_TOTALS_H

#include <sys/resource.h>

#include "collect/process/cpu_accounting.h"
#include "core/json_write.h"
#include "core/snapshot.h"

struct reaped_totals {
	double utime_s, stime_s;
	double peak_rss_b; /* of the largest process, of any that a sample saw too */
	double read_b, write_b;
	double minor_faults, major_faults, ctx_voluntary, ctx_involuntary;
	double cpu_wait_s;    /* of the threads that samples saw, at least; NAN: not told */
	double sampled_cpu_s; /* the sum of the rows; the caller's */
	double cgroup_cpu_s; /* of the command's own cgroup, which sees those that nobody waited for
	                        too; NAN: there is none. The caller's */
};

double reaped_totals_seconds(struct timeval v);

/* What is to be booked of a process that was reaped; total: what its own reading told of storage.
 */
void reaped_totals_credit(const struct rusage *usage, const double total[CPU_ACCOUNTING_COUNT],
                          double out[CPU_ACCOUNTING_COUNT]);

/* Adds a process that was reaped. */
void reaped_totals_add(struct reaped_totals *t, const struct rusage *usage);

/* CPU seconds of the whole tree: of its cgroup, or else of the processes that were waited for. */
double reaped_totals_exact(const struct reaped_totals *t);

/* By how much the sum of the rows differs from the exact CPU time, as a share of that; 0 where the
 * difference is no more than a tick. */
double reaped_totals_difference(const struct reaped_totals *t);

/* Notes a difference of more than 1 %. */
void reaped_totals_notes(const struct reaped_totals *t, struct snapshot *s);

/* Writes members into the object "totals", which is open. */
void reaped_totals_write(const struct reaped_totals *t, struct json_write *j);

#endif
