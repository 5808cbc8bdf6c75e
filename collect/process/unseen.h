/*
 * unseen: how much memory processes had that no reading saw, or that lived on after the last
 * reading that did, at most.
 *
 * The kernel adds the page faults of a child to its parent's account when that reaps it. What is
 * there beyond the faults that readings saw is of such processes. A fault maps a page, or some
 * pages of a file, or a huge page. /proc/vmstat says how many huge pages there were on the machine;
 * it is read only after such faults.
 */
#ifndef COLLECT_PROCESS_UNSEEN_H
#define COLLECT_PROCESS_UNSEEN_H

#include <stdbool.h>
#include <sys/resource.h>

#include "collect/process/process_table.h"
#include "collect/process/tree_gauges.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

/* {0}: not open. */
struct unseen {
	struct root_file vmstat;
	double huge; /* page faults of the machine that brought a huge page, at the last look */
};

void unseen_open(struct unseen *u, const struct root *r);

/* After a reading of the accounts, before those of processes that are gone are closed: notes the
 * page faults in g. Those of processes that we reap are known by their rusage. */
void unseen_read(struct unseen *u, const struct process_table *t, struct tree_gauges_state *g);

/* We reaped a process: its children that it had reaped since the last reading are in its rusage. */
void unseen_reaped(struct unseen *u, const struct tracked_process *p, const struct rusage *usage,
                   struct tree_gauges_state *g);

/* Fills the peak, at least and at most, as tree_memory. reaped_b: the largest RSS of those that we
 * reaped, and of what these had reaped; subreaper: that is all. */
bool unseen_peak(const struct tree_gauges_state *g, double reaped_b, bool subreaper,
                 struct snapshot_memory *out);

void unseen_close(struct unseen *u);

#endif
