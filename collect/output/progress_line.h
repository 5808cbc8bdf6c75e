/*
 * progress_line: one line on the terminal of standard error that says what the job uses.
 *
 *   12 min 3 s  3.8 of 4 cores  6.1 of 8 GiB  read 120 MiB/s  waits for the disk 40%  phase: align
 *
 * It is rewritten in place, and erased before any other message and at the end. Beside a command it
 * is the title of the terminal's window instead: what the command prints goes straight to the
 * terminal, so that a line would end up behind its unfinished one, or below its next. xterm and
 * those like it keep the title from before on a stack.
 *
 * It never delays or stops anybody: the terminal is opened once more, so that only our own
 * descriptor is non-blocking, and what it does not take is dropped. Nothing is written where
 * standard error is no terminal, or one that can erase nothing (TERM=dumb), nor while we are in its
 * background.
 */
#ifndef COLLECT_OUTPUT_PROGRESS_LINE_H
#define COLLECT_OUTPUT_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>

#define PROGRESS_LINE_MAX 512 /* bytes; wider terminals are not filled */

/* Constants of a recording. NAN: unknown, or no limit. */
struct progress_line_of {
	bool job; /* the columns of the job; else those of the machine */
	double cpus, memory_b;
};

struct progress_line_now {
	double elapsed_s;  /* since the start */
	const double *row; /* METRIC_COUNT cells, in base units; NAN: not measured */
	double lasted_s;   /* the time of the row */
	const char *phase; /* NULL: none */
};

/* Makes the text: ASCII, at most width columns. What does not fit is left out; of a phase, its end.
 * Returns its length. Pure. */
size_t progress_line_text(const struct progress_line_of *of, const struct progress_line_now *now,
                          size_t width, char out[PROGRESS_LINE_MAX]);

/* {.fd = -1}: nothing is ever written. */
struct progress_line {
	int fd; /* of the terminal, opened for us alone */
	bool title, shown;
	char bytes[PROGRESS_LINE_MAX + 32]; /* the last line, with its controls … */
	size_t n, done;                     /* … and how many of them were taken */
};

/* Opens the terminal of a descriptor; title: others write there. The caller must have blocked
 * SIGTTOU. */
void progress_line_open(struct progress_line *p, int fd, bool title);

/* Shows the line, if the terminal can take it now. Allocates nothing, and never blocks. */
void progress_line_show(struct progress_line *p, const struct progress_line_of *of,
                        const struct progress_line_now *now);

/* Erases the line; the next progress_line_show shows it again. */
void progress_line_clear(struct progress_line *p);

/* Erases the line, and shows none from now on. */
void progress_line_close(struct progress_line *p);

#endif
