/*
 * output: the name of the snapshot, and how it comes to stand there.
 *
 * The snapshot is written to a file of mode 0600 beside it (made anew, no link is followed),
 * synced, and renamed: it is never half there, and a link of its name is replaced, not followed.
 */
#ifndef COLLECT_OUTPUT_H
#define COLLECT_OUTPUT_H

#include <limits.h>
#include <time.h>

#include "../core/err.h"
#include "../core/metric.h"
#include "../core/snapshot.h"

struct output {
	char path[PATH_MAX];
	char journal[PATH_MAX]; /* set by output_journal */
};

/* Puts host, pid and UTC time (20261121T065151Z) for %h, %p, %t into the pattern, and % for %%.
 * Bytes of host other than letters, digits, '.' and '-' become '_'; it is cut at 64 bytes. 0, or -1
 * with a sentence. */
int output_name(struct output *o, const char *pattern, const char *host, long pid, time_t now,
                struct err *e);

/* Whether the file can be made there: the directory is there and writable, and what has the name,
 * if anything, is a regular file or a link. 0, or -1 with a sentence. */
int output_check(const struct output *o, struct err *e);

/* Chooses the journal's name: PATH.partial, or PATH.partial.2 to .9 where the ones before exist
 * (left by a recording that did not come to its end, or by one that runs). 0, or -1 with a
 * sentence. */
int output_journal(struct output *o, struct err *e);

/* Writes the snapshot. 0, or -1 with a sentence, and then nothing has changed at PATH. */
int output_write(const struct output *o, struct snapshot *s, const struct snapshot_source *rows,
                 struct err *e);

#endif
