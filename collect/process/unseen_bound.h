/*
 * unseen_bound: the most memory that a job can have had while processes lived that no reading saw.
 * Pure.
 *
 * Between two readings a job may have had, beyond what memory_mark.h says of the processes that
 * readings saw, the lesser of these two:
 *
 *  - By size: each process that was unseen at one time, and each that was seen at the beginning of
 *    the interval and had ended at its end, was at most as large as the largest process of all. Of
 *    what one that ended had of its own at the beginning, nothing counts twice. One that had few
 *    page faults counts by these.
 *  - By page faults: each of theirs mapped a page, some pages of a file that is in memory, or a
 *    huge page. And a page that a process of fork(2) shares with its parent becomes two when the
 *    parent writes to it, which is a page fault of the parent.
 *
 * How many were unseen at one time is known where the kernel reports each fork and end. Otherwise
 * it is at most as many as their page faults allow. Where more have ended than page faults were
 * counted for, a parent ignores SIGCHLD: the kernel drops their page faults and their sizes. The
 * largest size is known at the end of the recording (ru_maxrss), so the bounds are kept by number
 * of processes.
 */
#ifndef COLLECT_PROCESS_UNSEEN_BOUND_H
#define COLLECT_PROCESS_UNSEEN_BOUND_H

#include <stdbool.h>

#define UNSEEN_BOUND_PROCESSES 63 /* more at one time: by page faults alone */
/* A page fault maps at most so much of a file that is in memory (the kernel's fault_around_bytes),
 * or one page; or a huge page. */
#define UNSEEN_BOUND_FAULT_B 65536

/* The events of processes in the interval that a reading ends. {0}: nothing. */
struct unseen_told {
	bool known;     /* each fork, exec and end was reported so far */
	double at_once; /* the most processes at one time that the reading before did not see */
	double held_s;  /* the longest time that one of them had not called exec(3) */
	double ended; /* how many of them have ended and leave their page faults to their parents */
	bool orphan;  /* one of them had children and left its page faults to none */
};

/* Bytes, and numbers of page faults. */
struct unseen_interval {
	double most_b;  /* of the processes that readings saw */
	double went;    /* those that the first reading saw and the second did not see alive … */
	double own_b;   /* … and what they had of their own at the first, at least */
	double grown_b; /* what further ones, of known size, can have added until they ended */
	/* Page faults of unseen processes, and of all that went since the first reading. Below 0:
	 * some are still to be counted. And those of them that brought a huge page, at most. */
	double faults, huge_faults;
	double copied_b; /* pages that processes which readings saw can have copied */
	/* Page faults that may belong to .told.ended too: of those that we reaped, which .most_b
	 * has, and of the interval before. */
	double other_faults;
	bool went_shares; /* one of .went shared pages with them */
	struct unseen_told told;
};

/* By number of processes; 0: no such interval. */
struct unseen_bounds {
	double by_size_b[UNSEEN_BOUND_PROCESSES + 1]; /* without the processes themselves */
	double by_faults_b[UNSEEN_BOUND_PROCESSES + 1];
};

void unseen_bounds_add(struct unseen_bounds *b, const struct unseen_interval *i);

/* The most of all intervals; 0: no process was unseen. largest_b: no process was larger; INFINITY:
 * not known. */
double unseen_bounds_most(const struct unseen_bounds *b, double largest_b);

#endif
