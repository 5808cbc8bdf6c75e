/*
 * command: the command: how it starts, what becomes of its signals, how it ends.
 *
 * It runs as if its parent were not there: in our process group and session, on our terminal, with
 * the signal mask and dispositions that we were given, with no descriptor of ours.
 */
#ifndef COLLECT_COMMAND_COMMAND_H
#define COLLECT_COMMAND_COMMAND_H

#include <stdbool.h>
#include <sys/resource.h>

#include "collect/cgroup/cgroup_own.h"
#include "collect/command/signals.h"
#include "collect/command/suspend.h"
#include "collect/process/cpu_accounting.h"
#include "collect/procfs/fd_limit.h"
#include "collect/procfs/root.h"
#include "core/err.h"

struct command {
	int pid;         /* 0: none */
	int go, failure; /* pipes: one byte starts it; an errno comes back where it cannot be run */
	int orphans;     /* errno where we may not adopt the command's orphans, or 0 */
	int self_io;     /* /proc/self/io, for what children leave to us; -1: cannot be read */
	bool ended;      /* and not reaped yet */
	const struct root *root;
	struct suspend suspend;
};

/* Replaces this process by the command, searching PATH as a shell does. Returns only on failure, with
 * an errno. ENOENT: it was not found (also where a directory of PATH may not be searched). EACCES:
 * only files that may not be executed were found. ENOEXEC: it is neither a program for this machine
 * nor a text. */
int command_exec(char *const *argv);

/* Forks, into the cgroup of our own (own may be NULL); the child waits. files: what it has again
 * when it runs. 0, or -1 with a sentence. */
int command_fork(struct command *c, const struct root *r, char *const *argv,
                 const struct signals *s, const struct fd_limit *files, struct cgroup_own *own,
                 struct err *e);

/* Lets it run. SIGPIPE must be ignored or blocked. 0 once it does, or an errno where it cannot, and
 * then it has been reaped. */
int command_start(struct command *c);

/* Ends a child that was forked and not started. */
void command_cancel(struct command *c);

/* Passes a signal that came to us on to the command, unless it is our own or the command has got it
 * as well: a terminal sends to the whole group, and so may a process of the command's. What another
 * kill(2) sends to the whole group cannot be told from what it sends to us alone, and arrives
 * twice. SIGCONT that wakes us from a stop of both is passed on only where the command is not awake
 * yet. */
void command_signal(struct command *c, const struct signalfd_siginfo *info);

/* To be called when the signals that have come were dealt with, SIGCHLD too: where the command has
 * been stopped, we stop as well. True where we did, and were continued. */
bool command_follow_stop(struct command *c);

/* What a process that we reaped has used: rusage, and the storage bytes. */
struct command_end {
	int pid, status; /* of wait(2) */
	struct rusage usage;
	double total[CPU_ACCOUNTING_COUNT];
};

/* Reaps a child of ours that has ended, adopted ones too, but not the command, whose end sets
 * c->ended. 1: *out is filled; 0: none has ended now; -1: there are no children. */
int command_reap(struct command *c, struct command_end *out);

/* Reaps the command, which has ended. 0, or -1. */
int command_reap_command(struct command *c, struct command_end *out);

void command_close(struct command *c);

#endif
