/*
 * child: the command: how it starts, what becomes of its signals, how it ends.
 *
 * It runs as if its parent were not there: in our process group and session, on our terminal, with
 * the signal mask and dispositions that we were given, with no descriptor of ours.
 */
#ifndef COLLECT_CHILD_H
#define COLLECT_CHILD_H

#include <stdbool.h>
#include <sys/resource.h>

#include "../core/err.h"
#include "cgroup_own.h"
#include "descriptors.h"
#include "ledger.h"
#include "root.h"
#include "signals.h"
#include "suspend.h"

struct child {
	int pid;         /* 0: none */
	int go, failure; /* pipes: one byte starts it; an errno comes back where it cannot be run */
	int orphans;     /* errno where we may not adopt the command's orphans, or 0 */
	int self_io;     /* /proc/self/io, for what children leave to us; -1: cannot be read */
	bool ended;      /* and not reaped yet */
	const struct root *root;
	struct suspend suspend;
};

/* Forks, into the cgroup of our own (own may be NULL); the child waits. files: what it has again
 * when it runs. 0, or -1 with a sentence. */
int child_fork(struct child *c, const struct root *r, char *const *argv, const struct signals *s,
               const struct descriptors *files, struct cgroup_own *own, struct err *e);

/* Lets it run. SIGPIPE must be ignored or blocked. 0 once it does, or an errno where it cannot, and
 * then it has been reaped. */
int child_start(struct child *c);

/* Ends a child that was forked and not started. */
void child_cancel(struct child *c);

/* Passes a signal that came to us on to the command, unless it is our own or the command has got it
 * as well: a terminal sends to the whole group, and so may a process of the command's. What another
 * kill(2) sends to the whole group cannot be told from what it sends to us alone, and arrives
 * twice. SIGCONT that wakes us from a stop of both is passed on only where the command is not awake
 * yet. */
void child_signal(struct child *c, const struct signalfd_siginfo *info);

/* To be called when the signals that have come were dealt with, SIGCHLD too: where the command has
 * been stopped, we stop as well. True where we did, and were continued. */
bool child_follow_stop(struct child *c);

/* What a process that we reaped has used: rusage, and the storage bytes. */
struct child_end {
	int pid, status; /* of wait(2) */
	struct rusage usage;
	double total[LEDGER_COUNT];
};

/* Reaps a child of ours that has ended, adopted ones too, but not the command, whose end sets
 * c->ended. 1: *out is filled; 0: none has ended now; -1: there are no children. */
int child_reap(struct child *c, struct child_end *out);

/* Reaps the command, which has ended. 0, or -1. */
int child_reap_command(struct child *c, struct child_end *out);

void child_close(struct child *c);

#endif
