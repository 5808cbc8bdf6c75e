/*
 * process_spill: ended processes on their way into the journal, the short ones of many as sums.
 */
#ifndef COLLECT_EVENTS_PROCESS_SPILL_H
#define COLLECT_EVENTS_PROCESS_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/events/living.h"
#include "collect/process/top_processes.h"
#include "collect/process/tree.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/files/journal.h"
#include "core/json/json_write.h"
#include "core/processes/process_entry.h"
#include "core/processes/process_tree_entries.h"

#define PROCESS_SPILL_BATCH 8192 /* bytes */

/* Holds one record of entries (process_entry.h), and the sums of names and parents. */
struct process_spill {
	struct journal *journal; /* borrowed; NULL: none */
	bool failed;             /* it takes no more … */
	struct err stopped;      /* … and why */
	unsigned char batch[PROCESS_SPILL_BATCH];
	size_t n;
	struct buf text;              /* a command line, redacted … */
	struct top_process text_of;   /* … as it was */
	struct process_entry *groups; /* of kind PROCESS_ENTRY_GROUP */
	size_t n_groups;
	uint32_t
	    in_class[PROCESS_TREE_ENTRIES_CLASSES]; /* ended processes by how long they lived */
	uint32_t ended;
	unsigned least; /* the lowest class that is kept */
};

/* p must be all zero. 0, or -1 without memory. */
int process_spill_open(struct process_spill *p);

/* Puts a process of the table, which lives or has just ended, or an entry of any kind but a
 * group. */
void process_spill_living(struct process_spill *s, const struct living *p,
                          enum process_entry_kind kind, double end_s);
void process_spill_put(struct process_spill *p, const struct process_entry *e);

/* The same of one that has ended: as an entry or in a sum. Removes it from the table. */
void process_spill_let_go(struct process_spill *s, struct living_table *t, struct living *p,
                          double end_s);

/* Writes the record that is not full. */
void process_spill_flush(struct process_spill *p);

/* The samples of processes, and the start of the recording (Unix time). */
struct process_spill_samples {
	const struct tree *tree;
	double start;
};

/* Writes the sums too, and then rtrack.tree: with n, source, why, kernel and refused of said, where
 * the journal took all. Nothing without a journal. 0, or -1 with a sentence. */
int process_spill_write(struct process_spill *p, struct json_write *j,
                        const struct process_spill_samples *samples,
                        const struct process_tree_rows *said, struct err *e);

void process_spill_close(struct process_spill *p);

#endif
