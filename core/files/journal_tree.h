/*
 * journal_tree: the processes that a journal has, as a tree (core/processes/process_tree.h).
 */
#ifndef CORE_FILES_JOURNAL_TREE_H
#define CORE_FILES_JOURNAL_TREE_H

#include "core/base/buf.h"
#include "core/recording/snapshot.h"

#define JOURNAL_TREE_MAX ((size_t)64 << 20) /* bytes of all entries: .max of the buf */

/* The bytes of entries in the n bytes of cells of a record of processes; n is at least 8, and they
 * begin at cells + 8. Pure. */
size_t journal_tree_bytes(const unsigned char *cells, size_t n);

/* Appends the entries (process_entry.h) of the cells of a record, at least 8 bytes, without those
 * of the processes now. If entries are damaged, those before the damage count. */
void journal_tree_add(struct buf *entries, const unsigned char *cells, size_t n);

/* Sets s->tree from all entries; NULL if there is none. 0, or -1 with a sentence. */
int journal_tree_make(struct snapshot *s, const struct buf *entries, struct err *e);

#endif
