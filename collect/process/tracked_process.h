/*
 * tracked_process: one process of the tree: its descriptors, and what was read of it last.
 *
 * It is a process, not a pid: if the pid was given to another process in the meantime (another
 * start time), reads say that the process is gone. Descriptors stay open if the caller grants
 * it; otherwise each reading opens the file again.
 */
#ifndef COLLECT_PROCESS_TRACKED_PROCESS_H
#define COLLECT_PROCESS_TRACKED_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/process/memory_mark.h"
#include "collect/process/pss.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"
#include "collect/waits/wait_names.h"
#include "collect/waits/wait_thread.h"

enum tracked_process_file {
	TRACKED_PROCESS_STAT,
	TRACKED_PROCESS_IO,
	TRACKED_PROCESS_SMAPS,
	TRACKED_PROCESS_CHILDREN,
	TRACKED_PROCESS_SCHEDSTAT,
	TRACKED_PROCESS_STATUS,
	TRACKED_PROCESS_FILES /* descriptors that one process holds at most */
};

/* The family of a process (family.c); the members count only in its head. */
struct family {
	int head; /* its place */
	unsigned members;
	struct pss_kin kin;
	bool changing;    /* a process came or went: the readings of PSS are not of one moment */
	bool active;      /* they had page faults since the last reading */
	bool came;        /* a process came or went since the last reading */
	double given_b;   /* what they gave up while they were read */
	double pss_b;     /* the sum of their PSS */
	double hugetlb_b; /* the most that one has */
	double steady_b;  /* of family_steady_part_b */
	double beyond_b;  /* what they share that the head does not have */
	double surplus_b; /* what the family has more than the sum of the steady parts … */
	double surplus_before_b; /* … and at the reading before */
	double left_beyond_b;    /* as .beyond_b, of what is left after family_look */
	double gave_b;           /* what this process gave up meanwhile; INFINITY: all */
	bool was_read;           /* PSS of this process, at this reading */
};

/* {0} is a free place. A "reading" is a number that process_table.c or cpu_wait.c counts up. */
struct tracked_process {
	bool used;
	int pid;
	struct proc_pid_stat stat;

	/* Descriptors */
	bool keeps_fds;
	int fd[TRACKED_PROCESS_FILES]; /* -1: not open */
	unsigned failed_reads;         /* of its stat, in a row */

	/* process_table.c's */
	int next;               /* in a chain of its index by pid; -1: the last */
	unsigned seen;          /* the last reading that found it */
	unsigned child_events;  /* grows when a child comes or goes */
	uint64_t reaped_faults; /* tree.c's: page faults of the children that it had reaped */
	bool reread;       /* it may be reaping: read its account again, after its children's */
	bool predates_run; /* it was there before the recording */

	/* Its children */
	bool keeps_children; /* those that it had are its children still, if they live */
	int64_t others_at; /* where reading the lists of its other threads goes on; 0: all read … */
	int others_pid;    /* … once, when this was the last pid of the machine; 0: never */
	int pass_pid;      /* the same when the reading of now began */

	/* CPU time */
	bool has_clock;    /* its CPU clock may be read: /proc has the pids that we have */
	uint64_t clock_ns; /* CPU time of all of its threads that there were, at its last reading */
	bool idle;         /* it has not run: everything read of it still holds */
	bool ticks_only;   /* it has, or had, several threads: schedstat is not enough */
	struct proc_pid_schedstat schedstat;
	double cpu_s;      /* its own, as exactly as it is known */
	double reported_s; /* the part of it that is counted: it may be a little behind */
	int last_threads;  /* threads at the reading before */

	/* Waiting for a CPU, for cpu_wait.c; "others" are all threads but the first */
	bool wait_known;      /* .schedstat has a first value: what comes on top was waited since */
	uint64_t waited_ns;   /* of the first thread, since cpu_wait.c took it */
	size_t other_threads; /* that cpu_wait.c knows */
	bool all_threads_read;      /* once all that existed were read: any other thread is new */
	unsigned threads_listed;    /* cpu_wait.c's reading that listed them last */
	uint64_t threads_listed_at; /* CPU time when all had been read, as cpu_wait.c has it */
	uint64_t first_read_clock;  /* .clock_ns when it read .schedstat */

	/* Where its time goes, for tree_states.c */
	struct wait_thread state;    /* of the first thread */
	bool wchan_works;            /* as of wait_look() */
	float states_s[STATES_N];    /* of the process */
	float states_none[STATES_N]; /* while tree_states.c adds up its threads */
	float parked_s;              /* of its threads in this interval, the longest … */
	bool stirred;                /* … and whether any of them did anything else */
	struct wait_names_top waits;

	/* Storage and memory */
	struct proc_pid_io io;      /* its own bytes, and those inherited from children it reaped */
	bool io_denied, pss_denied; /* at the last reading */
	struct pss pss;
	struct family family;
	double hwm_b, vm_peak_b, peak_rss_b, peak_pss_b;
	struct pss_rss rss;      /* as of its status; without a split in it, of its stat */
	double hugetlb_b;        /* of the machine's pool of huge pages */
	double mapped_before_b;  /* family.c's: of .rss, when PSS of any process was read */
	struct memory_mark mark; /* at this reading */
	bool was_marked, rose;   /* it had one at the reading before; it reached a new one since */
	bool lived;              /* at the last reading, with or without memory of its own */
	double own_b;            /* what it had of its own then, at least */
	double kept_b, added_b;  /* since the reading before: what it kept of its own; the most that
	                          * it can have added to the memory of all */

	/* PID/status */
	struct pss_activity status_activity; /* as it was when status was read */
	uint64_t status_ticks;
	bool ignores_children; /* as in struct proc_pid_status */
	uint64_t ctx_voluntary, ctx_involuntary;
};

/* Finds the process, and reads its stat. 0, or -1 if it is gone or may not be seen. */
int tracked_process_open(struct tracked_process *p, const struct root *r, int pid, bool keep_fds);

/* Reads its stat again, unless it is idle (see tracked_process_wake). 0, or -1 if it is gone. A
 * stat that cannot be read for another reason leaves the process as it was, a few times in a row:
 * given up and found again, it would be counted from the beginning. */
int tracked_process_read(struct tracked_process *p, const struct root *r);

/*
 * Makes the next reading read all of its files.
 *
 * A process whose CPU clock stands still was given no CPU, none of its threads: so its stat, its
 * storage bytes and the children that it forked have not changed either. It is idle, and the clock
 * (one system call, no file) is all that is read. Where the clock cannot be read, the schedstat
 * says the same of a process of one thread. But others can change its RSS (memory is reclaimed),
 * its parent (which ended) or its children (orphans), so each process has to be woken from time to
 * time.
 */
void tracked_process_wake(struct tracked_process *p);

/* Whether it still exists, a zombie too. Changes nothing. */
bool tracked_process_alive(const struct tracked_process *p, const struct root *r);

/* Whether it is a zombie. A process whose first thread has ended looks like one, but runs on as
 * long as it has other threads. */
bool tracked_process_ended(const struct tracked_process *p);

/* Whether it has given up its memory, to end: a zombie, or on its way. */
bool tracked_process_left(const struct tracked_process *p);

/* Its RSS now, in pages; 0 if it has ended. Changes nothing. */
int64_t tracked_process_rss_now(const struct tracked_process *p, const struct root *r);

/* Reads its storage bytes into p->io. 0, or -1 if they cannot be read (io_denied: may not be). */
int tracked_process_io(struct tracked_process *p, const struct root *r);

/* Updates p->cpu_s, after its stat was read: in ns for a process that has always had one thread, in
 * whole ticks for another. Never falls. */
void tracked_process_cpu(struct tracked_process *p, const struct root *r, double tick_s);

/* Takes a schedstat of its first thread, and, if counts, adds what that waited for a CPU since the
 * last one. The first one of a process that predates the run adds nothing. */
void tracked_process_add_wait(struct tracked_process *p, const struct proc_pid_schedstat *now,
                              bool counts);

/* Updates p->reported_s, elapsed_s after the reading before (INFINITY: there was none). CPU time
 * that its threads cannot have used in that time is left for the next reading: the kernel updates
 * the times of a running process only at its own ticks, and PID/stat gives whole ticks, so a
 * reading can get what belongs to the interval before. Without this, a busy loop would show rows of
 * more than 1.0 cores. */
void tracked_process_report_cpu(struct tracked_process *p, double elapsed_s);

/* The CPU time of all threads that it ever had, in ns, now; 0: not known. */
uint64_t tracked_process_clock(const struct tracked_process *p);

/* Whether no thread of it has run since a reading with this .clock_ns. */
bool tracked_process_slept(const struct tracked_process *p, uint64_t clock_ns);

/* Appends the children of its first thread, and where it has no clock, of all its threads. 0, or -1
 * with errno as proc_pid_children. */
int tracked_process_children(struct tracked_process *p, const struct root *r,
                             struct proc_pid_list *list);

/* Reads smaps_rollup. 0, all zero if it has no memory; -1 and pss_denied if it may not be read. */
int tracked_process_smaps(struct tracked_process *p, const struct root *r,
                          struct proc_pid_smaps *out);

/* Reads its RSS, its peak RSS and context switches if it has been active since the last time. True
 * if they were read; *before then gets the context switches of the time before. */
bool tracked_process_status(struct tracked_process *p, const struct root *r,
                            struct proc_pid_status *before);

/* Reads whether it ignores SIGCHLD, also of a zombie. */
bool tracked_process_ignores_children(struct tracked_process *p, const struct root *r);

/* A number that grows whenever it reaps a child, however short that lived. */
uint64_t tracked_process_reap_stamp(const struct tracked_process *p);

/* Closes its descriptors, and frees the place. */
void tracked_process_close(struct tracked_process *p);

#endif
