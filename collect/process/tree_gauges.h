/*
 * tree_gauges: what the processes of a tree have at one moment: memory, threads; and how often they
 * waited, and how large each has been.
 */
#ifndef COLLECT_PROCESS_TREE_GAUGES_H
#define COLLECT_PROCESS_TREE_GAUGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/process/cpu_accounting.h"
#include "collect/process/pss.h"
#include "collect/process/tracked_process.h"
#include "collect/procfs/root.h"
#include "core/snapshot.h"

/* Bytes; NAN where not measured. */
struct tree_gauges_sums {
	double memory_b; /* PSS, RSS where that may not be read */
	double rss_b, private_b, shared_b, swap_b;
	double threads;
};

struct tree_gauges {
	struct tree_gauges_sums all, main;
	size_t alive;      /* processes now, the ended but not reaped left out */
	size_t children;   /* of them, all but the root */
	bool has_root;     /* it was there, alive or not reaped */
	double main_cpu_s; /* of the root process alone; stays when it has gone */
	/* Of the first threads of those that were looked at, since the beginning. */
	double ctx_voluntary, ctx_involuntary;
	double peak_rss_b; /* of the largest process so far */

	struct pss_budget budget;
	uint64_t waited;                      /* readings of PSS that were put off for their cost */
	size_t pss_denied, io_denied, unread; /* the most at one reading */
	bool unwaited;                        /* a process with children ignored their end */
	size_t turn;                          /* who is asked first */
};

/* The tree as it stands. order: n places of members and items, parents before children. */
struct tree_gauges_tree {
	const struct root *r;
	struct tracked_process *members;
	const struct cpu_accounting_item *items;
	const int *order;
	size_t n;
	int root;   /* its pid */
	int *due;   /* scratch: n places */
	int64_t at; /* CLOCK_MONOTONIC, ns */
};

/* Reads. Allocates nothing. */
void tree_gauges_read(struct tree_gauges *s, const struct tree_gauges_tree *t);

/* Notes in the snapshot what could not be measured, and why. */
void tree_gauges_notes(const struct tree_gauges *s, struct snapshot *snapshot);

#endif
