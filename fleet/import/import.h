/*
 * import: what other programs wrote down about jobs → rows, as a recording has one.
 *
 * A kind of file is one row of the table in import.c: how it is recognised, and how it is read. A
 * reader gives each job to import_job, and counts what it cannot understand: no value and no line
 * ends the import.
 *
 *   struct import in = {.name = path, .f = f, .now = now, .each = each, .ctx = ctx};
 *   failed = import_read(&in, import_kind_of(text, n), e);
 */
#ifndef FLEET_IMPORT_IMPORT_H
#define FLEET_IMPORT_IMPORT_H

#include "fleet/import/import_reader.h"

#define IMPORT_HEAD 16384 /* bytes by which a kind is known */

enum import_kind {
	IMPORT_NONE,
	IMPORT_SACCT,      /* sacct -P with a header */
	IMPORT_SACCT_JSON, /* sacct --json */
	IMPORT_SEFF,
	IMPORT_NEXTFLOW,  /* trace.txt */
	IMPORT_SNAKEMAKE, /* a benchmark file */
	IMPORT_TIME,      /* GNU time -v */
	IMPORT_DUCT,      /* con/duct's info.json */
	IMPORT_REFUSED,   /* like one of these, but not to be read as it is */
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

/* Judges a file of the kind IMPORT_REFUSED by its first n bytes: a clause that says what it looks
 * like and which command writes it right; NULL: it looks like none of these. Pure. */
const char *import_refused(const char *text, size_t n);

enum import_origin import_origin_of(enum import_kind kind);

/* The origin of this word; IMPORT_RECORDED: none of these words. */
enum import_origin import_origin_find(const char *word);

/* Reads the file. -1 with a sentence if it cannot be read, or each said so. */
int import_read(struct import *in, enum import_kind kind, struct err *e);

#endif
