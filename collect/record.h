/*
 * record: from samples to rows, in the journal and as CSV.
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
#ifndef COLLECT_RECORD_H
#define COLLECT_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "../core/journal.h"
#include "allocation.h"
#include "csv.h"
#include "sample.h"
#include "timing.h"

struct record_series {
	struct sample before, last;              /* the row appended last is from before to last */
	struct sample_carry carry_before, carry; /* as they were before that row, and after it */
	double cpu_before, cpu_s; /* the sum of the rows before that one, and with it */
	size_t rows;
};

struct record {
	struct journal *journal; /* NULL once it has failed */
	struct csv *csv;         /* NULL: none, or it has failed */
	struct sample_shape shape;
	int64_t interval;
	struct sample first; /* what the rows begin from */
	struct record_series regular, early;
	bool held;                /* the last early row is not written yet */
	double row[METRIC_COUNT]; /* it */
	struct allocation allocation;
	double peak_b; /* of the tree's memory, or the system's where there is no tree */
	double cpu_s;  /* at the end: the sum of the rows that tell the run */
	double whole[METRIC_COUNT]; /* at the end: all of it in one row, for want of others */
	struct err journal_error, csv_error; /* set once, when it fails */
	bool journal_failed, csv_failed;
};

/* The caller has set journal, csv, shape and interval in a struct that is {0} otherwise. first is
 * what the rows begin from. */
void record_start(struct record *r, const struct sample *first);

/* Takes a sample: regular or early; grown: two intervals have passed. */
void record_sample(struct record *r, const struct sample *s, bool regular, bool grown);

/* The reader of the CSV has made room: writes what waits for it. */
void record_flush_csv(struct record *r);

/* Takes the last sample. memory_b is what to say of the tree's memory where no sample saw it alive.
 */
void record_end(struct record *r, struct sample *last, bool grown, double memory_b);

#endif
