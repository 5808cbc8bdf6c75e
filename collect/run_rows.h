/*
 * run_rows: the rows of a recording, once it has ended.
 */
#ifndef COLLECT_RUN_ROWS_H
#define COLLECT_RUN_ROWS_H

#include "collect/run_state.h"
#include "core/recording/snapshot_source.h"

/* Whether no sample saw the command, so that only its rusage is known. */
bool run_rows_unseen(const struct run *r);

/* A long run uses the regular rows, a short run the early ones. If the disk was full before the
 * first regular row, a long run has only early rows; if it was full before these, the whole run is
 * one row. Samples that another process has changed in the journal are left out, with a sentence.
 * Valid as long as the run. */
struct snapshot_source run_rows_choose(struct run *r);

#endif
