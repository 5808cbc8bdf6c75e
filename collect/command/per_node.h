/*
 * per_node: one recording of all tasks of a node (--per-node).
 *
 * A launcher (srun, mpirun, torchrun) starts a job's tasks on a node from one daemon there, and
 * gives each its number on that node, its local rank, in an environment variable. The task with
 * local rank 0 records the descendants of the daemon; the others become their command at once.
 */
#ifndef COLLECT_COMMAND_PER_NODE_H
#define COLLECT_COMMAND_PER_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/procfs/root.h"
#include "core/base/err.h"

/* {0}: no launcher. */
struct per_node {
	int daemon;           /* pid of the launcher's daemon on this node */
	int task;             /* our own task of it: this process, or one of its ancestors */
	const char *variable; /* that its tasks have; NULL: its tasks are all its children */
	char *text;           /* scratch: the environment of a process */
	int *pids;            /* scratch: children of the daemon */
};

/* Whether a launcher gave this process a local rank other than 0. */
bool per_node_is_other(void);

/* Finds the launcher's daemon: the nearest ancestor that does not have the variable of our local
 * rank itself. Returns 0, also without a launcher (p->daemon is 0 then), or -1 with a sentence if
 * the daemon cannot be seen. */
int per_node_find(struct per_node *p, const struct root *r, struct err *e);

/* Takes a running process as the daemon. 0, or -1 without memory. */
int per_node_of(struct per_node *p, int daemon);

/* Whether we are the task, not started by a script that is. Then the other tasks began when we did,
 * and none of them waits for what this task does after us. */
bool per_node_is_task(const struct per_node *p);

/* A task of the daemon other than our own that still runs; 0: none. */
int per_node_next(const struct per_node *p, const struct root *r);

/* Whether the process has not ended yet, not even as a zombie. */
bool per_node_runs(const struct root *r, int pid);

/* Whether it is a task: its environment has the variable; *rank gets the number, NAN if it is not
 * one. False also if its environment may not be read. */
bool per_node_rank(const struct per_node *p, const struct root *r, int pid, double *rank);

/* Our own number; NAN without a launcher. */
double per_node_own_rank(const struct per_node *p);

/* The daemon's children, tasks or not: how many, at most 4096, and each until each() returns other
 * than 0. */
size_t per_node_children(const struct per_node *p, const struct root *r);
void per_node_each_child(const struct per_node *p, const struct root *r,
                         int (*each)(void *ctx, int pid), void *ctx);

void per_node_close(struct per_node *p);

#endif
