/*
 * pids: the place of a process in a table of members, by its number. No two in it have the same.
 */
#ifndef COLLECT_PIDS_H
#define COLLECT_PIDS_H

#include "member.h"

#define PIDS_CHAINS 4096

struct pids {
	int first[PIDS_CHAINS]; /* place of a chain by member.next, or -1 */
};

void pids_init(struct pids *p);

/* Its place, or -1. */
int pids_find(const struct pids *p, const struct member *members, int pid);

void pids_add(struct pids *p, struct member *members, int place);

/* One that is not in it is fine. */
void pids_remove(struct pids *p, struct member *members, int place);

#endif
