/*
 * import_table: lines of cells with tabs between, below a line with the columns' names.
 *
 * A column is found by its name, wherever it stands; unknown ones are passed over. Blank lines are
 * too, and the header where it comes again, as in files that were put one after the other.
 *
 *	failed = import_table_open(&t, in, columns, COLUMNS, e);
 *	while (!failed && import_table_next(&t))
 *		failed = give(t.cell[COLUMN_NAME]);
 *	import_table_free(&t);
 */
#ifndef FLEET_IMPORT_IMPORT_TABLE_H
#define FLEET_IMPORT_IMPORT_TABLE_H

#include "fleet/import/import_reader.h"

#define IMPORT_TABLE_COLUMNS 64  /* that a reader knows */
#define IMPORT_TABLE_CELLS   256 /* of a line */

struct import_table {
	struct import *in; /* borrowed */
	struct import_line line;
	const char *const *name; /* borrowed */
	size_t names, columns;   /* that are looked for; of the file */
	/* By the place in the file, from 0: which name it is; names: none of them. */
	unsigned char of[IMPORT_TABLE_CELLS];
	const char *cell[IMPORT_TABLE_COLUMNS]; /* by name; "" where there is none */
};

/* Whether the n bytes at text begin with a line of columns that has both of these names; a byte
 * order mark may stand before it. Pure. */
bool import_table_recognise(const char *text, size_t n, const char *a, const char *b);

/* Whether that line has this name. Pure. */
bool import_table_has(const char *text, size_t n, const char *name);

/* Reads the header. {0} before. -1 with a sentence where there is none, or no memory. */
int import_table_open(struct import_table *t, struct import *in, const char *const *name,
                      size_t names, struct err *e);

/* The next line with as many cells as the header; others are counted as left out. Of a last line
 * without its end, the last cell is "": it may be cut. false at the end. */
bool import_table_next(struct import_table *t);

void import_table_free(struct import_table *t);

#endif
