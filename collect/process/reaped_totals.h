/*
 * reaped_totals: the exact totals of the processes that we reaped, as wait4(2) gave them: each with
 * all descendants that it had waited for (getrusage(2)); and how far the sum of the rows is from
 * them.
 *
 * Of struct snapshot_totals, {0} before the first: .cpu_wait_s is of the threads that samples saw,
 * a lower bound. The caller sets .sampled_cpu_s, the sum of the rows, .counted_cpu_s, that of
 * perf_events.h (NAN: not known), and .cgroup_cpu_s, that of the command's own cgroup, which also
 * has processes that nobody waited for (NAN: it has none).
 */
#ifndef COLLECT_PROCESS_REAPED_TOTALS_H
#define COLLECT_PROCESS_REAPED_TOTALS_H

#include <sys/resource.h>

#include "collect/process/cpu_accounting.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

/* The final account of a process that we reaped (struct cpu_account). rusage has no bytes of
 * files: they are those of total, the caller's own measurement. */
void reaped_totals_account(const struct rusage *usage, const double total[CPU_ACCOUNTING_COUNT],
                           double out[CPU_ACCOUNTING_COUNT]);

/* Adds a process that was reaped. */
void reaped_totals_add(struct snapshot_totals *t, const struct rusage *usage);

/* CPU seconds of the whole tree: the cgroup's, else those of the processes that we reaped. Where
 * samples saw more than these have, some were not waited for: then what samples saw, or what events
 * counted, if that is more. */
double reaped_totals_exact(const struct snapshot_totals *t);

/* How far the sum of the rows is from the exact CPU time, as a share of that; 0 if the difference
 * is no more than a tick. */
double reaped_totals_difference(const struct snapshot_totals *t);

/* Notes a difference of more than 1 %, and that some processes were not waited for. */
void reaped_totals_notes(const struct snapshot_totals *t, struct snapshot *s);

/* Writes members into the object "totals", which is open. */
void reaped_totals_write(const struct snapshot_totals *t, struct json_write *j);

#endif
