/*
 * process_join: one table of processes (process_tree.h) from what a recording says of them.
 *
 * Older recordings have two: what samples saw of the largest processes ("processes"), and every
 * process ("tree"). A process of one is that of the other if pid and start are the same. Recorders
 * join each row of today's one table by the same rules.
 */
#ifndef CORE_PROCESSES_PROCESS_JOIN_H
#define CORE_PROCESSES_PROCESS_JOIN_H

#include "core/processes/process_tree.h"
#include "core/recording/snapshot.h"

/* A process of both: its starts, of which samples have one in ticks. */
#define PROCESS_JOIN_SAME_S 1

/* Completes s->tree by s->processes, or makes it of these alone; neither is known: NULL. Sets what
 * older recordings do not say of rows: .cpu_exact. Without memory a fact is missing, which
 * alloc_failed_note() knows. */
void process_join(struct snapshot *s);

/* Takes what samples know of a process, which the row borrows. What events alone say of its CPU
 * time is in row->cpu_exact. */
void process_join_row(struct process_tree_node *row, const struct snapshot_process *p);

#endif
