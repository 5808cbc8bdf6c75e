/*
 * children: the children of a process: from the kernel's lists, or, where it has none
 * (CONFIG_PROC_CHILDREN), by looking at the parent of every process there is.
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
	int *pids; /* the answer */
	struct children_pair *pairs;
	size_t n_pairs;
	int self, own_fd; /* our own list, or -1 */
	bool scans;
};

/* r must live as long. 0, or -1 without memory. */
int children_open(struct children *c, const struct root *r);

/* Before each reading of a tree. */
void children_begin(struct children *c);

/* Lists into c->pids the children of a process, of every thread of it; returns their number. */
size_t children_of(struct children *c, struct tracked_process *m);

/* The same of ourselves: the adopted, whom the kernel gives to our first thread. */
size_t children_own(struct children *c);

void children_close(struct children *c);

#endif
