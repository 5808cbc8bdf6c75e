/*
 * node_tasks: how the tasks of a node ended (--per-node).
 *
 * The tasks are children of the launcher's daemon, and the kernel gives their status to the daemon
 * alone. We learn it from the kernel's events (proc_events.h); where there are none it is unknown.
 */
#ifndef COLLECT_COMMAND_NODE_TASKS_H
#define COLLECT_COMMAND_NODE_TASKS_H

#include "collect/command/per_node.h"
#include "collect/events/proc_events.h"
#include "core/base/err.h"
#include "core/recording/snapshot.h"

#define NODE_TASKS_MAX 4096 /* further ones are counted as unknown */

struct node_task {
	int pid, status; /* as of wait(2); of one that ended */
	double rank;     /* on this node; NAN: unknown */
	bool ended;
	unsigned order; /* 1: the first that failed; 0: did not fail */
};

/* .events.fd -1: the kernel sends no events. */
struct node_tasks {
	struct per_node *of; /* borrowed; NULL: not in use */
	const struct root *root;
	struct proc_events events;
	struct err silent;      /* why the kernel sends no events; empty: it does */
	struct node_task *task; /* NODE_TASKS_MAX */
	size_t n;
	double expected;                   /* tasks on this node, as the launcher has it */
	double succeeded, failed, skipped; /* children of the daemon of --pid; no room for a task */
	unsigned failures;
	struct node_task first; /* the first that failed, from node_tasks_finish on; .pid 0: none */
};

/* Subscribes to the ends of the daemon's children, and looks which of them are tasks. 0, also
 * without events; -1 without memory. */
int node_tasks_open(struct node_tasks *t, struct per_node *p, const struct root *r, double expected,
                    struct err *e);

/* Adds the command, our child, which stands for the task that records. */
void node_tasks_add_command(struct node_tasks *t, int pid);

/* At each sample: reads the events that have come, and looks for tasks that the daemon has started
 * since, unless all are known. */
void node_tasks_look(struct node_tasks *t);

/* To poll for POLLIN, for node_tasks_read; -1: none. The children of the process of --pid may be
 * thousands a second: their events are read at each sample alone. */
int node_tasks_fd(const struct node_tasks *t);

/* Reads the events that have come. */
void node_tasks_read(struct node_tasks *t);

/* Waits a moment for the events of tasks that have ended, and says how all of them ended. command:
 * its pid, and its status as of wait(2); 0: none was started. */
struct snapshot_tasks node_tasks_finish(struct node_tasks *t, int command, int status);

/* Says in the snapshot why ends are unknown. s->tasks is set. */
void node_tasks_notes(const struct node_tasks *t, struct snapshot *s);

void node_tasks_close(struct node_tasks *t);

#endif
