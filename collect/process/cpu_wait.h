/*
 * cpu_wait: how long the threads of a tree waited for a CPU while they could have run (the second
 * number of schedstat: the kernel's Documentation/scheduler/sched-stats.rst).
 *
 * Unlike CPU time, this has no account that outlives a thread: the kernel keeps the number for each
 * thread, drops it when the thread ends, and adds a wait only once it is over. So the sum of what
 * was seen is a lower bound. It counts no wait twice, and of a process that predates the recording
 * only what comes after the first reading.
 *
 * Cost: tracked_process.c reads the schedstat of single-threaded processes anyway, for their CPU
 * time. The threads of other processes are listed and read here, one file each, if the process has
 * used CPU time since: else they are as they were. A budget limits how many are read per reading,
 * and the next reading continues where this one stopped. Where the CPU clock of a process cannot be
 * read, its time in ticks decides, and a few threads of those that used none are read all the same.
 */
#ifndef COLLECT_PROCESS_CPU_WAIT_H
#define COLLECT_PROCESS_CPU_WAIT_H

#include <stddef.h>
#include <stdint.h>

#include "collect/process/tracked_process.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

#define CPU_WAIT_THREADS 4096 /* known at one time, without the first thread of each process */
#define CPU_WAIT_LISTED  2500 /* of one process: to list one costs a microsecond */
#define CPU_WAIT_READ    128  /* threads per reading at most */

struct cpu_wait;

/* How a reading left a thread. */
enum cpu_wait_visit {
	CPU_WAIT_READ_NOW, /* its numbers were read */
	CPU_WAIT_LEFT_OUT, /* it exists; the budget did not suffice */
	CPU_WAIT_ENDED
};

/* Is called for each thread of a process with several. now is NULL unless they were read; p is NULL
 * if the thread ended with its process, which has left the table. */
struct cpu_wait_visitor {
	void (*visit)(void *ctx, struct tracked_process *p, struct wait_thread *t, int tid,
	              const struct proc_pid_schedstat *now, enum cpu_wait_visit what);
	void *ctx;
};

/* NULL without memory. */
struct cpu_wait *cpu_wait_open(void);

/* Adds what the processes' threads waited since the last reading. order: n places of processes,
 * which keep their places; at: CLOCK_MONOTONIC, ns. Allocates nothing. */
void cpu_wait_read(struct cpu_wait *w, const struct root *r, struct tracked_process *processes,
                   const int *order, size_t n, int64_t at, const struct cpu_wait_visitor *v);

/* The state of a thread of the process at a place; NULL if it is not known. */
struct wait_thread *cpu_wait_thread(struct cpu_wait *w, int place, int pid, int tid);

/* Calls visit for each thread of processes with several but the first, with now NULL. */
void cpu_wait_each(struct cpu_wait *w, struct tracked_process *processes,
                   const struct cpu_wait_visitor *v);

/* Seconds, of all readings; NAN as long as the kernel gave no number (CONFIG_SCHED_INFO). */
double cpu_wait_s(const struct cpu_wait *w);

/* Notes in the snapshot what had to be left out, and why. */
void cpu_wait_notes(const struct cpu_wait *w, struct snapshot *s);

/* NULL is fine. */
void cpu_wait_close(struct cpu_wait *w);

#endif
