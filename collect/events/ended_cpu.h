/*
 * ended_cpu: the CPU time of a process that has ended.
 *
 * It is in the files of its zombie. When its parent has reaped it already, it is in how much what
 * the parent inherited has grown, if that was by this process alone; else it is not known. Both are
 * in whole ticks of 10 ms, user and system time by themselves, so a value may be 0.02 s too small
 * or too large; that of a zombie which had one thread is exact.
 */
#ifndef COLLECT_EVENTS_ENDED_CPU_H
#define COLLECT_EVENTS_ENDED_CPU_H

#include "collect/events/living.h"
#include "collect/events/proc_events.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"

/* Where ended processes are looked for. */
struct ended_cpu {
	struct living_table *table;
	struct proc_events *events; /* those that come next; not of a machine's copy */
	const struct root *r;
	double tick_s;
};

/* Sets p->cpu_s and .cpu_exact, if it can be found, and what its parent inherited. own: its stat,
 * read just now; NULL: it is gone. To be called once for each process that ends, in their order. */
void ended_cpu_find(const struct ended_cpu *c, struct living *p, const struct proc_pid_stat *own);

/* The CPU time of a zombie, without its children; own: its stat, read just now. */
double ended_cpu_zombie(const struct root *r, const struct proc_pid_stat *own, double tick_s);

/* The end of a process was not looked at: what its parent inherits is not known until the next. */
void ended_cpu_miss(struct living_table *t, struct living *p);

/* CPU time that p inherited, so far as is known; NAN: it is not. */
double ended_cpu_inherited(const struct living_table *t, const struct living *p);

#endif
