/*
 * signals: the signals that rtrack-collect gets, and which of them it passes on to the command.
 *
 * With a command, every signal that can be blocked is blocked and read from a descriptor, the two
 * that the C library keeps for itself (32 and 33) included. A fault of our own (SIGSEGV, SIGBUS …)
 * still kills us: the kernel unblocks the signal of a fault.
 */
#ifndef COLLECT_COMMAND_SIGNALS_H
#define COLLECT_COMMAND_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

#include "collect/procfs/root.h"
#include "core/err.h"

struct signals {
	int fd;        /* a signalfd; -1: not open */
	sigset_t mask; /* as we were given it */
	bool ignored_chld;
};

/* Blocks signals, and opens a descriptor to read them from. command: all of them; else those that
 * end a recording. 0, or -1 with a sentence. */
int signals_open(struct signals *s, bool command, struct err *e);

/* Takes the next signal. False where there is none. */
bool signals_next(const struct signals *s, struct signalfd_siginfo *out);

/* In the command's process, before exec(2): the mask and dispositions that we were given. */
void signals_restore(const struct signals *s);

void signals_close(struct signals *s);

/* To whom a signal goes on. */
enum signals_route {
	SIGNALS_NOBODY,  /* it is our own, or the command has got it as well */
	SIGNALS_COMMAND, /* the command's process */
	SIGNALS_GROUP    /* a terminal's: the process group that the command leads, not ours */
};

/* Where a signal that came to us goes. pid: the command's process. */
enum signals_route signals_route(const struct root *r, int pid,
                                 const struct signalfd_siginfo *info);

/* Sends it on, with its payload and original sender where it was queued with one (sigqueue(3)). */
void signals_send(int pid, enum signals_route route, const struct signalfd_siginfo *info);

#endif
