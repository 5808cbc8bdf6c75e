/*
 * process_states: adds what the threads of each process did in an interval to the sums of the
 * process: of several threads as wait_slices.h does for the job.
 */
#ifndef COLLECT_PROCESS_PROCESS_STATES_H
#define COLLECT_PROCESS_PROCESS_STATES_H

#include "collect/process/cpu_wait.h"
#include "collect/process/process_table.h"
#include "collect/waits/wait_slices.h"
#include "collect/waits/wait_thread.h"

/* Takes the sums of the threads, and empties them. length_s: of the interval. */
void process_states_add(struct process_table *table, struct cpu_wait *wait, double length_s);

/* Takes the time out of a share in which its thread was parked, and another thread of the process
 * may have done something. slices: how often it was put on a CPU in that time. */
void process_states_park(struct wait_slices *w, struct tracked_process *p, struct wait_thread *t,
                         uint64_t slices, struct wait_share *share);

/* A process whose threads were all parked, and did nothing else, waits for a lock: adds that before
 * an interval is closed and its sums are taken. */
void process_states_add_locked(struct process_table *table, struct wait_slices *w, int64_t from,
                               int64_t to);

#endif
