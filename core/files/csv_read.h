/*
 * csv_read: reads CSV (RFC 4180) from a gz_in as it is inflated, a cell at a time.
 *
 * Lines end in LF, CRLF or CR; a byte order mark is skipped, and so are blank lines. The memory is
 * one window and one cell, whatever the file holds. The first error is kept with its line, and
 * every later call fails.
 */
#ifndef CORE_FILES_CSV_READ_H
#define CORE_FILES_CSV_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/gz.h"

#define CSV_READ_CELL_MAX  ((size_t)4096) /* bytes of one cell */
#define CSV_READ_CELLS_MAX ((size_t)1024) /* of one record */

struct csv_read {
	struct gz_in *g;  /* borrowed; NULL: what was begun is all */
	const char *name; /* of the file, for error sentences; borrowed */
	struct err *e;    /* borrowed; may be NULL */
	size_t at, end;
	uint64_t line;     /* where the record begins, from 1 */
	uint64_t ends;     /* line ends so far */
	size_t cells;      /* of the record, so far */
	bool in_record;    /* cells of the record follow */
	bool unterminated; /* the last cell ended with the content, not with its line */
	bool failed;
	const char *cell; /* valid until the next call; not terminated */
	size_t n;
	struct buf text; /* of a cell that does not lie in the window as it is */
	char window[65536];
};

/* begun: n bytes of the content that were read of g already, at most the size of the window. c
 * holds a 64 KiB window: allocate it on the heap. */
void csv_read_init(struct csv_read *c, struct gz_in *g, const char *begun, size_t n,
                   const char *name, struct err *e);

/* Goes to the next record: 1, 0 at the end, or -1. All cells of the last one must have been read.
 */
int csv_read_record(struct csv_read *c);

/* Reads the next cell of the record, unquoted, into cell and n: 1, 0 if there is none, or -1. */
int csv_read_cell(struct csv_read *c);

/* The number in the cell, and NAN for an empty one or one without a value ("NaN", "None", "NA",
 * infinities). False: it is not a number. */
bool csv_read_number(const struct csv_read *c, double *v);

/* Whether the cell is this word. */
bool csv_read_is(const struct csv_read *c, const char *word);

/* Fails with "NAME: line N: SENTENCE", unless an error is there already. Always returns -1. */
int csv_read_fail(struct csv_read *c, const char *sentence);

void csv_read_free(struct csv_read *c);

#endif
