/*
 * tree_gauges: what the processes of a tree hold at one moment (memory, threads), how often they
 * switched context, how large each has been, and what all of them together held between two
 * readings, at least and at most (memory_mark.h).
 */
#ifndef COLLECT_PROCESS_TREE_GAUGES_H
#define COLLECT_PROCESS_TREE_GAUGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/process/process_table.h"
#include "collect/process/pss.h"
#include "core/recording/snapshot.h"

/* Of one or more processes. Bytes; NAN where not measured. */
struct tree_gauges {
	double memory_b; /* PSS; RSS of a process whose PSS may not be read */
	double rss_b, private_b, shared_b, swap_b;
	double threads;
};

/* What is kept from one reading to the next. {0}: no reading yet. */
struct tree_gauges_state {
	struct tree_gauges all, main;
	size_t alive;      /* processes now, without zombies */
	size_t children;   /* the same without the root */
	bool has_root;     /* the root was there, alive or as a zombie */
	double main_cpu_s; /* of the root process, without its children; stays when it has ended */
	/* Sums since the beginning, of the first thread of each process whose status was read. */
	double ctx_voluntary, ctx_involuntary;
	double peak_rss_b; /* of the largest process so far */
	/* Address space of all at this reading, and the largest of a reading, or of one process if
	 * that was larger between two. 0: not measured. */
	double virtual_b, peak_virtual_b;
	bool has_marks; /* VmHWM of a process was read */
	/* Of the memory of all since the last reading, and since the first. 0: not measured. */
	double least_b, most_b, peak_least_b, peak_most_b;
	double sure_b, peak_sure_b;  /* as .least_b, without estimates */
	double most_now_b;           /* of the last reading, at most */
	double file_most_b, shmem_b; /* PSS in files, at most; in shared memory */
	double file_largest_b;       /* RSS in files of the process that has most */
	/* Of the machine's pool of huge pages, at least: of a reading, and the most of any. */
	double hugetlb_now_b, hugetlb_b;
	/* Page faults of children that were reaped since the last reading, beyond those of
	 * processes that readings saw: some lived unseen, or on after the last reading; and how
	 * many of these may have brought a huge page. The most such processes in an interval, and
	 * what all can have had together with the others, since the first. */
	double reaped_faults, huge_faults, unseen, peak_unseen_b;
	/* Marks that processes reached after the last reading, before they ended: the largest and
	 * the sum since that reading, and the largest of the run. */
	double reaped_mark_b, reaped_marks_b, peak_reaped_mark_b;

	struct pss_budget budget;
	size_t turn;        /* which postponed process is asked first */
	uint64_t postponed; /* PSS readings that were postponed for their cost */
	/* Processes whose files could not be read: the most in one reading. */
	size_t pss_denied, io_denied, stat_failed;
	bool child_loss; /* a process with children ignored SIGCHLD */
};

/* Reads smaps_rollup and status where they can have changed. at: CLOCK_MONOTONIC, ns. Allocates
 * nothing, and uses the table's scratch places. */
void tree_gauges_read(struct tree_gauges_state *s, struct process_table *t, int64_t at);

/* Children were reaped that had so many page faults which no reading saw; below 0: some that it saw
 * and that have vanished are still to be reaped. At most huge of them brought a huge page. */
void tree_gauges_reaped_faults(struct tree_gauges_state *s, double faults, double huge);

/* A process that had no children was reaped, with a larger mark than any reading had seen of it: it
 * counts in the interval since the last reading. */
void tree_gauges_reaped(struct tree_gauges_state *s, double mark_b);

/* Counts it in the last interval, since no reading follows. */
void tree_gauges_settle(struct tree_gauges_state *s);

/* Notes in the snapshot what could not be measured, and why. */
/* cgroup: what is known of the command's own cgroup. */
void tree_gauges_notes(const struct tree_gauges_state *s, const struct snapshot_totals *cgroup,
                       struct snapshot *snapshot);

#endif
