/*
 * pid_table: finds the place of a process by its pid. A hash table whose chains run through
 * tracked_process.next, so it needs no memory of its own. No two entries have the same pid.
 */
#ifndef COLLECT_PROCESS_PID_TABLE_H
#define COLLECT_PROCESS_PID_TABLE_H

#include "collect/process/tracked_process.h"

#define PID_TABLE_CHAINS 4096

struct pid_table {
	int first[PID_TABLE_CHAINS]; /* the first place of each chain, or -1 */
};

void pid_table_init(struct pid_table *t);

/* The place, or -1. */
int pid_table_find(const struct pid_table *t, const struct tracked_process *processes, int pid);

void pid_table_add(struct pid_table *t, struct tracked_process *processes, int place);

/* Does nothing if the place is not in the table. */
void pid_table_remove(struct pid_table *t, struct tracked_process *processes, int place);

#endif
