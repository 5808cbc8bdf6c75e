/*
 * recover: --recover, snapshots of the journals of killed recordings.
 */
#ifndef COLLECT_OUTPUT_RECOVER_H
#define COLLECT_OUTPUT_RECOVER_H

#include <stddef.h>

#include "collect/output/snapshot_file.h"
#include "core/base/err.h"
#include "core/numbers/metric.h"

/* Reads the journal, writes the snapshot to output, and removes the journal. output NULL: the
 * journal's name up to ".partial", which must not exist. *rows: number of samples; *o: the name of
 * the snapshot. If a part of the journal is damaged, *lost gets a sentence and the journal is kept.
 * Returns 0, or -1 with a sentence and an unchanged journal; RECOVER_NO_SAMPLE is as -1, for a
 * journal without a complete sample. */
#define RECOVER_NO_SAMPLE (-2)
int recover(const char *journal, const char *output, enum schema schema, struct snapshot_file *o,
            size_t *rows, struct err *lost, struct err *e);

/* Brings what is in the folders of a spool (job_file.h) to the files of their jobs below dir: ended
 * recordings, and snapshots of journals that nobody writes any more. As root, for all users, with
 * the rights of each; else for the own user. Recordings that run are left. say: a sentence about
 * each that cannot be brought, and about each user for whom it took more than five minutes; also
 * called in child processes. Returns 0, with *n, or -1 with a sentence. */
struct recover_counts {
	size_t brought, left;
	size_t unfinished; /* users of whom more may be left */
};
int recover_spool(const char *spool, const char *dir, enum schema schema,
                  void (*say)(const char *sentence), struct recover_counts *n, struct err *e);

#endif
