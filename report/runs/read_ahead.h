/*
 * read_ahead: a worker process that inflates the next file while this process parses the last one.
 *
 * Joining the parts of a job reads each of them whole (parts_join.h), and inflating is over 40 % of
 * that: of the 14 s of CPU that 1,000 parts of an hour take (1.4 GB of JSON), the worker does 6.
 * It only saves time: whatever it cannot give, the caller reads itself, so that sentences, caps
 * and budgets are those of one process.
 *
 * The content lies in memory that both processes share, so a worker that a hostile file has taken
 * over may change it at any time: it is worth no more than the file itself.
 */
#ifndef REPORT_RUNS_READ_AHEAD_H
#define REPORT_RUNS_READ_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "report/input/input.h"
#include "report/sandbox/worker.h"

#define READ_AHEAD_MAX ((size_t)4 << 20) /* inflated; larger files are not read ahead */

/* {0} is valid: no worker, nothing is read ahead. */
struct read_ahead {
	struct worker worker;
	char *content; /* two of READ_AHEAD_MAX: one is filled while the other is parsed */
	size_t turn;   /* which of them the last question was for */
	bool asked;    /* an answer is still to be taken */
};

/* Drops the rights that the worker does not need; runs in the worker. */
typedef void read_ahead_drop(const void *ctx);

/* Starts the worker before any file is read. Without one, *a is empty. */
void read_ahead_start(struct read_ahead *a, read_ahead_drop *drop, const void *ctx);

/* Has a file read: the one that read_ahead_take gives. Neither an address nor standard input is:
 * this process has them; nor is a recording behind another one in its file. a may be NULL. */
void read_ahead_ask(struct read_ahead *a, struct input in);

/* The content of the file that was asked for last, *n bytes, valid until the next one is taken.
 * NULL: the caller must read the file. a may be NULL. */
const char *read_ahead_take(struct read_ahead *a, size_t *n);

void read_ahead_stop(struct read_ahead *a);

#endif
