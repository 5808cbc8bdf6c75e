/*
 * watch_terminal: the terminal as a screen and a keyboard.
 *
 * The screen is the alternate one (xterm's ?1049), so what was in the terminal comes back. Ctrl-C,
 * Ctrl-\, SIGTERM and SIGHUP only end watch_terminal_wait; Ctrl-Z leaves the screen and stops the
 * process as ever.
 */
#ifndef REPORT_WATCH_WATCH_TERMINAL_H
#define REPORT_WATCH_WATCH_TERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/watch/watch_screen.h"

/* {0} is valid: closed. */
struct watch_terminal {
	bool is_open, has_keys;
	struct termios before;
	int signals;   /* signalfd(2) */
	sigset_t mask; /* as it was */
};

/* Takes standard output, and standard input where that is a terminal too. -1 with a sentence. */
int watch_terminal_open(struct watch_terminal *t, struct err *e);

struct watch_size watch_terminal_size(void);

/* Shows these lines. False: the terminal is gone. */
bool watch_terminal_draw(const struct buf *lines);

#define WATCH_TERMINAL_END (-1)

/* Waits at most so long. Returns a key, 0 where there is none (also when the size has changed), or
 * WATCH_TERMINAL_END after a signal. */
int watch_terminal_wait(struct watch_terminal *t, double s);

/* Leaves the screen as it was. */
void watch_terminal_close(struct watch_terminal *t);

#endif
