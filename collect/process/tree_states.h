/*
 * tree_states: in which states the threads of a tree spend their time, and so the job and each of
 * its processes.
 *
 * A sample reads the schedstat of each thread anyway (tracked_process.c, cpu_wait.c). A thread
 * whose numbers stand still is in one wait, which is looked at once; another one is looked at only
 * if it was blocked at all. Between samples, those that switch are looked at, at irregular moments,
 * at most five times a second; and those in a young wait, until the samples alone tell its length
 * within a twentieth. Samples and looks together never take more than MOST_CPU of a core: before,
 * there are fewer looks.
 */
#ifndef COLLECT_PROCESS_TREE_STATES_H
#define COLLECT_PROCESS_TREE_STATES_H

#include "collect/process/cpu_wait.h"
#include "collect/process/process_table.h"
#include "collect/waits/wait_names.h"
#include "collect/waits/wait_slices.h"
#include "core/json/json_write.h"

#define TREE_STATES_RESTLESS 256

/* Accounts of the job's cgroup, since any time; NAN: unknown. As in struct wait_accounts. */
struct tree_states_cgroup {
	double throttled_s, cpu_full_s, io_full_s, memory_full_s;
};

/* {0}: not open. */
struct tree_states {
	const struct root *r;
	struct process_table *table; /* borrowed, as the next */
	struct cpu_wait *wait;
	struct wait_names *names;
	struct wait_slices slices;
	struct wait_sums sums;                    /* of all intervals */
	struct tree_states_cgroup cgroup, before; /* now, and at the last sample */
	int64_t at;                               /* of the last sample or look; 0: none */
	int64_t sampled_at, started_at;
	int64_t interval;  /* between the last two samples */
	int64_t next_look; /* INT64_MAX: none */
	double cpus;
	double run_s;    /* of this interval, of threads that were read */
	double cpu_s;    /* of the tree, at the last sample */
	double unseen_s; /* CPU time of no thread, until it is enough to count */
	bool known;      /* a thread's numbers could be read */
	uint64_t random;
	double stopped_s; /* in this interval, as tree_states_stopped() has it */
	bool all_stopped;
	struct {
		int place, pid, tid;
	} restless[TREE_STATES_RESTLESS];
	size_t n_restless, turn;
	int looks_left;   /* in this sample, or look */
	int64_t youngest; /* wait of those, ns */
	double now_s, boot_s,
	    tick_s; /* Unix time of the sample and of the boot; seconds of a tick */
};

/* 0, or -1 without memory. What is borrowed must live as long. */
int tree_states_open(struct tree_states *s, const struct root *r, struct process_table *table,
                     struct cpu_wait *wait);

/* The run began at this moment of CLOCK_MONOTONIC, before the first sample. Without it, the states
 * are those from the first sample on. */
void tree_states_start(struct tree_states *s, int64_t at);

/* A sample, in this order: begin; cpu_wait_read with visit; read; ended, of each process that has
 * left the table; close, with the CPU time of the tree since it was opened. at: CLOCK_MONOTONIC.
 * now_s, tick_s, boot_s: Unix time, seconds of a tick, Unix time of the boot. */
void tree_states_begin(struct tree_states *s, int64_t at, double now_s, double boot_s,
                       double tick_s);
void tree_states_visit(void *states, struct tracked_process *p, struct wait_thread *t, int tid,
                       const struct proc_pid_schedstat *now, enum cpu_wait_visit what);
void tree_states_read(struct tree_states *s);
void tree_states_ended(struct tree_states *s, int place);
void tree_states_close(struct tree_states *s, double cpu_s);

/* Nothing could be read for so long, because the root process was stopped; all: with all others. */
void tree_states_stopped(struct tree_states *s, double stopped_s, bool all);

/* Seconds of each state since it was opened, and those in which the busiest thread ran or could
 * have run; NAN: not measured. */
void tree_states_sums(const struct tree_states *s, double out[STATES_N], double *busiest_s);

/* Looks at threads that switch, if it is time (.next_look). Allocates nothing. */
void tree_states_look(struct tree_states *s, int64_t at);

/* Writes the member "states". Nothing if it was not measured. */
void tree_states_write(const struct tree_states *s, struct json_write *j);

void tree_states_free(struct tree_states *s);

#endif
