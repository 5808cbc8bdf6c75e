/*
 * wait_slices: the state of a job in an interval, from those of its threads. Pure.
 *
 * Of each thread it is known for how long it was in which state, not always when. An interval is
 * cut into slices where the threads were looked at, so that this is known in parts. In a slice, the
 * share in which at least one thread is in a state or in one that comes before it in the table, is
 * at least the largest share of a thread, and at most their sum; its value is that of threads that
 * do not wait for each other: 1 less the product of (1 less a share). The differences of these
 * shares from state to state are the job's states.
 *
 * What no thread explains was used by processes that no reading saw: their CPU time is known. The
 * rest goes to what threads did last that ended in the slice, or to "unknown".
 *
 * A parked thread sits in a futex for long, as idle ones of a pool do: that says nothing of the job
 * while another thread does anything else. So it has only the time that nobody else explains.
 */
#ifndef COLLECT_WAITS_WAIT_SLICES_H
#define COLLECT_WAITS_WAIT_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/recording/states.h"

#define WAIT_SLICES_MAX 32

/* The time of a thread from one moment to another (ns): seconds of each state, together no more
 * than the time between. In the rest it waited for a child, or did not exist. */
struct wait_share {
	int64_t from, to;
	double s[STATES_N];
	bool sampled; /* some of it is by looks */
};

struct wait_slice {
	int64_t to;
	double none[STATES_N]; /* Π (1 − share) of this state and those before */
	double most[STATES_N], least[STATES_N];
	double own[STATES_N]; /* sum of the shares of this state alone */
	unsigned char
	    whole; /* the first state in which a thread was all the time; STATES_N: none */
	unsigned char ghost; /* of threads that ended in it, the first of their last states */
	double parked;       /* the largest share of a parked thread */
	double sampled;      /* the largest share of a thread by looks */
};

struct wait_slices {
	int64_t from;
	size_t n;
	struct wait_slice v[WAIT_SLICES_MAX];
};

/* Seconds. */
struct wait_sums {
	double value[STATES_N], least[STATES_N], most[STATES_N];
	double busiest; /* that one thread, in each slice the busiest, ran or could have run */
	double exact, sampled, bound; /* of the time that is known so: not of "unknown" */
	double ghost[STATES_N];       /* of an interval alone: by threads that ended in it */
	double ahead_s;               /* of storage, in the last interval, beyond its pressure */
};

/* Seconds of an interval that the kernel's accounts of the whole job have; NAN: unknown. */
struct wait_accounts {
	double unseen_cpu_s; /* CPU time of no thread that was read */
	double cpu_s;        /* of all */
	double cpus;         /* how many may run at a time */
	double throttled_s;  /* by a quota, summed over CPUs */
	/* Pressure of the job's own cgroup: some task that could run has no CPU and none has; all
	 * wait for storage; for memory. */
	double cpu_full_s, io_full_s, memory_full_s;
};

/* Begins an interval. */
void wait_slices_start(struct wait_slices *w, int64_t from);

/* Ends a slice, before what threads did up to now is added. The last cut ends the interval. */
void wait_slices_cut(struct wait_slices *w, int64_t now);

void wait_slices_add(struct wait_slices *w, const struct wait_share *share);

/* A thread ended between the two moments, and was in this state before. */
void wait_slices_ghost(struct wait_slices *w, int64_t from, int64_t to, enum states_id state);

/* A thread was parked for s seconds between the two moments. */
void wait_slices_park(struct wait_slices *w, int64_t from, int64_t to, double s);

/* Adds the interval to the sums. */
void wait_slices_close(struct wait_slices *w, const struct wait_accounts *a,
                       struct wait_sums *sums);

#endif
