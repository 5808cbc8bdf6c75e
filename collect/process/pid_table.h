/*
 * pid_table: the place of a process in a table of members, by its number. No two in it have the
 * same.
 */
#ifndef COLLECT_PROCESS_PID_TABLE_H
#define COLLECT_PROCESS_PID_TABLE_H

#include "collect/process/tracked_process.h"

#define PID_TABLE_CHAINS 4096

struct pid_table {
	int first[PID_TABLE_CHAINS]; /* place of a chain by member.next, or -1 */
};

void pid_table_init(struct pid_table *p);

/* Its place, or -1. */
int pid_table_find(const struct pid_table *p, const struct tracked_process *members, int pid);

void pid_table_add(struct pid_table *p, struct tracked_process *members, int place);

/* One that is not in it is fine. */
void pid_table_remove(struct pid_table *p, struct tracked_process *members, int place);

#endif
