/*
 * row_builder: from samples to rows, in the journal and as CSV.
 *
 * Two series come of the samples: the regular rows, each the difference of two regular samples, and
 * for the first two intervals the early rows, each the difference of two samples of any kind. A run
 * that lasts less than two intervals is told by its early rows, any other by its regular ones. A
 * last row that would be shorter than half an interval becomes part of the one before it, because
 * plain means over the rows, as other tools compute them, count it like any other (in the CSV,
 * where that one has gone out already, it is a row of its own).
 *
 * The exact account that comes with the end tells what earlier readings had not seen, as they come
 * in whole ticks. That belongs to all rows; the last two share it by their length, since in the
 * last alone, which may be short, it would look like a burst. So does what the CPUs cannot have
 * done in the last row. The CSV has it all in its last row.
 */
#ifndef COLLECT_ROW_BUILDER_H
#define COLLECT_ROW_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/csv_stream.h"
#include "collect/machine/host_sharing.h"
#include "collect/sample.h"
#include "collect/schedule.h"
#include "core/journal.h"

struct row_builder_series {
	struct sample before, last;              /* the row appended last is from before to last */
	struct sample_carry carry_before, carry; /* as they were before that row, and after it */
	double cpu_before, cpu_s; /* the sum of the rows before that one, and with it */
	size_t rows;
};

struct row_builder {
	struct journal *journal; /* NULL once it has failed */
	struct csv_stream *csv;  /* NULL: none, or it has failed */
	struct sample_shape shape;
	int64_t interval;
	struct sample first; /* what the rows begin from */
	struct row_builder_series regular, early;
	bool held;                /* the last early row is not written yet */
	double row[METRIC_COUNT]; /* it */
	struct host_sharing allocation;
	double peak_b; /* of the tree's memory, or the system's where there is no tree */
	double cpu_s;  /* at the end: the sum of the rows that tell the run */
	double whole[METRIC_COUNT]; /* at the end: all of it in one row, for want of others */
	struct err journal_error, csv_error; /* set once, when it fails */
	bool journal_failed, csv_failed;
};

/* The caller has set journal, csv, shape and interval in a struct that is {0} otherwise. first is
 * what the rows begin from. */
void row_builder_start(struct row_builder *r, const struct sample *first);

/* Takes a sample: regular or early; grown: two intervals have passed. */
void row_builder_sample(struct row_builder *r, const struct sample *s, bool regular, bool grown);

/* The reader of the CSV has made room: writes what waits for it. */
void row_builder_flush_csv(struct row_builder *r);

/* Takes the last sample. memory_b is what to say of the tree's memory where no sample saw it alive.
 */
void row_builder_end(struct row_builder *r, struct sample *last, bool grown, double memory_b);

#endif
