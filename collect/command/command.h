/*
 * command: starts the command, follows its stops, passes signals to it, and reaps it.
 *
 * The command runs as if rtrack-collect were not its parent: in the same process group, session and
 * terminal, with the signal mask, dispositions and file limit that rtrack-collect was given, and
 * without any of its file descriptors.
 */
#ifndef COLLECT_COMMAND_COMMAND_H
#define COLLECT_COMMAND_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "collect/cgroup/cgroup_own.h"
#include "collect/command/signals.h"
#include "collect/command/suspend.h"
#include "collect/process/cpu_accounting.h"
#include "collect/procfs/fd_limit.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"

/* Exit statuses that are not the command's own, as env(1), nohup(1) and timeout(1) use them. */
#define COMMAND_NOT_STARTED  125 /* rtrack-collect failed before it started the command */
#define COMMAND_NOT_RUNNABLE 126 /* the command was found, but cannot be executed */
#define COMMAND_NOT_FOUND    127

struct command {
	int pid;         /* 0: none */
	int go, failure; /* pipes: one byte starts the command; its exec errno comes back */
	int orphans;     /* errno if orphans of the command cannot be adopted, or 0 */
	int self_io;     /* /proc/self/io, which counts reaped children; -1: cannot be read */
	bool ended;      /* but not reaped yet */
	const struct root *root;
	struct suspend suspend;
};

/* Replaces this process by the command, searching PATH as a shell does. Returns only on failure,
 * with an errno. ENOENT: it was not found (also if a directory of PATH may not be searched).
 * EACCES: only files that may not be executed were found. ENOEXEC: it is neither a program for this
 * machine nor a text. */
int command_exec(char *const *argv);

/* The status for the errno of command_exec(). */
int command_status_of(int errnum);

/* Says why a command cannot be executed: "NAME: command not found" for a name that PATH was
 * searched for; the interpreter of a script, or the loader of a program, if that is what is not
 * there; else strerror(errnum). Always returns -1. */
int command_explain(const char *name, int errnum, struct err *e);

/* Forks into the command's own cgroup (own may be NULL for none). The child waits for
 * command_start(), with the file limit as saved in files. Returns 0, or -1 with a sentence. */
int command_fork(struct command *c, const struct root *r, char *const *argv,
                 const struct signals *s, const struct fd_limit *files, struct cgroup_own *own,
                 struct err *e);

/* Lets the child execute the command. SIGPIPE must be ignored or blocked. Returns 0 once the
 * command runs. Returns the errno of command_exec() if it cannot run; the child has been reaped
 * then. */
int command_start(struct command *c);

/* Ends a child that was forked but not started. */
void command_cancel(struct command *c);

/* Passes a signal that rtrack-collect got on to the command, unless signals_route() says that it is
 * not for the command or has reached it already. A SIGCONT that ends a common stop is passed on
 * only if the command does not run yet. A signal that kill(2) sends to the whole process group
 * looks the same as one sent to rtrack-collect alone, so it reaches the command twice. */
void command_signal(struct command *c, const struct signalfd_siginfo *info);

/* If the command has been stopped, stops rtrack-collect as well. Call it after all pending signals
 * were handled, SIGCHLD too. Returns true after a stop that has ended. */
bool command_follow_stop(struct command *c);

/* The usage of a reaped process and all descendants that it waited for. */
struct command_end {
	int pid, status;              /* as from wait(2) */
	int session;                  /* in which it ended; -1: unknown */
	char name[PROC_PID_COMM_MAX]; /* at its end, where a signal ended it; "": unknown */
	struct rusage usage;
	double total[CPU_ACCOUNTING_COUNT]; /* seconds and storage bytes */
};

/* Reaps one ended child, adopted ones included, but not the command: its end only sets c->ended.
 * Returns 1 with *out filled, 0 if no child has ended, -1 if there are no children. */
int command_reap(struct command *c, struct command_end *out);

/* Reaps the command after its end. Returns 0 or -1. */
int command_reap_command(struct command *c, struct command_end *out);

void command_close(struct command *c);

/* For a run without a recording, because there is too little memory for one or too few files may be
 * open: everything that a program inherits and that setting up a recording changes. */
struct command_before {
	sigset_t mask;
	struct sigaction child; /* SIGCHLD: the only action that is changed (signals_open) */
	struct rlimit files;
	const char *mark; /* $RTRACK_MARK of an enclosing recording; NULL: none */
};

/* Saves the state of the process. Call it before run(). */
void command_save(struct command_before *b);

/* Restores the saved state and replaces this process by the command. Returns only on failure: the
 * status to exit with, and a sentence. */
int command_run_unrecorded(const struct command_before *b, char *const *command, struct err *e);

#endif
