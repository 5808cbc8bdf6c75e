/*
 * recover: turns the journal of a killed recording, or the pieces of it in an object store, into a
 * snapshot.
 */
#ifndef COLLECT_RECOVER_H
#define COLLECT_RECOVER_H

#include <stddef.h>

#include "collect/collect_options.h"
#include "collect/output/snapshot_file.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/numbers/metric.h"

/* Reads the journal, writes the snapshot to output, and removes the journal. output NULL: the
 * journal's name up to ".partial", which must not exist. *rows: number of samples; *o: the name of
 * the snapshot. If a part of the journal is damaged, *lost gets a sentence and the journal is kept.
 * Returns 0, or -1 with a sentence and an unchanged journal. */
int recover(const char *journal, const char *output, enum schema schema, struct snapshot_file *o,
            size_t *rows, struct err *lost, struct err *e);

/* Whether --recover or its --output names an object in a store. */
bool recover_remote_is_asked(const struct collect_options *o);

/* Downloads the pieces of the key, if the journal is not a file; recovers the journal; uploads the
 * snapshot, which deletes the pieces; removes the local files. *where: what has the snapshot.
 * *lost: as above. -1 with a sentence, which names the files that stay. */
int recover_remote(const struct collect_options *o, struct buf *where, size_t *rows,
                   struct err *lost, struct err *e);

#endif
