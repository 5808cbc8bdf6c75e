/* pids: the place of a process in a table of members, by its number. */
#include "pids.h"

void pids_init(struct pids *p)
{
	for (int i = 0; i < PIDS_CHAINS; i++)
		p->first[i] = -1;
}

int pids_find(const struct pids *p, const struct member *members, int pid)
{
	int at = p->first[(unsigned)pid % PIDS_CHAINS];

	while (at >= 0 && members[at].pid != pid)
		at = members[at].next;
	return at;
}

void pids_add(struct pids *p, struct member *members, int place)
{
	int *first = &p->first[(unsigned)members[place].pid % PIDS_CHAINS];

	members[place].next = *first;
	*first = place;
}

void pids_remove(struct pids *p, struct member *members, int place)
{
	int *at = &p->first[(unsigned)members[place].pid % PIDS_CHAINS];

	while (*at >= 0 && *at != place)
		at = &members[*at].next;
	if (*at == place)
		*at = members[place].next;
}
