/*
 * run_end: ends a recording: totals, notes, and the snapshot file.
 */
#ifndef COLLECT_RUN_END_H
#define COLLECT_RUN_END_H

#include "collect/run_state.h"

/* Writes the snapshot and fills *result. A failure is reported through r->say. */
void run_end(struct run *r, struct run_result *result);

#endif
