/*
 * proc_pid: what the kernel says of one process (proc_pid_stat(5), _io(5), _smaps(5), _statm(5),
 * _status(5), _cmdline(5), and the kernel's Documentation/filesystems/proc.rst and
 * Documentation/scheduler/sched-stats.rst).
 *
 * Parsers take text; readers take a descriptor that may be kept (they pread(2) from its beginning).
 * All return 0, or -1: with errno ESRCH where the process is gone (every kept descriptor says so,
 * and never shows another process of the same pid) or, for smaps_rollup, has no memory (zombie),
 * EACCES where it is another user's (io, smaps_rollup), EBADMSG where the text is not what it
 * should be. A descriptor of stat, statm or io follows the process over exec; one of smaps_rollup
 * then says ESRCH once and must be opened again.
 */
#ifndef COLLECT_PROCFS_PROC_PID_H
#define COLLECT_PROCFS_PROC_PID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/procfs/root.h"

#define PROC_PID_COMM_MAX 64

struct proc_pid_stat {
	int pid, ppid;
	char comm[PROC_PID_COMM_MAX]; /* as the kernel gives it: any byte but NUL may be in it */
	char state;                   /* R S D Z T t X I … */
	uint64_t minflt, cminflt, majflt, cmajflt;
	uint64_t utime, stime, cutime, cstime; /* ticks of sysconf(_SC_CLK_TCK) */
	uint64_t starttime;                    /* ticks since boot; with pid it names a process */
	long num_threads;
	uint64_t vsize; /* bytes */
	int64_t rss_pages;
};

struct proc_pid_io {
	uint64_t read_bytes, write_bytes, cancelled_write_bytes;
};

/* Bytes. */
struct proc_pid_smaps {
	uint64_t rss_b, pss_b, swap_b, swap_pss_b;
	uint64_t private_b, shared_b; /* clean and dirty, hugetlb left out as Rss leaves it out */
};

/* Pages. */
struct proc_pid_statm {
	uint64_t size_pages, rss_pages, shared_pages;
};

struct proc_pid_status {
	uint64_t hwm_b; /* VmHWM, the peak of RSS; 0 for kernel threads and zombies */
	uint64_t ctx_voluntary, ctx_involuntary;
	unsigned uid, euid;
	bool ignores_children; /* SIGCHLD is ignored: nobody is handed what they used */
};

/* PID/schedstat, of the first thread; PID/task/TID/schedstat, of any. */
struct proc_pid_schedstat {
	uint64_t run_ns;  /* its CPU time, user and system together */
	uint64_t wait_ns; /* how long it waited for a CPU while it could have run */
	uint64_t slices;  /* how many times it was given a CPU */
};

/* comm reaches from the first "(" to the last ")". A kernel older than a field leaves it 0 only
 * after rss; all up to there must be present. */
int proc_pid_stat_parse(const char *text, size_t n, struct proc_pid_stat *out);
int proc_pid_io_parse(const char *text, size_t n, struct proc_pid_io *out);
int proc_pid_smaps_parse(const char *text, size_t n, struct proc_pid_smaps *out);
int proc_pid_statm_parse(const char *text, size_t n, struct proc_pid_statm *out);
int proc_pid_status_parse(const char *text, size_t n, struct proc_pid_status *out);

/* wait_ns and slices are 0 where the kernel does not count them. */
int proc_pid_schedstat_parse(const char *text, size_t n, struct proc_pid_schedstat *out);

int proc_pid_stat_read(int fd, struct proc_pid_stat *out);
int proc_pid_io_read(int fd, struct proc_pid_io *out);
int proc_pid_smaps_read(int fd, struct proc_pid_smaps *out);
int proc_pid_statm_read(int fd, struct proc_pid_statm *out);
int proc_pid_status_read(int fd, struct proc_pid_status *out);
int proc_pid_schedstat_read(int fd, struct proc_pid_schedstat *out);

/* Says why a process cannot be opened: there is none, or no /proc. Returns -1. */
int proc_pid_missing(const struct root *r, int pid, struct err *e);

/* Opens a file of a process: file is "stat", "io", "smaps_rollup" … The caller closes. -1 with
 * errno (ENOENT: the process is gone, or the kernel has no such file). */
int proc_pid_open(const struct root *r, int pid, const char *file);

/* -- descendants ------------------------------------------------------------------------------- */

/* A list of children that is cut at .max, and then says so. */
struct proc_pid_list {
	int *pids; /* the caller's memory */
	size_t n, max;
	bool cut;
};

/* Appends the pids of one children file's text; *partial carries a number that a chunk's end split,
 * and must be 0 at the first chunk. last: nothing comes after. */
void proc_pid_children_parse(struct proc_pid_list *list, const char *text, size_t n, long *partial,
                             bool last);

/* Appends the children of one thread, from a descriptor of task/TID/children, looping to the end.
 * */
int proc_pid_children_read(int fd, struct proc_pid_list *list);

/* Appends the children of every thread of pid: a file lists only those that its thread forked.
 * num_threads is that of its stat; where it is 1 the listing of task/ is saved. 0, or -1: errno
 * ESRCH where the process is gone, ENOSYS where the kernel has no children files
 * (CONFIG_PROC_CHILDREN): use proc_pid_scan. */
int proc_pid_children(const struct root *r, int pid, long num_threads, struct proc_pid_list *list);

/* Calls each for every process in /proc, until it returns other than 0, which is then returned. 0
 * at the end, -1 with errno where /proc cannot be listed. A process that goes meanwhile is left
 * out. */
typedef int (*proc_pid_each)(void *ctx, const struct proc_pid_stat *stat);
int proc_pid_scan(const struct root *r, proc_pid_each each, void *ctx);

/* How many processes /proc lists; fd is an open descriptor of it. dirs, unless NULL, gets the
 * number of its other directories. -1 with errno. */
long proc_pid_count(int fd, long *dirs);

#endif
