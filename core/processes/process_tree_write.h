/*
 * process_tree_write: rtrack.tree, as JSON (docs/snapshot.md).
 */
#ifndef CORE_PROCESSES_PROCESS_TREE_WRITE_H
#define CORE_PROCESSES_PROCESS_TREE_WRITE_H

#include "core/processes/process_tree.h"

/* Writes the member "tree" into an open object. 0, or -1 with a sentence. */
int process_tree_write(struct json_write *j, const struct process_tree_rows *rows, struct err *e);

#endif
