/*
 * children: the children of a process, from the kernel's lists (task/TID/children). Where the
 * kernel has none (CONFIG_PROC_CHILDREN), each reading scans /proc for the parent of every
 * process.
 */
#ifndef COLLECT_PROCESS_CHILDREN_H
#define COLLECT_PROCESS_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/process/tracked_process.h"
#include "collect/procfs/root.h"

struct children_pair;

/* {0}: not open. */
struct children {
	const struct root *r;
	int *pids;                   /* the answer of the last call */
	struct children_pair *pairs; /* pid and parent of every process, where .scans */
	size_t n_pairs;
	int self, own_fd; /* our pid; our own list, or -1 */
	bool scans;       /* the kernel has no lists */
};

/* r must live as long. 0, or -1 without memory. */
int children_open(struct children *c, const struct root *r);

/* Call this before each reading of a tree. */
void children_begin(struct children *c);

/* Lists the children of all threads of a process in c->pids; returns their number. */
size_t children_of(struct children *c, struct tracked_process *p);

/* The same for the collector itself. Orphans that it adopts are in the list of its first thread:
 * that is where the kernel puts them. */
size_t children_own(struct children *c);

void children_close(struct children *c);

#endif
