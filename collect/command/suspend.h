/*
 * suspend: a command that is stopped, by a terminal, by another process or by itself, and we with
 * it, so that our parent sees the same as it would of the command: a shell takes its terminal back.
 *
 * A process that is stopped cannot see that its child goes on. So while we are stopped a process of
 * ours, the watcher, looks at the command, and continues us when it has been continued by somebody
 * who did not know of us, or has ended. It has a session of its own and ends when we do.
 */
#ifndef COLLECT_COMMAND_SUSPEND_H
#define COLLECT_COMMAND_SUSPEND_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/command/signals.h"
#include "collect/procfs/root.h"
#include "core/snapshot.h"

/* Valid when zero: nothing was stopped. */
struct suspend {
	int by;         /* the signal that stopped the command; 0: it runs */
	bool group;     /* its whole group was stopped, by a terminal's signal that we passed on */
	bool following; /* we stopped with it, and the SIGCONT that woke us has not come yet */
	int watcher;    /* the last watcher's process ID */
	int64_t since;  /* ns: when the command was last seen to be stopped */
	int64_t total;  /* ns: how long it was stopped, up to since */
	unsigned times; /* how often */
	bool followed;  /* we were stopped with it at least once */
};

/* Looks whether the command, a child of ours, has been stopped or continued. Where it has been
 * stopped we stop as well. To be called once the signals that have come were dealt with. True where
 * we were stopped, and go on now. */
bool suspend_follow(struct suspend *s, const struct root *r, int pid);

/* A SIGCONT that came to us. True where it is dealt with: it woke us from a stop together with the
 * command, which is continued unless it has been. */
bool suspend_continue(struct suspend *s, int pid, const struct signalfd_siginfo *info);

/* At the end: says how long the command was stopped. */
void suspend_notes(const struct suspend *s, struct snapshot *out);

#endif
