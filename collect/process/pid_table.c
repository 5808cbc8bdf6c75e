/* pid_table: finds the place of a process by its pid. */
#include "collect/process/pid_table.h"

void pid_table_init(struct pid_table *t)
{
	for (int i = 0; i < PID_TABLE_CHAINS; i++)
		t->first[i] = -1;
}

int pid_table_find(const struct pid_table *t, const struct tracked_process *processes, int pid)
{
	int at = t->first[(unsigned)pid % PID_TABLE_CHAINS];

	while (at >= 0 && processes[at].pid != pid)
		at = processes[at].next;
	return at;
}

void pid_table_add(struct pid_table *t, struct tracked_process *processes, int place)
{
	int *first = &t->first[(unsigned)processes[place].pid % PID_TABLE_CHAINS];

	processes[place].next = *first;
	*first = place;
}

void pid_table_remove(struct pid_table *t, struct tracked_process *processes, int place)
{
	int *at = &t->first[(unsigned)processes[place].pid % PID_TABLE_CHAINS];

	while (*at >= 0 && *at != place)
		at = &processes[*at].next;
	if (*at == place)
		*at = processes[place].next;
}
