/*
 * tree: which processes belong to the run, and what they use together.
 *
 * A process belongs to it from the moment it is seen as a descendant of the root until it ends,
 * whoever its parent is by then. tree_open allocates all memory; tree_read allocates nothing.
 */
#ifndef COLLECT_PROCESS_TREE_H
#define COLLECT_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/resource.h>

#include "collect/process/cpu_accounting.h"
#include "collect/process/reaped_totals.h"
#include "collect/process/tree_gauges.h"
#include "collect/procfs/root.h"
#include "core/err.h"
#include "core/json_write.h"
#include "core/snapshot.h"

#define TREE_MAX 16384 /* processes at one time; further ones are noted and not counted */

struct tree_counters {
	int64_t at; /* CLOCK_MONOTONIC, ns: when the sums were read */
	/* Seconds and bytes since tree_open; they never fall. User and system time add up to
	 * CPU_ACCOUNTING_CPU, which is more exact than the two. */
	double sum[CPU_ACCOUNTING_COUNT];
	double late_s; /* CPU seconds of these that earlier readings' clock ticks had hidden */
	struct tree_gauges_sums all;  /* of the whole tree */
	struct tree_gauges_sums main; /* of the root process */
	double main_cpu_s;
	double cpu_wait_s; /* of all threads seen, since tree_open (cpu_wait.h); NAN: not told */
	double ctx_voluntary, ctx_involuntary; /* as in struct tree_gauges */
	size_t alive;    /* processes now, the ended but not reaped left out */
	size_t children; /* of them, all but the root */
};

struct tree;

/* r must live as long. adopted: we are the subreaper of the tree, so that our own children belong
 * to it. NULL with a sentence where there is no memory. */
struct tree *tree_open(const struct root *r, bool adopted, struct err *e);

/* Names the root process. 0, or -1 with a sentence: there is no such process. */
int tree_root(struct tree *t, int pid, struct err *e);

/* A child of ours that does not belong to it; at most 4. */
void tree_leave_out(struct tree *t, int pid);

/* What the tree used before the first reading is part of its sums: for a process that runs already,
 * take differences. */
void tree_read(struct tree *t, struct tree_counters *out);

/* Whether the last reading found the root, alive or not reaped. */
bool tree_has_root(const struct tree *t);

/* Whether any process of the tree was ever seen: none is where /proc cannot be read. */
bool tree_saw_any(const struct tree *t);

/* Whether the last reading found this process. */
bool tree_has(const struct tree *t, int pid);

/* The pid of the i-th process of the last reading; -1 where it has gone, 0 where there are no more.
 */
int tree_pid(const struct tree *t, size_t i);

/* Tells of a process that we reaped, with wait(2)'s status and usage, and the storage bytes of
 * total (CPU_ACCOUNTING_READ, CPU_ACCOUNTING_WRITE): it is counted exactly. */
void tree_reaped(struct tree *t, int pid, int status, const struct rusage *usage,
                 const double total[CPU_ACCOUNTING_COUNT]);

/* Adds the reaped since the last reading to its sums, without a new one. What comes in so was used
 * before that reading, where it saw the reaped ended: it is late_s. */
void tree_settle(struct tree *t, struct tree_counters *out);

/* All but sampled_cpu_s. */
void tree_totals(const struct tree *t, struct reaped_totals *out);

/* Writes the member "processes" (top_processes.h); once, at the end. */
void tree_write_processes(struct tree *t, struct json_write *j, bool commands);

/* Notes in the snapshot what could not be measured, and why. */
void tree_notes(const struct tree *t, struct snapshot *s);

/* NULL is fine. */
void tree_close(struct tree *t);

#endif
