/*
 * recover_remote: makes a snapshot of the pieces of a recording in an object store, and uploads it.
 */
#ifndef COLLECT_RECOVER_REMOTE_H
#define COLLECT_RECOVER_REMOTE_H

#include <stddef.h>

#include "collect/collect_options.h"
#include "core/base/buf.h"
#include "core/base/err.h"

/* Whether --recover or its --output names an object in a store. */
bool recover_remote_is_asked(const struct collect_options *o);

/* Of the options of --recover. -1 with a sentence. */
int recover_remote_check(const struct collect_options *o, struct err *e);

/* Downloads the pieces of the key, if the journal is not a file; recovers the journal; uploads the
 * snapshot, which deletes the pieces; removes the local files. *where: what has the snapshot.
 * *lost: as in recover.h. -1 with a sentence, which names the files that stay. */
int recover_remote(const struct collect_options *o, struct buf *where, size_t *rows,
                   struct err *lost, struct err *e);

#endif
