/*
 * memory_mark: how much memory one process held between two readings, at least and at most. Pure.
 *
 * The kernel keeps the largest RSS that an address space has had (VmHWM in PID/status). So a peak
 * between two readings is known, but not its moment, and not what the other processes held then.
 * tree.c makes bounds of the job's memory in the interval from it:
 *
 * At least: the sum of PSS at the end of the interval; or, if more, the mark of one process that
 * rose, with what the others kept meanwhile (memory_mark_kept). This is never above the true peak:
 *
 *  - A mark counts shared pages too, but only one process is at its mark, so each page counts once.
 *  - Of the others counts what cannot be among its pages: private anonymous memory. Files, shared
 *    memory and pages that are shared since fork(2) may be the same pages.
 *  - They may have freed memory and taken it again meanwhile. So it is the lesser of the two
 *    readings, less what their page faults since can have brought.
 *  - fork(2) gives a child its parent's pages, and their size as its mark. Until the child calls
 *    exec(3), which moves its stack, its ancestors' memory may be the same pages (they become
 *    private again once the child frees them), and is not counted with it.
 *
 * At most: each process at the most that it can have reached (memory_mark_most), and those that
 * ended in the interval as they were before. A page that is shared since fork(2) stays so until a
 * process of the family writes to it: what is shared at both readings was shared in between. It
 * says nothing of processes that no reading saw.
 */
#ifndef COLLECT_PROCESS_MEMORY_MARK_H
#define COLLECT_PROCESS_MEMORY_MARK_H

#include <stdbool.h>
#include <stdint.h>

/* One process at one reading, in bytes. {0}: it was not there, or has no memory of its own. */
struct memory_mark {
	bool known;
	bool inherited; /* its memory began as its parent's: its first mark is the parent's, too */
	bool shares;    /* others of its family live */
	double mark_b;  /* its largest RSS so far */
	double rss_b, pss_b; /* now */
	double own_b;        /* private anonymous memory; 0 if unknown */
	double shared_b;     /* anonymous memory that it shares with its family (family.h) */
	double unsure_b;     /* of it, what the others may have left to it since it was read */
	uint64_t faults;     /* page faults so far */
	uint64_t kin_faults; /* of its family */
	uint64_t stack;      /* where its stack starts: another one after exec; 0: unknown */
};

/* Whether it reached a new mark between the readings: also the mark of a new process or program. */
bool memory_mark_rose(const struct memory_mark *before, const struct memory_mark *now);

/* Whether it was there before with the same program. */
bool memory_mark_same_program(const struct memory_mark *before, const struct memory_mark *now);

/* The least that it held of its own all the time between the readings. */
double memory_mark_kept(const struct memory_mark *before, const struct memory_mark *now);

/* The most memory that one page fault brings: a huge page. */
double memory_mark_fault_b(void);

/* The most of its pages that it can have written to between the readings, if another process had
 * them, too. */
double memory_mark_written(const struct memory_mark *before, const struct memory_mark *now);

/* The most that its PSS can have been between the readings. */
double memory_mark_most(const struct memory_mark *before, const struct memory_mark *now);

#endif
