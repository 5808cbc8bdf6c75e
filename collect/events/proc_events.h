/*
 * proc_events: forks, execs and ends of processes from the kernel, with the wait status (the proc
 * connector, netlink(7), cn_proc.h).
 *
 * Any user may listen since Linux 6.6, but only in the first namespaces of users, processes and
 * network. Where the kernel sends nothing, no error says so: a subscription counts as working only
 * after its acknowledgement and the event of a child of our own.
 *
 * A filter in the kernel passes the ends of the children of two processes only (proc_events_open),
 * so that the forks of the rest of the machine cost the recorder nothing; or the forks, execs and
 * ends of all processes, but of no threads (proc_events_open_all): the kernel cannot tell which
 * process is of the job.
 */
#ifndef COLLECT_EVENTS_PROC_EVENTS_H
#define COLLECT_EVENTS_PROC_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define PROC_EVENTS_RATE    2000 /* events a second; more than that for … */
#define PROC_EVENTS_SECONDS 5    /* … so many seconds end the subscription */

enum proc_event_kind {
	PROC_EVENT_OTHER,
	PROC_EVENT_ACK,
	PROC_EVENT_FORK,
	PROC_EVENT_EXEC,
	PROC_EVENT_END
};

/* The end of a thread. A process has ended with its last thread; the status of the process is that
 * of its first thread (tid == pid), or that of another one which ended later and is not 0. Of a
 * fork, pid is the child. */
struct proc_event {
	enum proc_event_kind kind;
	uint64_t at; /* CLOCK_MONOTONIC, ns */
	int pid, tid;
	int parent;       /* of an end: process that reaps it; 0: it has already */
	int status;       /* as of wait(2), without the bit of the core dump */
	uint32_t request; /* PROC_EVENT_ACK: number of the request */
	uint32_t err;     /* PROC_EVENT_ACK: errno, 0 for success */
};

/* Reads one message of the socket. Pure. A message that is too short, or of another kind, is
 * PROC_EVENT_OTHER. */
struct proc_event proc_events_parse(const void *message, size_t n);

/* How often events came: a window of one second, and how many in a row were too full. */
struct proc_events_rate {
	uint64_t window;
	unsigned n, full;
};

/* Counts an event. True once there were more than PROC_EVENTS_RATE in each of PROC_EVENTS_SECONDS
 * seconds in a row. Pure. */
bool proc_events_too_many(struct proc_events_rate *r, uint64_t at);

#define PROC_EVENTS_BATCH   32  /* messages that are received at once */
#define PROC_EVENTS_MESSAGE 128 /* bytes; the kernel's have 76 */

struct proc_events {
	int fd; /* to poll for POLLIN; -1: no subscription */
	char messages[PROC_EVENTS_BATCH][PROC_EVENTS_MESSAGE];
	unsigned lengths[PROC_EVENTS_BATCH]; /* 0: of no kernel's message */
	int n, next;                         /* messages received, and the next to be looked at */
	struct proc_events_rate rate;
	bool lost; /* the kernel dropped events: they came faster than they were read */
	bool ended_early;
};

/* Subscribes to the ends of the children of parent, and of our own. 0, or -1 with the reason, and
 * .fd is -1. Takes some milliseconds at most: forks a child that ends at once. */
int proc_events_open(struct proc_events *p, int parent, struct err *e);

/* The same for forks, execs and ends of all processes of the machine. */
int proc_events_open_all(struct proc_events *p, struct err *e);

/* The same for the ends of our own children, and all ends by a signal on the machine. */
int proc_events_open_deaths(struct proc_events *p, struct err *e);

/* The same for the ends of all processes of the machine, in two steps: the first takes some
 * microseconds, and loses nothing that comes after it; only the second says whether the kernel
 * reports at all, and closes p if it does not. Until then there may be events of other kinds. */
int proc_events_begin_ends(struct proc_events *p, struct err *e);
int proc_events_prove_ends(struct proc_events *p, struct err *e);

/* The next event, of kind PROC_EVENT_FORK, _EXEC or _END. False: none is there now. */
bool proc_events_next(struct proc_events *p, struct proc_event *out);

/* Whether the end of a process is among those that were received and are still to come from
 * proc_events_next(). */
bool proc_events_have_end(const struct proc_events *p, int pid);

/* Whether a child of a process may have ended whose event was not looked at yet. */
bool proc_events_have_child_end(struct proc_events *p, int parent);

/* Waits until there may be an event, at most so long. */
void proc_events_wait(const struct proc_events *p, int ms);

void proc_events_close(struct proc_events *p);

#endif
