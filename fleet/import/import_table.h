/*
 * import_table: lines of cells with tabs between, below a line with the columns' names.
 *
 * A column is found by its name, wherever it stands; unknown ones are passed over. Blank lines are
 * too, and the header where it comes again, as in files that were put one after the other.
 *
 *	static const struct import_column columns[] = {
 *	    [QUEUE] = {"queue", .label = "nextflow.queue"},
 *	    [PEAK_RSS] = {"peak_rss", .to = IMPORT_TO(MEMORY_PEAK), .number = nextflow_trace_bytes},
 *	};
 *	failed = import_table_open(&t, in, columns, COLUMNS, e);
 *	while (!failed && import_table_next(&t)) {
 *		import_row_begin(&r, in, t.line.number);
 *		import_table_fill(&t, &r);
 *		failed = import_row_give(&r, t.cell[ID], false, e);
 *	}
 *	import_table_free(&t);
 */
#ifndef FLEET_IMPORT_IMPORT_TABLE_H
#define FLEET_IMPORT_IMPORT_TABLE_H

#include "fleet/import/import_row.h"

#define IMPORT_TABLE_COLUMNS 64  /* that a reader knows */
#define IMPORT_TABLE_CELLS   256 /* of a line */

/* A column of the file, and what its cells fill in. */
struct import_column {
	const char *name;
	const char *label;         /* the key of a label; NULL: none */
	int to;                    /* IMPORT_TO(COLUMN): a column of the row; 0: none */
	size_t max;                /* bytes of a text */
	import_row_reader *number; /* how a number is read; NULL: it is a text */
	double unit;               /* of the number, in base units; 0: it is in them */
	bool positive;             /* a number of 0 is unknown */
};
#define IMPORT_TO(column) (RTRACK_ROW_##column + 1)

struct import_table {
	struct import *in; /* borrowed */
	struct import_line line;
	const struct import_column *column; /* borrowed */
	size_t names, columns;              /* that are looked for; of the file */
	/* By the place in the file, from 0: which column it is; names: none of them. */
	unsigned char of[IMPORT_TABLE_CELLS];
	/* A line by columns: the cell, "" where there is none; its number, by import_table_fill,
	 * in base units, NAN where it is unknown. */
	const char *cell[IMPORT_TABLE_COLUMNS];
	double number[IMPORT_TABLE_COLUMNS];
};

/* Whether the n bytes at text begin with a line of columns that has both of these names; a byte
 * order mark may stand before it. Pure. */
bool import_table_recognise(const char *text, size_t n, const char *a, const char *b);

/* Whether that line has this name. Pure. */
bool import_table_has(const char *text, size_t n, const char *name);

/* Reads the header. {0} before. -1 with a sentence where there is none, or no memory. */
int import_table_open(struct import_table *t, struct import *in, const struct import_column *column,
                      size_t n, struct err *e);

/* The next line with as many cells as the header; others are counted as left out. Of a last line
 * without its end, the last cell is "": it may be cut. false at the end. */
bool import_table_next(struct import_table *t);

/* Fills in the texts, the numbers and the labels of a line, in the order of the columns. */
void import_table_fill(struct import_table *t, struct import_row *r);

void import_table_free(struct import_table *t);

#endif
