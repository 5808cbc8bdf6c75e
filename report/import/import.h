/*
 * import: what other programs wrote down about jobs → rows, as a recording has one.
 *
 * A kind of file is one row of the table in import_kind.c: how it is recognised, and how it is
 * read. A reader gives each job to import_job, and counts what it cannot understand: no value and
 * no line ends the import.
 *
 *   struct import in = {.name = path, .f = f, .now = now, .each = each, .ctx = ctx};
 *   failed = import_read(&in, import_kind_of(text, n), e);
 */
#ifndef REPORT_IMPORT_IMPORT_H
#define REPORT_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/err.h"
#include "core/recording/rtrack_row.h"

enum import_kind {
	IMPORT_NONE,
	IMPORT_SACCT,      /* sacct -P with a header */
	IMPORT_SACCT_JSON, /* sacct --json */
	IMPORT_SEFF,
	IMPORT_NEXTFLOW,  /* trace.txt */
	IMPORT_SNAKEMAKE, /* a benchmark file */
	IMPORT_TIME,      /* GNU time -v */
	IMPORT_DUCT,      /* con/duct's info.json */
	IMPORT_KINDS
};

/* Where a row is from: the words of the catalog's column `origin`. */
enum import_origin {
	IMPORT_RECORDED,
	IMPORT_OF_SACCT,
	IMPORT_OF_SEFF,
	IMPORT_OF_NEXTFLOW,
	IMPORT_OF_SNAKEMAKE,
	IMPORT_OF_TIME,
	IMPORT_OF_DUCT,
	IMPORT_RECORDED_AND_SACCT, /* a recording, with what accounting says of its job */
	IMPORT_ORIGINS
};
extern const char *const import_origins[IMPORT_ORIGINS];

/* The kind of a file, from its first n bytes; IMPORT_NONE: it is none of these. Pure. */
enum import_kind import_kind_of(const char *text, size_t n);

enum import_origin import_origin_of(enum import_kind kind);

/* The origin of this word; IMPORT_RECORDED: none of these words. */
enum import_origin import_origin_find(const char *word);

/* A job. Borrowed for the call. */
struct import_job {
	/* Unknown values are NAN and "". memory_peak_known is "sampled" where it was. Amounts that
	 * were asked for, and CPUs and memory that were used, are those of the whole job, on all of
	 * its `nodes`: then `covers` is "job". */
	const struct rtrack_row *row;
	/* Identifies the job for ever, whichever file it is read from, as "slurm/hpc/1234/0"; or
	 * within this file. */
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
	import_each *each;
	void *ctx;
	/* What was read. */
	size_t lines;       /* jobs, steps, tasks */
	size_t jobs;        /* given to each */
	size_t unknown;     /* values that were not understood, beside those that are empty */
	size_t left_out;    /* lines without what identifies a job, or cut */
	bool refused;       /* each ended it */
	struct err example; /* a sentence about the first of these two; "" if there is none */
};

/* Reads the file. -1 with a sentence if it cannot be read, or each said so. */
int import_read(struct import *in, enum import_kind kind, struct err *e);

/* For readers. Counts a value, or a line, of which the sentence is the example. line: from 1; 0:
 * unknown. */
void import_unknown(struct import *in, size_t line, const char *column, const char *value);
void import_left_out(struct import *in, size_t line, const char *why);

/* The next line, without its end (LF or CRLF) and without a byte order mark, into *line, which the
 * caller frees; a longer one than IMPORT_LINE is cut, and so is what follows a NUL. false at the
 * end. */
#define IMPORT_LINE ((size_t)65536)
struct import_line {
	char *s;
	size_t n, cap;
	size_t number; /* from 1 */
	bool whole;    /* it ended with LF: the last line of a file that was cut does not */
	bool cut;
};
bool import_next_line(struct import *in, struct import_line *line);
void import_line_free(struct import_line *line);

/* Gives a job to in->each, and counts it. */
int import_give(struct import *in, const struct import_job *job, struct err *e);

#endif
