/*
 * journal_rows: which record of a journal that is being written holds which regular row.
 *
 * Other records lie between the rows. Those of the processes now are too many to note each: they
 * follow the rows 0, every, 2 * every, and so on, as long as none was missed, and are only counted.
 */
#ifndef CORE_FILES_JOURNAL_ROWS_H
#define CORE_FILES_JOURNAL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOURNAL_ROWS_ASIDE 24576
#define JOURNAL_ROWS_LOST  64 /* places; all from the last of them on are taken for one */

/* The caller sets every (not 0); the rest is {0} at first. */
struct journal_rows {
	uint64_t records; /* of all kinds */
	uint64_t now;     /* of the processes now */
	uint64_t every;
	struct journal_rows_aside {
		uint64_t record;     /* its number */
		uint64_t before;     /* so many rows are before it */
	} aside[JOURNAL_ROWS_ASIDE]; /* all other records but rows, in order */
	size_t n_aside;
	/* Rows that are not there any more, in order. */
	struct journal_rows_range {
		uint64_t from, n;
	} lost[JOURNAL_ROWS_LOST];
	size_t n_lost;
};

/* Regular rows. */
uint64_t journal_rows_n(const struct journal_rows *r);

/* Counts a record that was appended and is to be noted. Returns its number. */
uint64_t journal_rows_aside(struct journal_rows *r);

/* Whether a record of the processes now may be appended, and counted in .records and .now. */
bool journal_rows_now_due(const struct journal_rows *r);

/* The number of the record of a row, which exists or comes next. */
uint64_t journal_rows_record(const struct journal_rows *r, uint64_t row);

/* Notes that a row is lost, in the order of rows; how many are; and which row is the i-th of the
 * others: *most is lowered to how many of those follow each other from there on. */
void journal_rows_lose(struct journal_rows *r, uint64_t row);
uint64_t journal_rows_lost(const struct journal_rows *r);
uint64_t journal_rows_kept(const struct journal_rows *r, uint64_t i, size_t *most);

/* How many rows, at most so many, are in records that follow each other, from a row on, which is
 * one of them. */
size_t journal_rows_adjacent(const struct journal_rows *r, uint64_t row, size_t most);

#endif
