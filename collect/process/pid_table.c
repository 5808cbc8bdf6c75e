/* pid_table: the place of a process in a table of members, by its number. */
#include "collect/process/pid_table.h"

void pid_table_init(struct pid_table *p)
{
	for (int i = 0; i < PID_TABLE_CHAINS; i++)
		p->first[i] = -1;
}

int pid_table_find(const struct pid_table *p, const struct tracked_process *members, int pid)
{
	int at = p->first[(unsigned)pid % PID_TABLE_CHAINS];

	while (at >= 0 && members[at].pid != pid)
		at = members[at].next;
	return at;
}

void pid_table_add(struct pid_table *p, struct tracked_process *members, int place)
{
	int *first = &p->first[(unsigned)members[place].pid % PID_TABLE_CHAINS];

	members[place].next = *first;
	*first = place;
}

void pid_table_remove(struct pid_table *p, struct tracked_process *members, int place)
{
	int *at = &p->first[(unsigned)members[place].pid % PID_TABLE_CHAINS];

	while (*at >= 0 && *at != place)
		at = &members[*at].next;
	if (*at == place)
		*at = members[place].next;
}
