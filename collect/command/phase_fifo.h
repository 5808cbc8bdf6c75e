/*
 * phase_fifo: how the job tells which phase it is in: a FIFO (fifo(7)) that takes a line a mark.
 *
 * The job finds its path in $RTRACK_MARK. A line of at most PIPE_BUF bytes is written whole, so
 * many processes may mark at once.
 */
#ifndef COLLECT_COMMAND_PHASE_FIFO_H
#define COLLECT_COMMAND_PHASE_FIFO_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

#define PHASE_FIFO_VARIABLE "RTRACK_MARK"

struct phase_fifo {
	int fd;              /* of the FIFO, not blocking; -1: there is none */
	char path[PATH_MAX]; /* absolute */
	char line[1024];     /* what came without a newline yet */
	size_t n;
	bool too_long; /* the line that comes is passed over */
};

/* Makes the FIFO in the folder of the output, or in the working directory where that folder's name
 * has a %, after those that killed collectors left there were removed, with mode 0600, and puts its
 * path into our environment, which the command inherits. -1 with a sentence; ->fd is -1 then, and
 * the other functions do nothing. */
int phase_fifo_open(struct phase_fifo *f, const char *output, struct err *e);

/* Hands over every whole line that has come, without its newline. Never blocks. */
typedef void (*phase_fifo_line)(void *ctx, const char *line, size_t n);
void phase_fifo_read(struct phase_fifo *f, phase_fifo_line each, void *ctx);

/* Removes the FIFO. */
void phase_fifo_close(struct phase_fifo *f);

/* Removes from the folder of the file (one that may not be there yet) the FIFOs of our name and
 * user whose collector lives no more; at most 64 at once. */
void phase_fifo_sweep(const char *file);

/* Sends a mark (rtrack-collect --mark NAME). 0 as well where nobody records, for a script runs with
 * and without us; -1 with a sentence for a name that is none, or where the recording is gone. Never
 * blocks. */
int phase_fifo_send(const char *name, struct err *e);

#endif
