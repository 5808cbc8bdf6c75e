/*
 * journal_columns: rows that lie one after the other, turned into columns in a file without a name.
 *
 * Statistics and the snapshot's text are made column by column, and a column of a long journal is
 * strewn over all of it: read from there, a week of samples costs a minute. Turned once, a second.
 */
#ifndef CORE_JOURNAL_COLUMNS_H
#define CORE_JOURNAL_COLUMNS_H

#include "core/snapshot.h"

struct journal_columns; /* opaque */

/* Takes the cells of n columns of the source, whose fetch is called for each of them of the same
 * rows in turn, and keeps them in a file in the folder of `beside`, 8 bytes a cell, that vanishes
 * with us. NULL where that can't be had (a full disk, no memory): the source itself still serves.
 */
struct journal_columns *journal_columns_spread(const struct snapshot_source *from,
                                               const enum metric_id *id, size_t n,
                                               const char *beside);

/* The same rows as the source had; a column that was not taken is NAN. Borrows c. */
struct snapshot_source journal_columns_source(struct journal_columns *c);

/* NULL is fine. */
void journal_columns_free(struct journal_columns *c);

#endif
