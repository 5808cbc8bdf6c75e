/*
 * cpu_wait: how long the threads of a tree waited for a CPU (the second number of schedstat,
 * the kernel's Documentation/scheduler/sched-stats.rst).
 *
 * The kernel keeps the number for each thread and drops it with the thread, and it grows only when
 * the wait is over. What is summed here is what was seen, so it is a lower bound: it never counts a
 * wait twice, and of a process older than the recording only what comes after the first sight.
 *
 * tracked_process.c reads the first thread of a process that has one thread, at no cost, since it
 * needs the
 * file anyway. The threads of other processes are listed and read here if the process used CPU time
 * since; so many per reading and no more, the next ones at the next reading.
 */
#ifndef COLLECT_PROCESS_CPU_WAIT_H
#define COLLECT_PROCESS_CPU_WAIT_H

#include <stddef.h>
#include <stdint.h>

#include "collect/process/tracked_process.h"
#include "collect/procfs/root.h"
#include "core/snapshot.h"

#define CPU_WAIT_THREADS                                                                           \
	4096              /* that are known at one time, the first ones of processes left out      \
	                   */
#define CPU_WAIT_READ 128 /* threads per reading at most */

struct cpu_wait;

/* NULL where there is no memory. */
struct cpu_wait *cpu_wait_open(void);

/* Adds what the members waited since the last reading. order: n places of members, which keep their
 * places; at: CLOCK_MONOTONIC, ns. Allocates nothing. */
void cpu_wait_read(struct cpu_wait *w, const struct root *r, struct tracked_process *members,
                   const int *order, size_t n, int64_t at);

/* Seconds, of all readings; NAN as long as the kernel told of no thread (CONFIG_SCHED_INFO). */
double cpu_wait_s(const struct cpu_wait *w);

/* Notes in the snapshot what had to be left out, and why. */
void cpu_wait_notes(const struct cpu_wait *w, struct snapshot *s);

/* NULL is fine. */
void cpu_wait_close(struct cpu_wait *w);

#endif
