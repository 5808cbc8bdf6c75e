/*
 * process_tree_entries: the rows of a process tree from the entries of a journal, of which the
 * longest processes are kept, in memory that does not grow with their texts.
 */
#ifndef CORE_PROCESSES_PROCESS_TREE_ENTRIES_H
#define CORE_PROCESSES_PROCESS_TREE_ENTRIES_H

#include "core/processes/process_entry.h"
#include "core/processes/process_tree.h"

/* Where entries come from, again and again. next: the entry after *at (0: the first), and moves
 * *at; 1, 0 at the end, or -1 with a sentence. */
struct process_tree_entries {
	int (*next)(void *ctx, size_t at[2], struct process_entry *out, struct err *e);
	void *ctx;
};

struct process_tree_index; /* opaque */

/* Chooses the rows. NULL with a sentence. The source must stay, and be the same. */
struct process_tree_index *process_tree_entries_open(const struct process_tree_entries *from,
                                                     struct err *e);

/* Valid until the index is closed. */
struct process_tree_rows process_tree_entries_rows(struct process_tree_index *x);

void process_tree_entries_close(struct process_tree_index *x);

/* How long a process lived, as a class: equal or longer lives have an equal or higher one.
 * end_s NAN: the highest. */
#define PROCESS_TREE_ENTRIES_CLASSES 512
unsigned process_tree_entries_class(double start_s, double end_s);

/* The lowest class from which on at most max processes are, of so many in each class. */
unsigned process_tree_entries_least(const uint32_t in_class[PROCESS_TREE_ENTRIES_CLASSES],
                                    size_t max);

#endif
