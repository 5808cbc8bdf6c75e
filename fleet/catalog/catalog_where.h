/*
 * catalog_where: the words of --group-by and --where. Pure.
 *
 * A key is a column of the table `runs`, a short name of one (instance, array), tag:KEY or
 * label:KEY. A condition is KEY OP VALUE, with = != < <= > >= and blanks wherever they are wanted:
 * `user=ann`, `wall_s >= 3600`. Of texts, < compares bytes. What is unknown equals the empty text,
 * `user=`; of a number, no condition holds.
 */
#ifndef FLEET_CATALOG_CATALOG_WHERE_H
#define FLEET_CATALOG_CATALOG_WHERE_H

#include "fleet/catalog/catalog_row.h"

#define CATALOG_WHERE_PAIR 64 /* bytes of a tag's or label's key, and its end */

struct catalog_key {
	int column;                    /* of catalog_columns */
	char pair[CATALOG_WHERE_PAIR]; /* of tag:KEY, label:KEY; "": the column itself */
};

struct catalog_condition {
	struct catalog_key key;
	const char *op;             /* a constant, as in SQL */
	struct catalog_value value; /* text is borrowed */
};

/* A key of --group-by. 0, or -1 with a sentence, which names the nearest right key. */
int catalog_where_key(const char *text, struct catalog_key *out, struct err *e);

/* A condition of --where. text must outlive *out. */
int catalog_where_condition(const char *text, struct catalog_condition *out, struct err *e);

#endif
