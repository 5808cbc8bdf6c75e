/*
 * proc_pid: the files of one process, /proc/PID/… (proc_pid_stat(5), _io(5), _smaps(5),
 * _status(5), _cmdline(5), and the kernel's Documentation/filesystems/proc.rst and
 * Documentation/scheduler/sched-stats.rst).
 *
 * Parsers take text. Readers take a descriptor that may be kept: they pread(2) from its beginning.
 * All return 0, or -1 with errno:
 *
 *   ESRCH    the process is gone (a kept descriptor never shows another process with the same pid),
 *            or, for smaps_rollup, it has no memory (a zombie)
 *   EACCES   it is another user's (io, smaps_rollup)
 *   EBADMSG  the text is not in the kernel's form
 *
 * A descriptor of stat or io follows the process over exec. One of smaps_rollup belongs to the old
 * address space: after exec it gives ESRCH, and the file must be opened again.
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
	int group, session;           /* the pids of their leaders; 0: none */
	bool terminal;                /* its session has a terminal */
	char comm[PROC_PID_COMM_MAX]; /* any byte but NUL, also ")" and newline */
	char state;                   /* R S D Z T t X I … */
	bool exiting;                 /* it has begun to end, or is a zombie */
	uint64_t minflt, cminflt, majflt, cmajflt;
	uint64_t utime, stime, cutime, cstime; /* ticks of sysconf(_SC_CLK_TCK) */
	uint64_t starttime;                    /* ticks since boot; with the pid, unique */
	long num_threads;
	uint64_t vsize; /* bytes */
	int64_t rss_pages;
	uint64_t stack; /* address at which its stack starts; 0 if it may not be read */
};

struct proc_pid_io {
	uint64_t read_bytes, write_bytes, cancelled_write_bytes; /* of storage */
	uint64_t rchar, wchar; /* of read(2), write(2) and their like, whatever they were on */
	size_t text_n; /* length of the text: reading its own adds it to the reader's rchar */
};

/* Bytes. */
struct proc_pid_smaps {
	uint64_t rss_b, pss_b, swap_pss_b;
	uint64_t private_b;    /* clean and dirty; without hugetlb pages, like Rss */
	uint64_t anonymous_b;  /* the part of .rss_b that is in no file or shared memory */
	uint64_t pss_mapped_b; /* the part of .pss_b that is; 0 before Linux 5.3 */
	uint64_t pss_shmem_b;  /* the part of that in shared memory and tmpfs; the same */
};

struct proc_pid_status {
	uint64_t hwm_b;     /* VmHWM, the peak RSS; 0 for kernel threads and zombies */
	uint64_t vm_peak_b; /* VmPeak, the peak of its address space; the same */
	/* Its RSS now, the part of it in files and shared memory, and the part of that in shared
	 * memory (Linux 4.5; else .has_split is false); and what it has of the machine's pool of
	 * huge pages, which is in no RSS. */
	uint64_t rss_b, mapped_b, shmem_b, hugetlb_b;
	bool has_split;
	uint64_t ctx_voluntary, ctx_involuntary;
	unsigned uid, euid;
	bool ignores_children; /* SIGCHLD is ignored: its children's usage is lost */
};

/* PID/schedstat of the first thread, PID/task/TID/schedstat of any. */
struct proc_pid_schedstat {
	uint64_t run_ns;  /* CPU time, user and system together */
	uint64_t wait_ns; /* time that it waited for a CPU while it could have run */
	uint64_t slices;  /* times that it was given a CPU */
};

/* comm reaches from the first "(" to the last ")", because it may contain ")". All fields up to
 * rss must be present. */
int proc_pid_stat_parse(const char *text, size_t n, struct proc_pid_stat *out);
int proc_pid_io_parse(const char *text, size_t n, struct proc_pid_io *out);
int proc_pid_smaps_parse(const char *text, size_t n, struct proc_pid_smaps *out);
int proc_pid_status_parse(const char *text, size_t n, struct proc_pid_status *out);

/* wait_ns and slices are 0 if the kernel does not count them. */
int proc_pid_schedstat_parse(const char *text, size_t n, struct proc_pid_schedstat *out);

int proc_pid_stat_read(int fd, struct proc_pid_stat *out);
int proc_pid_io_read(int fd, struct proc_pid_io *out);
int proc_pid_smaps_read(int fd, struct proc_pid_smaps *out);
int proc_pid_status_read(int fd, struct proc_pid_status *out);
int proc_pid_schedstat_read(int fd, struct proc_pid_schedstat *out);

/* Opens the stat of a process, reads it and closes it. */
int proc_pid_stat_of(const struct root *r, int pid, struct proc_pid_stat *out);

/* 0 if there is such a process; -1 with a sentence if there is none, or no /proc. */
int proc_pid_check(const struct root *r, int pid, struct err *e);

/* Opens a file of a process: "stat", "io", "smaps_rollup" … The caller closes it. -1 with errno
 * (ENOENT: the process is gone, or the kernel has no such file). */
int proc_pid_open(const struct root *r, int pid, const char *file);

/* -- descendants ------------------------------------------------------------------------------- */

/* A list of children, cut off at .max. */
struct proc_pid_list {
	int *pids; /* the caller's memory */
	size_t n, max;
	bool cut; /* there were more */
};

/* Appends the pids in a chunk of a children file's text. *partial carries a number that the end of
 * a chunk split, and must be 0 for the first chunk. last: no chunk follows. */
void proc_pid_children_parse(struct proc_pid_list *list, const char *text, size_t n, long *partial,
                             bool last);

/* Appends the children of one thread, from a descriptor of task/TID/children, however many. */
int proc_pid_children_read(int fd, struct proc_pid_list *list);

/* Appends the children of every thread of pid: each file lists only those that its own thread
 * forked. num_threads is that of the stat; if it is 1, task/ need not be listed. 0, or -1 with
 * errno ESRCH if the process is gone, or ENOSYS if the kernel has no children files
 * (CONFIG_PROC_CHILDREN): use proc_pid_scan then. */
int proc_pid_children(const struct root *r, int pid, long num_threads, struct proc_pid_list *list);

/* The same of the threads but the first, as long as *left, which falls with each, is not 0. *at: 0,
 * or where the last call stopped; 0 once all have been read. */
void proc_pid_children_others(const struct root *r, int pid, int64_t *at, size_t *left,
                              struct proc_pid_list *list);

/* Calls each for every process in /proc until it returns other than 0, which is then returned. 0 at
 * the end, -1 with errno if /proc cannot be listed. A process that ends meanwhile is left out. */
typedef int (*proc_pid_each)(void *ctx, const struct proc_pid_stat *stat);
int proc_pid_scan(const struct root *r, proc_pid_each each, void *ctx);

/* The number of processes that /proc lists; fd is an open descriptor of it. dirs, unless NULL, gets
 * the number of its other directories. -1 with errno. */
long proc_pid_count(int fd, long *dirs);

#endif
