/*
 * process_join: one table of processes (process_tree.h) from what a recording says of them.
 *
 * A recording has two: what samples saw of the largest processes ("processes"), and every process
 * ("tree"). A process of one is that of the other if pid and start are the same. A page has one.
 */
#ifndef CORE_PROCESSES_PROCESS_JOIN_H
#define CORE_PROCESSES_PROCESS_JOIN_H

#include "core/recording/snapshot.h"

/* Completes s->tree by s->processes, or makes it of these alone; neither is known: NULL. Sets what
 * older recordings do not say of rows: .cpu_exact. Without memory a fact is missing, which
 * alloc_failed_note() knows. */
void process_join(struct snapshot *s);

#endif
