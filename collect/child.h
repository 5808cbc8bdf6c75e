/*
 * child: the command: how it starts, which signals reach it, how it ends.
 *
 * It runs as if its parent were not there: in our process group and session, on our terminal, with
 * the signal mask and dispositions that we were given, with no descriptor of ours.
 */
#ifndef COLLECT_CHILD_H
#define COLLECT_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include "../core/err.h"
#include "cgroup_own.h"
#include "descriptors.h"
#include "ledger.h"
#include "root.h"

/* -- signals ---------------------------------------------------------------------------------- */

struct child_signals {
	int fd;        /* a signalfd; -1: not open */
	sigset_t mask; /* as we were given it */
	bool ignored_chld;
};

/* Blocks the signals that concern us, and opens a descriptor to read them from. command: all that
 * are passed on, and SIGCHLD; else those that end a recording. 0, or -1 with a sentence. */
int child_signals_open(struct child_signals *s, bool command, struct err *e);

/* Takes the next signal. False where there is none. */
bool child_signals_next(const struct child_signals *s, struct signalfd_siginfo *out);

void child_signals_close(struct child_signals *s);

/* -- the command ------------------------------------------------------------------------------ */

struct child {
	int pid;         /* 0: none */
	int go, failure; /* pipes: one byte starts it; an errno comes back where it cannot be run */
	int orphans;     /* errno where we may not adopt the command's orphans, or 0 */
	int self_io;     /* /proc/self/io, for what children leave to us; -1: cannot be read */
	bool ended;      /* and not reaped yet */
	const struct root *root;
	bool terminal_stop; /* the terminal sent SIGTSTP to the group */
	bool followed;      /* we stopped with it, and were not continued yet */
	int stopped_by;     /* the signal that stopped it, until it is continued; 0: none */
};

/* Forks, into the cgroup of our own (own may be NULL); the child waits. files: what it has again
 * when it runs. 0, or -1 with a sentence. */
int child_fork(struct child *c, const struct root *r, char *const *argv,
               const struct child_signals *s, const struct descriptors *files,
               struct cgroup_own *own, struct err *e);

/* Lets it run. SIGPIPE must be ignored. 0 once it does, or an errno where it cannot, and then it
 * has been reaped. */
int child_start(struct child *c);

/* Ends a child that was forked and not started. */
void child_cancel(struct child *c);

/* Deals with a signal other than SIGCHLD that came to us: passes it on to the command unless the
 * command has got it as well: the terminal sends to the whole group, and so does a process of the
 * command's that sends to us. What another kill(2) sends to the whole group cannot be told from
 * what it sends to us alone, and arrives twice. SIGCONT that wakes us from a stop of both is passed
 * on only where the command is not awake yet. */
void child_signal(struct child *c, const struct root *r, const struct signalfd_siginfo *info);

/* To be called when the signals that have come were dealt with, SIGCHLD too: where a terminal's job
 * control has stopped the command we stop as well, so that the shell sees it, until we are
 * continued. */
void child_follow_stop(struct child *c);

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
