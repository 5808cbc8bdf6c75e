/*
 * recover: makes a snapshot of the journal that a killed recording left.
 */
#ifndef COLLECT_RECOVER_H
#define COLLECT_RECOVER_H

#include <stddef.h>

#include "collect/snapshot_file.h"
#include "core/err.h"
#include "core/metric.h"

/* Reads the journal, writes the snapshot to output (NULL: the journal's name without .partial,
 * which must be free), and removes the journal then. Where some of it is damaged *lost gets a
 * sentence, and the journal stays. *rows gets the number of its samples; *o tells where it is. 0,
 * or -1 with a sentence, and then the journal is as it was. */
int recover(const char *journal, const char *output, enum schema schema, struct snapshot_file *o,
            size_t *rows, struct err *lost, struct err *e);

#endif
