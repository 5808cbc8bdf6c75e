/*
 * cpu_accounting: sums over processes that come and go, exact and never falling.
 *
 * The kernel hands a process's CPU time and storage bytes to its parent when the parent reaps it.
 * So what a process has used stands in its own account while it lives (as a zombie too), and
 * afterwards in the account of whoever reaped it. A reading adds up what changed: all that the
 * living used themselves, and what was handed over, less what had been counted of the dead while
 * they lived. What was handed to nobody (the parent ignores SIGCHLD) is lost, but makes no sum
 * fall.
 *
 * CPU_ACCOUNTING_CPU is user and system time together, which may be known more exactly than its
 * parts: the
 * kernel tells the times of a process in whole ticks. An account that was handed over and falls
 * short of what had been counted by no more than such ticks is a debt, paid by what comes next; so
 * is all that was counted twice by a reading that could not keep up with a parent that reaps.
 */
#ifndef COLLECT_PROCESS_CPU_ACCOUNTING_H
#define COLLECT_PROCESS_CPU_ACCOUNTING_H

#include <stdbool.h>
#include <stddef.h>

enum cpu_accounting_what {
	CPU_ACCOUNTING_UTIME,
	CPU_ACCOUNTING_STIME,
	CPU_ACCOUNTING_READ,
	CPU_ACCOUNTING_WRITE,
	CPU_ACCOUNTING_CPU,
	CPU_ACCOUNTING_MAJOR, /* page faults that waited for storage */
	CPU_ACCOUNTING_COUNT
};

#define CPU_ACCOUNTING_ROUNDING_S 0.02 /* two ticks: one of user, one of system time */

/* One process; {0} is a free place. Seconds and bytes, as counted since the process began. */
struct cpu_accounting_item {
	bool used;
	bool gone;   /* the reading did not find it */
	bool reaped; /* by ourselves: credit holds the whole of it */
	bool unsure; /* of this reading: children may stand in its account and in theirs */
	int parent;  /* its parent's place, or -1: none is known */
	double own[CPU_ACCOUNTING_COUNT]; /* what it used itself */
	double waited
	    [CPU_ACCOUNTING_COUNT]; /* what may have been handed to it by children that it reaped */
	double credit[CPU_ACCOUNTING_COUNT];
	double last_own[CPU_ACCOUNTING_COUNT],
	    last_waited[CPU_ACCOUNTING_COUNT]; /* as of the reading before */
	double owed[CPU_ACCOUNTING_COUNT]; /* counted beyond its account, by rounding or in both */
	bool owes; /* such a reading was before this one, or is not paid yet */
	double pool[CPU_ACCOUNTING_COUNT]; /* within cpu_accounting_close */
};

/* Adds to sum what happened between the reading before and this one, makes this one the reading
 * before, and frees the places of the gone. Of the n places those with used are looked at. */
void cpu_accounting_close(struct cpu_accounting_item *v, size_t n,
                          double sum[CPU_ACCOUNTING_COUNT]);

/* Copies sum to out, with user and system time such that they make up CPU_ACCOUNTING_CPU and never
 * fall:
 * *utime_s and *stime_s are what was said last, {0} at first. */
void cpu_accounting_split(const double sum[CPU_ACCOUNTING_COUNT], double *utime_s, double *stime_s,
                          double out[CPU_ACCOUNTING_COUNT]);

#endif
