/*
 * journal_follow: reads a journal as far as it is there, and later what has come since.
 *
 *	struct journal_follow *f = journal_follow_open(fd, &e);
 *	…
 *	while (journal_follow_read(f, &take, &e) == 0)
 *		sleep(1);
 *
 * It keeps no rows, so its memory does not grow. A record that is not whole yet is read the next
 * time; one that is damaged is passed over once another one stands behind it.
 */
#ifndef CORE_FILES_JOURNAL_FOLLOW_H
#define CORE_FILES_JOURNAL_FOLLOW_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/numbers/metric.h"
#include "core/numbers/phases.h"
#include "core/processes/process_entry.h"
#include "core/recording/snapshot.h"

struct journal_follow; /* opaque */

/* The functions that take what is read, in the order of the file; ctx is passed on. NULL: it is
 * passed over. */
struct journal_follow_takes {
	/* A sample: METRIC_COUNT cells in base units, NAN where it has none. */
	void (*row)(void *ctx, const double *row, bool early);
	/* The processes now (PROCESS_ENTRY_NOW): all of them; n may be 0. */
	void (*now)(void *ctx, const struct process_entry *v, size_t n);
	/* An entry of the tree of processes. */
	void (*process)(void *ctx, const struct process_entry *one);
	void *ctx;
};

#define JOURNAL_FOLLOW_NOW_MAX 16 /* processes of one record */

/* Reads the header. The descriptor is borrowed. NULL with a sentence that does not name the file,
 * also where the header is not whole yet. */
struct journal_follow *journal_follow_open(int fd, struct err *e);

/* Reads all records that have come. 0, or -1 with a sentence after a read error. */
int journal_follow_read(struct journal_follow *f, const struct journal_follow_takes *takes,
                        struct err *e);

/* The head of the snapshot, without rows, as the header has it. */
const struct snapshot *journal_follow_head(const struct journal_follow *f);

/* The phases so far. */
const struct phases *journal_follow_phases(const struct journal_follow *f);

void journal_follow_close(struct journal_follow *f); /* NULL is fine */

#endif
