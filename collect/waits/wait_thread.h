/*
 * wait_thread: what one thread did between two readings of its schedstat. Pure.
 *
 * Its time on a CPU and its time waiting for one are exact; the rest it was blocked. If neither the
 * first nor the switches grew, it was in one wait all the time, which one look tells exactly. Else
 * half of the blocked time counts as the wait before, and half as the one after: over many
 * readings, that is where it was.
 */
#ifndef COLLECT_WAITS_WAIT_THREAD_H
#define COLLECT_WAITS_WAIT_THREAD_H

#include "collect/procfs/proc_pid.h"
#include "collect/waits/wait_look.h"
#include "collect/waits/wait_slices.h"

/* {0}: not read yet. */
struct wait_thread {
	int64_t at;    /* CLOCK_MONOTONIC of the last reading, ns; 0: none */
	int64_t since; /* of the first reading in this wait */
	struct proc_pid_schedstat last;
	uint64_t n_switches;  /* as wait_look() has it */
	uint64_t ahead_ns;    /* that it waited for a CPU: counted before the kernel does */
	unsigned char state;  /* what it waited for then: enum wait_look_more too */
	unsigned char before; /* the last state in which it was seen blocked; STATES_N: none */
	unsigned char ran;    /* readings since then that saw it run, or ready to */
	bool futex;           /* the last lock that it was seen in was a futex */
	bool switches;        /* it was blocked, in several waits, since the last reading */
	short name;           /* of .state, by wait_names.h; -1: none */
	short before_name;    /* of .before */
	bool has_s;           /* .s is not all 0 */
	float s[STATES_N];    /* seconds in this interval, for the sums of its process */
	float parked_s;       /* the same: parked, and not in .s */
};

/* Whether it was in one wait since the last reading. */
bool wait_thread_is_same(const struct wait_thread *t, const struct proc_pid_schedstat *now);

/* Whether a look is needed to know what it did. */
bool wait_thread_needs_look(const struct wait_thread *t, const struct proc_pid_schedstat *now);

/* The seconds of a share in which it was parked: in a futex, in waits that are long on average. The
 * share loses them. slices: how often it was put on a CPU in that time. */
double wait_thread_parked(const struct wait_thread *t, uint64_t slices, struct wait_share *share);

/* Gives a share the seconds in which its thread was stopped, at the expense of its waits. */
void wait_thread_stopped(double stopped_s, struct wait_share *share);

/* Takes a reading at a moment, with what a look saw: the state of t where none was needed. *share
 * gets what it did since the last one. A first reading covers the time since begin (0: not known
 * when it began), and counts from what it had then. */
void wait_thread_take(struct wait_thread *t, const struct proc_pid_schedstat *now, int64_t at,
                      int64_t begin, unsigned char state, struct wait_share *share);

#endif
