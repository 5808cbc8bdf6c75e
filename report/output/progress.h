/*
 * progress: one line on a terminal that says how far something long is.
 *
 *   reading: 1,234 of 10,000 recordings, 2,100/s, 4 s left
 *
 * It is shown once anything has taken over a second, is rewritten in place, and disappears at the
 * end. Nothing is written where the descriptor is not a terminal, or one that can
 * erase nothing (TERM=dumb).
 */
#ifndef REPORT_OUTPUT_PROGRESS_H
#define REPORT_OUTPUT_PROGRESS_H

#include <stdbool.h>

#include "core/base/buf.h"

#define PROGRESS_AFTER_S 1.0 /* until it is shown */
#define PROGRESS_EVERY_S 0.2 /* between two changes */

/* {.fd = -1} is valid: nothing is ever written. */
struct progress {
	int fd;
	bool is_terminal, shown;
	const char *label; /* "reading"; ASCII, as is the unit */
	const char *unit;  /* what is counted: "recordings"; NULL: bytes */
	double began;      /* monotonic seconds */
	/* At the last change: */
	double at, done, rate; /* rate: of late, per second; 0: unknown */
};

/* Appends the line. of and rate: 0: unknown. Pure. */
void progress_text(const char *label, const char *unit, double done, double of, double rate,
                   struct buf *out);

/* Begins. label and unit are borrowed. */
void progress_begin(struct progress *p, int fd, const char *label, const char *unit);

/* Call as often as you like. */
void progress_show(struct progress *p, double done, double of);

/* The same, at a time, in monotonic seconds. */
void progress_show_at(struct progress *p, double done, double of, double now);

/* Removes the line: at the end, and before any other message. The next change shows it again. */
void progress_clear(struct progress *p);

#endif
