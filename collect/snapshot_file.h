/*
 * snapshot_file: the name of the snapshot, and how it comes to stand there.
 *
 * The snapshot is written to a new file of mode 0600 beside it, synced, and renamed. So it is never
 * half there, and a link of its name is replaced, not followed: in a folder where all may write,
 * the link may be another user's. A link to a device, a FIFO or a directory, and all of /dev, are
 * refused.
 */
#ifndef COLLECT_SNAPSHOT_FILE_H
#define COLLECT_SNAPSHOT_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <time.h>

#include "core/err.h"
#include "core/journal.h"
#include "core/metric.h"
#include "core/snapshot.h"

struct snapshot_file {
	char path[PATH_MAX];
	char journal[PATH_MAX]; /* set by snapshot_file_journal */
	bool keep;              /* what has the name is not to be replaced */
};

/* Puts host, pid and UTC time (20261121T065151Z) for %h, %p, %t into the pattern, and % for %%.
 * Bytes of host other than letters, digits, '.' and '-' become '_'; it is cut at 64 bytes. 0, or -1
 * with a sentence. */
int snapshot_file_name(struct snapshot_file *o, const char *pattern, const char *host, long pid,
                       time_t now, struct err *e);

/* Whether the file can be made there: the directory is there and writable, and what has the name,
 * if anything, may be replaced. 0, or -1 with a sentence. */
int snapshot_file_check(const struct snapshot_file *o, struct err *e);

/* Creates the journal: PATH.partial, or where that name is taken (by a recording that runs, or that
 * was killed) the first that is free of PATH.partial.2 to .100, and then of random numbers. NULL
 * with a sentence, and errno. */
struct journal *snapshot_file_journal(struct snapshot_file *o, struct snapshot *s, struct err *e);

/* Whether the CSV that fd writes is another file than the snapshot and its journals. csv is the
 * name that fd was opened by, NULL for standard output. 0, or -1 with a sentence. */
int snapshot_file_apart(const struct snapshot_file *o, const char *csv, int fd, struct err *e);

/* Writes the snapshot. 0, or -1 with a sentence, and then nothing has changed at PATH. */
int snapshot_file_write(const struct snapshot_file *o, struct snapshot *s,
                        const struct snapshot_source *rows, struct err *e);

#endif
