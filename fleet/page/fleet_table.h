/*
 * fleet_table: a table of the model by columns: all rows for programs, and the values that the
 * page's script has, packed.
 *
 *	fleet_table_heads(table, columns, n, currency);
 *	for each row and column c: fleet_table_add(&text, &columns[c], cell[c], &fleet_table_whole);
 *	fleet_table_take_row(rows, &text);
 */
#ifndef FLEET_PAGE_FLEET_TABLE_H
#define FLEET_PAGE_FLEET_TABLE_H

#include "report/units/model_json.h"

/* SHARE: a share of 1; CHANGE: a change as such a share; TIME: Unix seconds. */
enum fleet_table_kind {
	FLEET_TABLE_NUMBER,
	FLEET_TABLE_SHARE,
	FLEET_TABLE_CHANGE,
	FLEET_TABLE_TIME,
	FLEET_TABLE_TEXT
};

struct fleet_table_column {
	const char *id, *label;
	enum unit unit; /* of a NUMBER */
	enum fleet_table_kind kind;
	const char *head; /* its name in a head of the page's table that it shares with others;
	                     "": the label */
};

/* One of both, by the kind of its column. NAN, NULL and "": unknown. */
struct fleet_table_cell {
	double number;
	const char *text;
};

struct fleet_table_form {
	int digits, share_digits; /* significant; 0: as many as it takes to read back the same */
	double exact;             /* whole numbers below keep their digits */
	size_t text_max;          /* bytes; longer texts are cut */
	bool iso;                 /* times are written as dates, else as whole seconds */
};

/* For programs. */
extern const struct fleet_table_form fleet_table_whole;

/* Adds "columns". currency: NULL: USD. */
void fleet_table_heads(cJSON *table, const struct fleet_table_column *column, size_t n,
                       const char *currency);

/* Appends a value as JSON, null where it is unknown, after a comma unless out is empty. */
void fleet_table_add(struct buf *out, const struct fleet_table_column *column,
                     struct fleet_table_cell cell, const struct fleet_table_form *form);

/* Appends a row of these values, which stays text in the tree: ten thousand rows of nodes would
 * take 25 MiB. Clears the values. */
void fleet_table_take_row(cJSON *rows, struct buf *values);

/* Sets out to {"columns": [[id, label, unit, head], …], "values": [[…], …]} of the columns that
 * have values, each the values of all rows, as gzipped JSON in base64. unit: as in "columns" of
 * fleet_table_heads; "" for a text, "share", "change", "day" for a time. currency: NULL: USD. -1:
 * without memory, noted (alloc_failed.h). */
int fleet_table_pack(struct buf *out, const struct fleet_table_column *column,
                     const struct buf *values, size_t n, const char *currency, int level);

#endif
