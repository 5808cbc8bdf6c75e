/*
 * cpu_accounting: sums over processes that come and go, exact and never falling. Pure: tree.c reads
 * the accounts, and tree.h explains which kernel facts this stands on.
 *
 * Every process has an account: what it used itself (own), and what was handed to it by children
 * that it reaped (inherited). Closing a reading adds to the sums, since the reading before:
 *
 *  - the growth of own and of inherited, of every process that is there;
 *  - for a process that we reaped, its final account (wait4(2)) less all that was counted of it;
 *  - and subtracts all that was counted of each process that has vanished from what its heir
 *    inherited, because the kernel handed the same usage to the heir. The heir is the nearest
 *    ancestor that did not vanish too.
 *
 * Three things can make an heir inherit less than was counted:
 *
 *  - The heir ignores SIGCHLD and was handed nothing. What is missing is forgotten: it must not be
 *    subtracted from what other children hand over.
 *  - Rounding. CPU_ACCOUNTING_CPU may be known in ns (PID/schedstat), but is handed over as two
 *    numbers of whole ticks. A shortfall of up to two ticks is a debt, and what comes in next pays
 *    it off before it counts. Without this, a job of many short processes would gain a tick for
 *    each of them.
 *  - A parent that reaped faster than it could be read (maybe_double): some usage may have counted
 *    both in its account and in its children's. Then the whole shortfall is a debt.
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
	CPU_ACCOUNTING_CPU,   /* user and system time together, more exact than either */
	CPU_ACCOUNTING_MAJOR, /* page faults that waited for storage */
	CPU_ACCOUNTING_RCHAR, /* bytes of read(2) and write(2), storage or not */
	CPU_ACCOUNTING_WCHAR,
	CPU_ACCOUNTING_CANCELLED, /* of CPU_ACCOUNTING_WRITE: never written, see below */
	CPU_ACCOUNTING_COUNT
};

#define CPU_ACCOUNTING_ROUNDING_S 0.02 /* two ticks: one of user, one of system time */

/* One process; {0} is a free place. Seconds, bytes and counts since the process began. */
struct cpu_account {
	/* The caller's */
	bool used;
	bool gone;         /* this reading did not find it */
	bool reaped;       /* by us: .final is complete */
	bool maybe_double; /* in this reading some children may be in its account and in theirs */
	int parent;        /* the place of its parent, or -1 if it is not known */
	double own[CPU_ACCOUNTING_COUNT];
	double inherited[CPU_ACCOUNTING_COUNT]; /* bytes: its own too, PID/io has one number */
	double final[CPU_ACCOUNTING_COUNT];     /* own and inherited, as wait4(2) gave them to us */

	/* cpu_accounting_close's */
	double last_own[CPU_ACCOUNTING_COUNT]; /* of the reading before */
	double last_inherited[CPU_ACCOUNTING_COUNT];
	double debt[CPU_ACCOUNTING_COUNT];   /* counted, but not in the account: see above */
	bool in_debt;                        /* any shortfall is a debt, until it is paid off */
	double handed[CPU_ACCOUNTING_COUNT]; /* scratch: handed over, and not counted before */
};

/* Adds to sum what was used between the reading before and this one, makes this one the reading
 * before, and frees the places of processes that are gone or reaped. n: places, used or not. */
void cpu_accounting_close(struct cpu_account *v, size_t n, double sum[CPU_ACCOUNTING_COUNT]);

/* Bytes that reached storage. The kernel counts a byte as written when a page becomes dirty. If a
 * file is deleted or truncated before its pages are written back, they count as cancelled, of the
 * process that does it (proc_pid_io(5)). It may delete what others made dirty: never below 0. */
double cpu_accounting_written(double write_b, double cancelled_b);

/* Copies sum to out, and sets user and system time so that they add up to CPU_ACCOUNTING_CPU and
 * never fall. *utime_s and *stime_s are what the last call set, 0 at first. */
void cpu_accounting_split(const double sum[CPU_ACCOUNTING_COUNT], double *utime_s, double *stime_s,
                          double out[CPU_ACCOUNTING_COUNT]);

#endif
