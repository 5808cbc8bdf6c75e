/*
 * tree_state: the state of a tree, which tree.c and tree_discover.c share.
 */
#ifndef COLLECT_PROCESS_TREE_STATE_H
#define COLLECT_PROCESS_TREE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/process/children.h"
#include "collect/process/cpu_accounting.h"
#include "collect/process/cpu_wait.h"
#include "collect/process/pid_table.h"
#include "collect/process/reaped_totals.h"
#include "collect/process/top_processes.h"
#include "collect/process/tracked_process.h"
#include "collect/process/tree.h"
#include "collect/process/tree_gauges.h"
#include "collect/procfs/root.h"

#define APART_MAX 4

struct tree {
	const struct root *r;
	int root, self;       /* root: 0 once it is gone, for its number may be given again */
	int apart[APART_MAX]; /* children of ours that are none of it; 0: none */
	bool adopted;
	unsigned stamp;
	double tick_s, boot_s; /* Unix time of the boot; NAN */
	double clock_s;        /* and by which now_s is told, whatever sets the clock meanwhile */
	double now_s;          /* Unix time of the reading */
	bool wakes;            /* it takes nobody for asleep */
	double woken_s;        /* Unix time of the last such reading */
	int64_t at;            /* and of the accounts, CLOCK_MONOTONIC, ns */
	struct tracked_process
	    *members; /* a process keeps its place; in one block with the next three */
	struct cpu_accounting_item *items; /* their accounts, by the same places */
	int *order;                        /* places, parents before children */
	size_t places;        /* of the tables: TREE_MAX, fewer where there is no memory */
	size_t n, high, hint; /* in order; places ever used; where to look for a free one */
	struct pid_table pids;
	struct children children;
	int *due; /* scratch of tree_gauges_read */
	size_t kept, kept_max;
	double sum[CPU_ACCOUNTING_COUNT];
	double utime_s, stime_s; /* as told last */
	double before_s;         /* CPU seconds that were handed over before the first reading */
	size_t beyond;
	struct cpu_wait *wait;
	struct tree_gauges states;
	struct top_processes *processes;
	struct reaped_totals totals;
};

/* Finds the processes of the tree that exist now: order and n, with a new stamp. */
void tree_discover(struct tree *t);

/* Takes a process that has ended out of the pid table. Its parent is read again, since it may have
 * been read before it was handed this account. */
void tree_set_gone(struct tree *t, int place);

/* Whether it is a child of the collector, which reaps it and is handed its account then: it stays
 * in the table until that, whatever is seen of it. */
bool tree_is_ours(const struct tree *t, int place);

#endif
