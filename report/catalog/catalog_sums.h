/*
 * catalog_sums: all aggregates of a statement as one aggregate function of SQLite.
 *
 * One function that is called once a row with a run's packed numbers (catalog_pack.h) takes a third
 * of the time of a function for each aggregate. It returns its results as one blob of numbers.
 * Values that make no sense (the file may be anybody's) are left out; memory is bounded by the
 * number of different keys.
 */
#ifndef REPORT_CATALOG_CATALOG_SUMS_H
#define REPORT_CATALOG_CATALOG_SUMS_H

#include <sqlite3.h>

#include "report/catalog/catalog_sql.h"

#define CATALOG_SUMS_OUTPUTS 24

/* What a statement asks for: at most CATALOG_SUMS_OUTPUTS outputs, none of them plain. Borrowed. */
struct catalog_sums {
	const struct catalog_output *output;
	size_t n;
	sqlite3_stmt *source_of; /* of a rowid */
};

#define CATALOG_SUMS_CALL "catalog_sums(start, packed, rowid)"
#define CATALOG_SUMS_JOIN                                                                          \
	"catalog_join(start, packed)" /* the packed numbers of a run's recordings */

/* Appends a column of a run, from its packed numbers if it is there: the table may lack it. */
void catalog_sums_column(struct buf *sql, int column);

/* Defines the functions; the first uses *p as it is while a statement runs. An error code of
 * SQLite. */
int catalog_sums_define(sqlite3 *db, struct catalog_sums *p);

/* The results of a blob of n numbers. Rows are left as numbers: of NEWEST in .number (NAN: none),
 * of TOP in .map, as the keys of a map without values. -1 if it is not a blob of this plan. */
int catalog_sums_read(const struct catalog_sums *p, const double *blob, size_t n,
                      struct catalog_result *out);

#endif
