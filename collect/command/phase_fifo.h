/*
 * phase_fifo: the FIFO (fifo(7)) through which a job marks its phases, one line per mark.
 *
 * The job finds the path of the FIFO in $RTRACK_MARK. With --pid, who knows our PID finds it: it is
 * .rtrack-mark-PID in the folder of the output. Writes of at most PIPE_BUF bytes are atomic, so
 * many processes may write marks at once.
 */
#ifndef COLLECT_COMMAND_PHASE_FIFO_H
#define COLLECT_COMMAND_PHASE_FIFO_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

#define PHASE_FIFO_VARIABLE "RTRACK_MARK"

struct phase_fifo {
	int fd;              /* non-blocking; -1: no FIFO */
	char path[PATH_MAX]; /* absolute */
	char line[1024];     /* the beginning of an incomplete line */
	size_t n;
	bool too_long; /* the incomplete line is skipped */
};

/* Creates the FIFO, with mode 0600, in the folder of the output file, or in the working directory
 * if that folder's name contains "%", and sets RTRACK_MARK in our own environment, which the
 * command inherits. Returns 0, or -1 with a sentence; then fd is -1, and the functions below do
 * nothing. */
int phase_fifo_open(struct phase_fifo *f, const char *output, struct err *e);

/* Calls each for every complete line that has arrived, without its newline. Never blocks. */
typedef void (*phase_fifo_line)(void *ctx, const char *line, size_t n);
void phase_fifo_read(struct phase_fifo *f, phase_fifo_line each, void *ctx);

/* Removes the FIFO. */
void phase_fifo_close(struct phase_fifo *f);

/* Removes FIFOs that killed recordings of this user left in the folder of a file (which need not
 * exist), at most 64 per call. */
void phase_fifo_sweep(const char *file);

/* Sends a mark (rtrack-collect --mark NAME). Returns 0 also if RTRACK_MARK is not set, so that a
 * script may run without a recording. Returns -1 with a sentence if the name is invalid or the
 * recording has ended. Never blocks. */
int phase_fifo_send(const char *name, struct err *e);

#endif
