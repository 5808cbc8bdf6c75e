/*
 * row_builder: makes rows from samples, and writes them to the journal and as CSV.
 *
 * There are two series of rows. A regular row is the difference of two regular samples. During the
 * first two intervals there are early rows, too, each the difference of two samples of any kind. A
 * run shorter than two intervals has the early rows in its snapshot, a longer run the regular ones.
 *
 * A last row of less than half an interval is merged into the row before it, because other tools
 * compute plain means over the rows, in which a short row counts as much as a long one. The CSV
 * keeps it as a row of its own, because the row before has been written already.
 *
 * The exact account at the end has CPU time that earlier readings missed, since those come in whole
 * clock ticks. The last two rows share it by their length: in the last row alone, which may be
 * short, it would look like a burst. They also share CPU time that the CPUs cannot have spent in
 * the last row. In the CSV the row before has been written already, so this share is missing there:
 * in a last row of 2 ms, a second of short processes would be all CPUs busy.
 */
#ifndef COLLECT_ROW_BUILDER_H
#define COLLECT_ROW_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/machine/host_sharing.h"
#include "collect/output/csv_stream.h"
#include "collect/sample.h"
#include "collect/schedule.h"
#include "core/files/journal.h"

struct row_builder_series {
	struct sample before, last;              /* the row appended last is from before to last */
	struct sample_carry carry_before, carry; /* the carry before that row, and after it */
	double cpu_before, cpu_s; /* CPU seconds of the rows before that row, and with it */
	/* The job's memory at least and at most (tree.h): in that row, and in the samples since;
	 * and the upper bound times seconds of the rows before that row. */
	double least_b, most_b, next_least_b, next_most_b, most_bs;
	size_t rows;
};

struct row_builder {
	struct journal *journal; /* NULL once it has failed */
	struct csv_stream *csv;  /* NULL: none, or it has failed */
	struct sample_shape shape;
	int64_t interval;
	struct sample first; /* the first row begins here */
	struct row_builder_series regular, early;
	bool held;                    /* the last early row is not written yet */
	double row[DETAIL_ROW_CELLS]; /* that row */
	struct host_sharing allocation;
	double peak_b; /* of the job's memory; without a tree, of the machine's */
	/* The most that any sample found: the upper bound of the job's memory, with tmpfs that may
	 * be the job's; tmpfs of unknown owner; what the job's cgroup alone held; and the files
	 * that the job had mapped. */
	double most_b, tmpfs_b, held_b, file_b;
	double cpu_s;       /* at the end: the sum over the rows of the snapshot */
	double mean_most_b; /* likewise: the upper bound of the job's memory, over time */
	double whole
	    [DETAIL_ROW_CELLS]; /* at the end: the whole run in one row, for a run without rows */
	struct err journal_error, csv_error; /* set once, at the failure */
	bool journal_failed, csv_failed;
};

/* The caller has set journal, csv, shape and interval, and with --detail the cells of all samples
 * (row_builder_devices); the rest is {0}. The first row begins at first. */
#define ROW_BUILDER_SAMPLES 5
void row_builder_devices(struct row_builder *r, double *cells, size_t n); /* n for each */
void row_builder_start(struct row_builder *r, const struct sample *first);

/* Adds a sample. regular: it is on a multiple of the interval. grown: two intervals have passed. */
void row_builder_sample(struct row_builder *r, const struct sample *s, bool regular, bool grown);

/* Writes waiting CSV lines, once their reader has made room. */
void row_builder_flush_csv(struct row_builder *r);

/* Adds the last sample. memory_b: the job's memory if no sample saw it alive. */
void row_builder_end(struct row_builder *r, struct sample *last, bool grown, double memory_b);

#endif
