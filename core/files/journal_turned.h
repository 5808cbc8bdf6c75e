/*
 * journal_turned: a long journal's rows as columns, in an unnamed file.
 *
 * Statistics and the snapshot's text are made column by column, and the cells of one column lie all
 * over a journal. Read from there, the snapshot of a week (604,800 rows) took 58 s of CPU; with the
 * rows turned into columns once it takes 4.6 s, and 0.7 MiB more memory. The number of rows is
 * known, so a cell's place is computed: frame.c, whose columns grow, has a buffer of 128 KiB for
 * each, more than the collector may use.
 */
#ifndef CORE_FILES_JOURNAL_TURNED_H
#define CORE_FILES_JOURNAL_TURNED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/numbers/metric.h"
#include "core/recording/snapshot_source.h"

/* .fd -1: not made. */
struct journal_turned {
	int fd;
	size_t rows, n_columns;
	const enum metric_id *columns; /* borrowed */
};

/* Which of the columns it is. False where it is none: fills out with NAN. */
bool journal_turned_column(const enum metric_id *columns, size_t n_columns, enum metric_id id,
                           size_t *column, double *out, size_t n);

/* Turns the rows of a source: another one of the same rows, valid until t is closed; or, without a
 * file beside that path or memory, the source itself. */
struct snapshot_source journal_turned_make(struct journal_turned *t,
                                           const struct snapshot_source *from, const char *beside,
                                           const enum metric_id *columns, size_t n_columns);

void journal_turned_close(struct journal_turned *t);

#endif
