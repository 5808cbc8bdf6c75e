/*
 * signals: receives the signals of rtrack-collect and decides which of them the command gets.
 *
 * When there is a command, every signal that can be blocked is blocked and read from a signalfd(2),
 * including the two that the C library reserves (32 and 33). A fault of rtrack-collect itself
 * (SIGSEGV, SIGBUS …) still kills it: the kernel unblocks such a signal.
 */
#ifndef COLLECT_COMMAND_SIGNALS_H
#define COLLECT_COMMAND_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

#include "collect/procfs/root.h"
#include "core/base/err.h"

struct signals {
	int fd;        /* a signalfd; -1: not open */
	sigset_t mask; /* the original mask */
	bool ignored_chld;
};

/* Blocks signals and opens a descriptor to read them from: all signals if there is a command, else
 * only those that end a recording. Returns 0, or -1 with a sentence. */
int signals_open(struct signals *s, bool command, struct err *e);

/* Takes the next pending signal. Returns false if there is none. */
bool signals_next(const struct signals *s, struct signalfd_siginfo *out);

/* Restores the original mask and dispositions, in the child before exec. */
void signals_restore(const struct signals *s);

void signals_close(struct signals *s);

/* The receiver of a signal that is passed on. */
enum signals_route {
	SIGNALS_NOBODY,  /* it concerns rtrack-collect only, or has reached the command already */
	SIGNALS_COMMAND, /* the command's process */
	SIGNALS_GROUP    /* from a terminal: the process group that the command leads */
};

/* The receiver of a signal that rtrack-collect got. pid: the command's process. */
enum signals_route signals_route(const struct root *r, int pid,
                                 const struct signalfd_siginfo *info);

/* Sends the signal on, with the payload and the original sender if sigqueue(3) sent it. */
void signals_send(int pid, enum signals_route route, const struct signalfd_siginfo *info);

#endif
