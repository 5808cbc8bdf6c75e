/*
 * suspend: stops rtrack-collect when the command is stopped (by a terminal, another process or
 * itself), so that its parent sees what it would see of the command: a shell takes its terminal
 * back.
 *
 * A stopped process cannot see that its child continues. So while rtrack-collect is stopped, a
 * small process, the watcher, polls the command's state. It continues rtrack-collect when somebody
 * who does not know of rtrack-collect has continued the command, or when the command has ended. The
 * watcher has its own session and dies with rtrack-collect.
 */
#ifndef COLLECT_COMMAND_SUSPEND_H
#define COLLECT_COMMAND_SUSPEND_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/command/signals.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

/* Valid when zero: nothing was stopped. */
struct suspend {
	int by;         /* the signal that stopped the command; 0: it runs */
	bool group;     /* a terminal's signal that was passed on stopped its whole group */
	bool following; /* rtrack-collect stopped too, and has not read the SIGCONT yet */
	int watcher;    /* process ID of the last watcher */
	int64_t since;  /* ns: start of the current stop */
	int64_t total;  /* ns: duration of all earlier stops */
	unsigned times; /* number of stops */
	bool followed;  /* rtrack-collect was stopped at least once */
};

/* Checks whether the command, a child, has been stopped or continued. If it has been stopped, stops
 * rtrack-collect as well. Call it after all pending signals were handled. Returns true after a stop
 * that has ended. */
bool suspend_follow(struct suspend *s, const struct root *r, int pid);

/* Handles a SIGCONT that rtrack-collect got. Returns true if it ended a common stop: then the
 * command is continued as well, unless it runs already. */
bool suspend_continue(struct suspend *s, int pid, const struct signalfd_siginfo *info);

/* At the end: notes how long the command was stopped. */
void suspend_notes(const struct suspend *s, struct snapshot *out);

#endif
