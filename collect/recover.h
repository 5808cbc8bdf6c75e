/*
 * recover: turns the journal of a killed recording into a snapshot.
 */
#ifndef COLLECT_RECOVER_H
#define COLLECT_RECOVER_H

#include <stddef.h>

#include "collect/output/snapshot_file.h"
#include "core/base/err.h"
#include "core/numbers/metric.h"

/* Reads the journal, writes the snapshot to output, and removes the journal. output NULL: the
 * journal's name up to ".partial", which must not exist. *rows: number of samples; *o: the name of
 * the snapshot. If a part of the journal is damaged, *lost gets a sentence and the journal is kept.
 * Returns 0, or -1 with a sentence and an unchanged journal. */
int recover(const char *journal, const char *output, enum schema schema, struct snapshot_file *o,
            size_t *rows, struct err *lost, struct err *e);

#endif
