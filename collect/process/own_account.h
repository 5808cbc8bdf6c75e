/*
 * own_account: what one process used itself, without the children that it waited for. For a
 * recording of the root process alone.
 *
 * CPU time and page faults have fields of their own in PID/stat. Storage bytes have not: PID/io is
 * the sum over all threads, ended ones too, and over the children that were waited for. So they are
 * taken from task/PID/io, which is the first thread's alone; of a process that has, or had, other
 * threads, from the growth of PID/io, but while it waited for a child, from that of its first
 * thread, which may miss some.
 *
 * wait4(2) adds up both as well. If the process never waited for a child, its rusage is its own.
 * Otherwise the last reading of the zombie has its CPU time (exact for a process of one thread, in
 * whole ticks for another) and page faults; its context switches and its peak RSS are not known.
 */
#ifndef COLLECT_PROCESS_OWN_ACCOUNT_H
#define COLLECT_PROCESS_OWN_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "collect/process/cpu_accounting.h"
#include "collect/process/reaped_totals.h"
#include "collect/process/tracked_process.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

/* {0}: nothing was read yet. */
struct own_account {
	bool known;                    /* there was a reading */
	bool threads;                  /* it has, or had, several */
	bool missed;                   /* storage bytes of its threads */
	bool mixed;                    /* its rusage had that of children in it */
	bool unseen;                   /* and no reading has them apart */
	uint64_t reap_stamp;           /* of the last reading */
	struct proc_pid_io all, first; /* PID/io and task/PID/io of the last reading */
	struct proc_pid_io own;        /* the process's own bytes so far */
};

/* Reads the storage bytes of p, and its stat after that; p->io becomes its own bytes. 0, or -1 if
 * they cannot be read. */
int own_account_io(struct own_account *a, struct tracked_process *p, const struct root *r);

/* Takes the children out of the account of wait4(2). p: the process as a zombie; NULL: no reading
 * saw it. A peak RSS that is not known becomes 0. */
void own_account_end(struct own_account *a, const struct tracked_process *p, double tick_s,
                     struct rusage *usage, double total[CPU_ACCOUNTING_COUNT]);

/* Sets the bytes of v to those of PID/io. */
void own_account_bytes(const struct proc_pid_io *io, double v[CPU_ACCOUNTING_COUNT]);

/* Sets to NAN what is not known of the process alone. */
void own_account_totals(const struct own_account *a, struct snapshot_totals *t);

void own_account_notes(const struct own_account *a, struct snapshot *s);

#endif
