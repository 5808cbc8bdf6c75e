/*
 * import_reader: what a reader of foreign files is given, and calls: the import itself, the lines
 * of its file, and what becomes of them. import.h has the kinds of files, and begins an import.
 */
#ifndef FLEET_IMPORT_IMPORT_READER_H
#define FLEET_IMPORT_IMPORT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/err.h"
#include "core/head/rtrack_row.h"

/* A job. Borrowed for the call. */
struct import_job {
	/* Unknown values are NAN and "". memory_peak_known is "sampled" where it was. Amounts
	 * that were asked for, and CPUs and memory that were used, are those of the whole job,
	 * on all of its `nodes`: then `covers` is "job". `job_id` is the key of its scheduler's
	 * job; where that has other rows, too (a heterogeneous job of Slurm), `job` is the same. */
	const struct rtrack_row *row;
	/* Identifies the job for ever, whichever file it is read from, as "slurm/hpc/1234/0", and
	 * "slurm/hpc/1234/0@+1", its second component; or within this file. */
	const char *key;
	bool global;   /* the former */
	double submit; /* Unix seconds; NAN: unknown */
};

/* A value other than 0 ends the import, which returns -1 then. */
typedef int import_each(void *ctx, const struct import_job *job, struct err *e);

struct import {
	/* Set before. */
	const char *name; /* of the file, for sentences and for names of jobs */
	FILE *f;          /* at its beginning */
	double now;       /* Unix seconds; 0: unknown */
	bool steps;       /* of Slurm: each step is a job of its own */
	bool allocated;   /* of Slurm: what a job was given counts as its ask */
	import_each *each;
	void *ctx;
	/* The counts of a file. */
	size_t lines;       /* jobs, steps, tasks */
	size_t jobs;        /* given to each */
	size_t unknown;     /* values that were not understood, beside those that are empty */
	size_t impossible;  /* values that cannot be true */
	size_t left_out;    /* lines without what identifies a job, or cut */
	bool refused;       /* each ended it */
	struct err example; /* a sentence about the first of these three; "" if there is none */
};

/* Counts a value, or a line, of which the sentence is the example. line: from 1; 0:
 * unknown. */
void import_reader_unknown(struct import *in, size_t line, const char *column, const char *value);
void import_reader_left_out(struct import *in, size_t line, const char *why);

/* CPU seconds of a job of so many seconds that was given so many CPUs, or NAN: a fifth more than
 * all of them, and a second of each, cannot be true, which is counted. Unknown is NAN. */
double import_reader_cpu(struct import *in, size_t line, double cpu_s, double wall_s, double given);

/* The peak of memory of a node that has so many bytes, or NAN: likewise. */
double import_reader_peak(struct import *in, size_t line, double peak_b, double machine_b);

/* Seconds from one time to another, or NAN: an end before the start is counted. */
double import_reader_between(struct import *in, size_t line, double start, double end);

/* The next line, without its end (LF or CRLF) and without a byte order mark, into *line, which the
 * caller frees; a longer one than IMPORT_LINE is cut, and so is what follows a NUL. false at the
 * end. */
#define IMPORT_LINE ((size_t)131072)
struct import_line {
	char *s;
	size_t n, cap;
	size_t number; /* from 1 */
	bool whole;    /* it ended with LF: the last line of a file that was cut does not */
	bool cut;
};
bool import_reader_next_line(struct import *in, struct import_line *line);
void import_reader_line_free(struct import_line *line);

/* Gives a job to in->each, and counts it. */
int import_reader_give(struct import *in, const struct import_job *job, struct err *e);

#endif
