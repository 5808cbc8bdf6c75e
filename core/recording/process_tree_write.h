/*
 * process_tree_write: rtrack.tree, as JSON (docs/snapshot.md).
 */
#ifndef CORE_RECORDING_PROCESS_TREE_WRITE_H
#define CORE_RECORDING_PROCESS_TREE_WRITE_H

#include "core/recording/process_tree.h"

/* Writes the member "tree" into an open object. 0, or -1 with a sentence. */
int process_tree_write(struct json_write *j, const struct process_tree_rows *rows, struct err *e);

#endif
