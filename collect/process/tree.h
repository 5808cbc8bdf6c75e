/*
 * tree: what a process and all its descendants use together.
 *
 * A process belongs to the tree from the reading that first sees it as a descendant of the root
 * until it ends, whoever its parent is by then. tree_open allocates all memory; tree_read allocates
 * nothing.
 *
 * How the sums stay exact while processes come and go
 * ---------------------------------------------------
 * Kernel facts (proc_pid_stat(5), proc_pid_io(5), wait4(2), PR_SET_CHILD_SUBREAPER(2const)):
 *
 *  - PID/stat has what a process used itself, all its threads, ended ones too (utime, stime,
 *    majflt), and what its children that it waited for had used (cutime, cstime, cmajflt), with
 *    what those children had been handed in the same way. PID/io has both in one number.
 *  - A child's usage moves to its parent at one moment: when the parent reaps it by wait(2). Before
 *    that a zombie's stat keeps all its numbers; after that its files are gone.
 *  - When a parent ends first, the kernel gives its children to the nearest subreaper. The
 *    collector is one, so orphans of a command become our children, and we reap them.
 *  - When we reap a process, wait4(2) gives its rusage: exact, in µs, with everything that it was
 *    handed by its own children, however briefly those lived.
 *  - A parent that ignores SIGCHLD is handed nothing: the usage of its children is lost to it.
 *  - Times in PID/stat are whole ticks of 10 ms. PID/schedstat has ns, but of one thread only.
 *
 * So everything used since the beginning is, at any time, in exactly one of these: the own account
 * of a process that lives or is a zombie; the inherited account of whoever reaped it; or the rusage
 * that we were given. A reading adds up how these accounts grew, and subtracts what earlier
 * readings had counted of a process that has vanished, because the same time came in again through
 * its parent (cpu_accounting.h). A process that lived and died between two readings is in the sums
 * through its parent, and a child's long life causes no spike when it is reaped.
 *
 * The accounts of many processes cannot be read at one instant. Two rules keep a child that is
 * reaped in the middle of a reading from being counted twice or lost:
 *
 *  - Children are read before their parents. If a child is reaped in between, its usage is in both
 *    accounts, which can be detected; the other order would lose it.
 *  - A parent is read again until the counters of its reaped children stand still. Each time they
 *    have moved, its children that no longer exist are marked as gone, and their own accounts no
 *    longer count. A parent that reaps faster than that is left after some repeats, and what was
 *    counted twice becomes a debt, which what comes in later pays off before it counts.
 *
 * When we reap a process, tree_reaped replaces what was counted of it by its rusage. tree_settle
 * adds that without another reading, so the last row and the totals agree with the kernel. No sum
 * ever falls.
 *
 * A launcher (tree_set_launcher) reaps the tasks that it started, and does not belong to the job:
 * of its accounts only the inherited one counts, from the first reading on. Its storage bytes are
 * never read, since PID/io has its own and the inherited ones in one number: what a task read and
 * wrote after the last reading that saw it is lost, unless the launcher itself says what its tasks
 * used (tree_launcher_ended).
 *
 * A root process alone (tree_set_alone) has no inherited account: own_account.h.
 *
 * What this cannot see (children of a parent that ignores SIGCHLD, after the last sample that saw
 * them) is in the accounts of the command's own cgroup alone: cgroup_own.h.
 */
#ifndef COLLECT_PROCESS_TREE_H
#define COLLECT_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/resource.h>

#include "collect/process/cpu_accounting.h"
#include "collect/process/process_table.h"
#include "collect/process/reaped_totals.h"
#include "collect/process/tree_states.h"
#include "collect/process/unseen_bound.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

#define TREE_MAX 16384 /* processes at one time; further ones are noted and not counted */

/* Sums over one or more processes. Bytes; NAN where not measured. */
struct tree_gauges {
	double memory_b; /* PSS; RSS of a process whose PSS may not be read */
	double rss_b, private_b, shared_b, swap_b;
	double threads;
};

struct tree_counters {
	int64_t at; /* CLOCK_MONOTONIC, ns: when the accounts were read */
	/* Seconds and bytes since tree_open; they never fall. User and system time add up to
	 * CPU_ACCOUNTING_CPU, which is more exact than either. */
	double sum[CPU_ACCOUNTING_COUNT];
	double late_s; /* CPU seconds in .sum that were used before the last reading: tree_settle */
	struct tree_gauges all;  /* of the whole tree */
	struct tree_gauges main; /* of the root process; NAN if none was named */
	double main_cpu_s;       /* of the root process, without its children; NAN likewise */
	double memory_least_b,
	    memory_most_b;           /* of the tree since the reading before: memory_mark.h */
	double file_most_b, shmem_b; /* PSS of files, at most; of shared memory */
	double busiest_s;            /* tree_states_sums */
	double cpu_wait_s; /* of all threads seen, since tree_open (cpu_wait.h); NAN: unknown */
	double state_s[STATES_N]; /* seconds of each state since tree_open; NAN: not measured */
	double ctx_voluntary, ctx_involuntary; /* of the first thread of each process, since then */
	size_t alive;                          /* processes now, without zombies */
	size_t children;                       /* the same without the root */
};

struct tree;

/* r must live as long. subreaper: the collector is the subreaper of the tree, so that its own
 * children belong to the tree. NULL with an error where there is no memory. */
struct tree *tree_open(const struct root *r, bool subreaper, struct err *e);

/* Names the root process. 0, or -1 with an error if there is no such process. */
int tree_set_root(struct tree *t, int pid, struct err *e);

/* The tree is the root process alone (own_account.h). Call it before the first reading. */
void tree_set_alone(struct tree *t);

/* Names a process whose descendants belong to the tree too, but neither itself nor the collector:
 * the daemon by which a launcher started the tasks of a node. What it had inherited before the
 * first reading does not count. 0, or -1 with an error if there is no such process. */
int tree_set_launcher(struct tree *t, int pid, struct err *e);

/* The launcher says at the end what it inherited (tree_launcher_ended): until then it counts as
 * there, also if its files are gone. Call it before the first reading. */
void tree_launcher_tells(struct tree *t);

/* Takes the sums of all tasks of the launcher, as it reports them; NAN: not known. They replace
 * what readings of its files had found. Call it before the last reading. */
void tree_launcher_ended(struct tree *t, const double total[CPU_ACCOUNTING_COUNT]);

/* Leaves out a child of the collector that does not belong to the tree; 4 at most. */
void tree_exclude(struct tree *t, int pid);

/* Excludes pid instead of another one. */
void tree_exclude_instead(struct tree *t, int other, int pid);

/* Whether what one of our children used is not the tree's. session: its session. */
bool tree_is_excluded(const struct tree *t, int session);

/* Reads all processes. What they used before the first reading is part of the sums: take
 * differences if the root was already running. */
void tree_read(struct tree *t, struct tree_counters *out);

/* The events of processes in the interval that the next reading ends. */
void tree_set_unseen(struct tree *t, const struct unseen_told *told);

/* Where its time goes: .cgroup is the caller's to set before a reading, and looks are due at
 * .next_look (tree_states_look). */
struct tree_states *tree_states_of(struct tree *t);

/* Whether the last reading found the root, or the launcher if no root was named, alive or as a
 * zombie. */
bool tree_has_root(const struct tree *t);

/* Whether any reading found any process. False where /proc cannot be read. */
bool tree_saw_any(const struct tree *t);

/* Whether the last reading found this process. */
bool tree_has(const struct tree *t, int pid);

/* The entry in the list of the process at a place of its table. Borrowed until the next reading. */
struct top_process;
const struct top_process *tree_top(const struct tree *t, int place);

/* Its processes, as the last reading left them. */
const struct process_table *tree_table(const struct tree *t);

/* Takes the account of a process that we reaped: the status and rusage of wait4(2), and its storage
 * bytes in total (CPU_ACCOUNTING_READ, CPU_ACCOUNTING_WRITE). */
void tree_reaped(struct tree *t, int pid, int status, const struct rusage *usage,
                 const double total[CPU_ACCOUNTING_COUNT]);

/* If the tree is a root process alone, takes what its children used out of its account, the rusage
 * and the storage bytes of wait4(2). False if pid is another process, whose account is not the
 * tree's. In other trees, changes nothing. */
bool tree_keep_own(struct tree *t, int pid, struct rusage *usage,
                   double total[CPU_ACCOUNTING_COUNT]);

/* Adds the processes reaped since the last reading to the sums, without a new reading. out->late_s
 * gets the CPU seconds that this adds: all of it was used before that reading if the reading
 * already saw the process as a zombie. */
void tree_settle(struct tree *t, struct tree_counters *out);

/* Fills all but sampled_cpu_s and cgroup_cpu_s. */
void tree_totals(const struct tree *t, struct snapshot_totals *out);

/* Fills the peak of the tree's memory since tree_open, at least and at most; NAN: unknown.
 * INFINITY: unknown, because processes of unknown size lived between two readings. The rest is the
 * caller's. False if readings missed a process, or its last size, that may have been large. */
bool tree_memory(const struct tree *t, struct snapshot_memory *out);

/* The part of that peak that is no estimate. */
double tree_memory_sure(const struct tree *t);

/* Writes the member "states" (tree_states.h), and chooses the largest processes (top_processes.h).
 * Only once, at the end. */
void tree_write_states(struct tree *t, struct json_write *j);

/* Then: what is known of one of them, which began at start (Unix time) and is a row of the table of
 * processes; false: no sample saw it, or it is not one of the largest. Texts are those of t. */
bool tree_sampled(const struct tree *t, size_t row, int pid, double start,
                  struct snapshot_process *out, struct snapshot_wait waits[WAIT_NAMES_TOP]);

/* Notes in the snapshot what could not be measured, and why. cgroup: what the command's own cgroup
 * has used (cgroup_usage.h). */
void tree_notes(const struct tree *t, const struct snapshot_totals *cgroup, struct snapshot *s);

/* NULL is fine. */
void tree_close(struct tree *t);

#endif
