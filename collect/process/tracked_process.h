/*
 * tracked_process: one process of the tree, its descriptors, and what was read of it last.
 *
 * A member is a process, not a number: a pid that was given to another process meanwhile reads as
 * gone. Descriptors are kept where the caller grants it, else opened for each reading.
 */
#ifndef COLLECT_PROCESS_TRACKED_PROCESS_H
#define COLLECT_PROCESS_TRACKED_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/process/pss.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"

enum tracked_process_file {
	TRACKED_PROCESS_STAT,
	TRACKED_PROCESS_IO,
	TRACKED_PROCESS_SMAPS,
	TRACKED_PROCESS_CHILDREN,
	TRACKED_PROCESS_SCHED,
	TRACKED_PROCESS_STATUS,
	TRACKED_PROCESS_FILES /* descriptors that a kept member holds at most */
};

/* {0} is a free place. */
struct tracked_process {
	bool used, kept;
	bool pss_denied, io_denied; /* at the last reading */
	bool ignores_children;      /* as struct proc_pid_status */
	unsigned unread;            /* times that its stat could not be read, one after the other */
	int pid;
	int fd[TRACKED_PROCESS_FILES]; /* -1: not open */
	int next;                      /* of the chain in the tree's index; -1: the last */
	unsigned seen;                 /* the reading that saw it last */
	unsigned kin;                  /* grows when a child comes or goes */
	bool again;                    /* its account is to be read after its children's */
	bool ticks;                    /* only its ticks tell its CPU time */
	bool still;                    /* what was read of it holds as long as it is given no CPU */
	struct proc_pid_sched sched;
	double cpu_s;          /* its own, as exactly as it can be known */
	double told_s;         /* what of that is told: it may be a little behind */
	int threads;           /* at the reading before */
	bool older;            /* than the recording; the caller's */
	bool waits;            /* sched was read: what comes after it was waited since */
	uint64_t waited_ns;    /* what its first thread waited for a CPU since cpu_wait.c took it */
	size_t others;         /* of its threads, but the first, that cpu_wait.c knows */
	unsigned listed;       /* cpu_wait.c's reading that listed them last */
	uint64_t listed_ticks; /* CPU time when all had been read */
	bool based;            /* all that were there at one reading were read: others are new */
	struct proc_pid_stat stat;
	struct proc_pid_io io; /* with what children that it reaped have handed to it */
	struct pss pss;
	struct pss_activity looked; /* as it was when status was read */
	uint64_t looked_ticks;
	double hwm_b, peak_rss_b, peak_pss_b;
	uint64_t ctx_voluntary, ctx_involuntary;
};

/* Finds the process, and reads its stat. 0, or -1: gone, or not to be seen. */
int tracked_process_open(struct tracked_process *m, const struct root *r, int pid, bool keep);

/* Reads its stat again, unless it rests (see tracked_process_wake). 0, or -1: gone. One that
 * cannot be read
 * is as it was before, some times: what it used is not to be counted anew when it can be again. */
int tracked_process_read(struct tracked_process *m, const struct root *r);

/*
 * A process of one thread that was given no CPU since it was looked at has done nothing: its stat
 * and its storage bytes are what they were, and are not read again. Others may change its RSS even
 * so (memory is reclaimed), and its parent (that ended): after this they are read.
 */
void tracked_process_wake(struct tracked_process *m);

/* Whether it is there still. Changes nothing. */
bool tracked_process_alive(const struct tracked_process *m, const struct root *r);

/* Whether it has ended, and only its entry is left. One whose first thread alone has ended is not.
 */
bool tracked_process_ended(const struct tracked_process *m);

/* Reads its storage bytes into m->io. 0, or -1: they cannot be read (io_denied tells if
 * forbidden). */
int tracked_process_io(struct tracked_process *m, const struct root *r);

/* Brings m->cpu_s up to date, after its stat: of a process that has always had one thread exactly,
 * of another in whole ticks. Never falls. */
void tracked_process_cpu(struct tracked_process *m, const struct root *r, double tick_s);

/* Takes a reading of its first thread, and adds what that waited for a CPU since the one before, if
 * it counts. Of a process older than the recording, the first reading adds nothing. */
void tracked_process_waits(struct tracked_process *m, const struct proc_pid_sched *now,
                           bool counts);

/* Brings m->told_s up to date, elapsed_s after the reading before (INFINITY: there was none). What
 * its threads cannot have done in that time is told by the next reading: the kernel brings an
 * account up to date when it is looked at by a tick, and tells most in whole ticks, so a reading
 * may get what belongs to the time before it. */
void tracked_process_tell(struct tracked_process *m, double elapsed_s);

/* Appends its children, of every thread. 0, or -1 with errno as proc_pid_children. */
int tracked_process_children(struct tracked_process *m, const struct root *r,
                             struct proc_pid_list *list);

/* Reads smaps_rollup. 0, and all 0 where it has no memory; -1, and pss_denied, where it may not be
 * read. */
int tracked_process_smaps(struct tracked_process *m, const struct root *r,
                          struct proc_pid_smaps *out);

/* Reads the peak of its RSS and its context switches where it has done something since. True where
 * it was read; *before gets the context switches as of the reading before. */
bool tracked_process_status(struct tracked_process *m, const struct root *r,
                            struct proc_pid_status *before);

/* What grows whenever it reaps a child, however short that lived. */
uint64_t tracked_process_reaped(const struct tracked_process *m);

/* Closes its descriptors, and frees the place. */
void tracked_process_close(struct tracked_process *m);

#endif
