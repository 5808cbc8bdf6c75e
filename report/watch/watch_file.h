/*
 * watch_file: the bytes of a journal that grows: a file, or its pieces in an object store, which
 * are put together in a temporary file as they come.
 */
#ifndef REPORT_WATCH_WATCH_FILE_H
#define REPORT_WATCH_WATCH_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/recording/snapshot.h"
#include "report/input/input.h"
#include "report/store/store.h"

/* {.fd = -1} is valid: closed. */
struct watch_file {
	int fd; /* to be read by journal_follow */
	struct input in;
	const struct store *store; /* borrowed; NULL: a file */
	uint64_t have;             /* bytes of pieces that are in fd */
	double modified;           /* of the newest piece, Unix seconds */
	bool gone;                 /* no pieces are left */
};

/* Opens a journal by its path, or the address of its pieces' folder; in.name is borrowed. -1 with a
 * sentence. Close it either way. */
int watch_file_open(struct watch_file *f, const struct store *s, struct input in, struct err *e);

/* Fetches the pieces that have come since. 0, also for a file; -1 with a sentence. */
int watch_file_grow(struct watch_file *f, struct err *e);

/* Whether it is still being written. head: what its header says. */
bool watch_file_runs(const struct watch_file *f, const struct snapshot *head);

void watch_file_close(struct watch_file *f);

#endif
