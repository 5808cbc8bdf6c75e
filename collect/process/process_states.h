/*
 * process_states: adds what the threads of each process did in an interval to the sums of the
 * process: of several threads as wait_slices.h does for the job.
 */
#ifndef COLLECT_PROCESS_PROCESS_STATES_H
#define COLLECT_PROCESS_PROCESS_STATES_H

#include "collect/process/cpu_wait.h"
#include "collect/process/process_table.h"

/* Takes the sums of the threads, and empties them. length_s: of the interval. */
void process_states_add(struct process_table *table, struct cpu_wait *wait, double length_s);

#endif
