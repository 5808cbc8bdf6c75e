/*
 * journal_columns: a long journal's rows, transposed into columns in an unnamed temporary file.
 *
 * Statistics and the snapshot's text are made column by column, and the cells of one column lie all
 * over a journal. Read from there, the snapshot of a week (604,800 rows) took 58 s of CPU; with the
 * columns transposed once it takes 4.6 s, and 0.7 MiB more memory.
 *
 * column_file.h keeps columns in a file too, and both stay: a frame's columns grow one cell at a
 * time, to unknown lengths, and are mapped into memory when they are complete. It buffers 16,384
 * cells a column, which is 10 MiB for all columns, and the collector may use 3 MiB (SPEC, budgets).
 * Here the number of rows is known before, so a cell's place is computed and no buffer or table of
 * places is needed.
 */
#ifndef CORE_RECORDING_JOURNAL_COLUMNS_H
#define CORE_RECORDING_JOURNAL_COLUMNS_H

#include "core/recording/snapshot_source.h"

struct journal_columns; /* opaque */

/* Copies n columns of the source into an unnamed file in the folder of `beside`, 8 bytes a cell.
 * The source's fetch is called for each column in turn, for a few rows at a time. NULL if the file
 * or memory cannot be had; the source itself stays usable. */
struct journal_columns *journal_columns_spread(const struct snapshot_source *from,
                                               const enum metric_id *id, size_t n,
                                               const char *beside);

/* The rows of the source; a column that was not copied is NAN. Borrows c. */
struct snapshot_source journal_columns_source(struct journal_columns *c);

/* NULL is fine. */
void journal_columns_free(struct journal_columns *c);

#endif
