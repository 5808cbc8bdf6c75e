/*
 * process_spill: ended processes on their way into the journal, the short ones of many as sums.
 *
 * Holds one record of entries (process_entry.h), and the sums of names and parents. All memory is
 * part of the struct.
 */
#ifndef COLLECT_EVENTS_PROCESS_SPILL_H
#define COLLECT_EVENTS_PROCESS_SPILL_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/events/living.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/files/journal.h"
#include "core/json/json_write.h"
#include "core/processes/process_tree_entries.h"

#define PROCESS_SPILL_GROUPS 256
#define PROCESS_SPILL_BATCH  8192 /* bytes */

struct process_spill {
	struct journal *journal; /* borrowed; NULL: none */
	bool failed;             /* it takes no more … */
	struct err stopped;      /* … and why */
	unsigned char batch[PROCESS_SPILL_BATCH];
	size_t n;
	struct buf text;              /* a command line, redacted … */
	struct top_process text_of;   /* … as it was */
	struct process_entry *groups; /* PROCESS_SPILL_GROUPS of kind PROCESS_ENTRY_GROUP */
	size_t n_groups;
	uint32_t
	    in_class[PROCESS_TREE_ENTRIES_CLASSES]; /* ended processes by how long they lived */
	uint32_t ended;
	unsigned least; /* the lowest class that is kept */
};

/* 0, or -1 without memory. */
int process_spill_open(struct process_spill *p);

/* Counts a process that ends. Whether it is kept by itself: then process_spill_put is next, else
 * process_spill_sum. */
bool process_spill_keeps(struct process_spill *p, double start_s, double end_s);

/* Appends an entry of any kind but a group. */
void process_spill_put(struct process_spill *p, const struct process_entry *e);

/* Adds an ended process to those of its name and parent. *spilled: sums went into the journal, so
 * that every process that lives now must be put there when it ends: it may be the parent of one. */
void process_spill_sum(struct process_spill *p, const struct process_entry *e, bool *spilled);

/* A process that was summed up had children that were, too: they are now its parent's. */
void process_spill_hand_on(struct process_spill *p, uint32_t from, uint32_t to);

/* Puts a process of the table, which lives or has just ended. */
void process_spill_living(struct process_spill *s, const struct living *p,
                          enum process_entry_kind kind, double end_s);

/* The same of one that has ended: as an entry or in a sum. Removes it from the table. */
void process_spill_let_go(struct process_spill *s, struct living_table *t, struct living *p,
                          double end_s);

/* Writes the record that is not full. */
void process_spill_flush(struct process_spill *p);

/* Writes the sums too, and then rtrack.tree: n processes in all, and source and why, where the
 * journal took all. Nothing without a journal. 0, or -1 with a sentence. */
int process_spill_write(struct process_spill *p, struct json_write *j, double n, const char *source,
                        const char *why, struct err *e);

void process_spill_close(struct process_spill *p);

#endif
