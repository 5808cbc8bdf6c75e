/*
 * catalog_sums: all aggregates of a statement as one aggregate function of SQLite.
 *
 * One function that is called once a row with each column once takes half the time of a function
 * for each aggregate. It returns its results as one blob of numbers. Values that make no sense (the
 * file may be anybody's) are left out; memory is bounded by the number of different keys.
 */
#ifndef REPORT_CATALOG_CATALOG_SUMS_H
#define REPORT_CATALOG_CATALOG_SUMS_H

#include <sqlite3.h>

#include "report/catalog/catalog_sql.h"

#define CATALOG_SUMS_OUTPUTS 24

/* Which argument of the function holds which column. */
struct catalog_sums {
	const struct catalog_output *output;
	size_t n;
	int column[CATALOG_COLUMNS]; /* of argument i */
	int n_args;                  /* and one more with the row, if has_row */
	bool has_row;
	sqlite3_stmt *source_of; /* of a rowid; borrowed */
};

/* At most CATALOG_SUMS_OUTPUTS outputs, none of them plain. */
void catalog_sums_plan(struct catalog_sums *p, const struct catalog_output *v, size_t n);

/* Appends the call. */
void catalog_sums_put(struct buf *sql, const struct catalog_sums *p);

/* Defines the function, which uses *p as it is while a statement runs. An error code of SQLite. */
int catalog_sums_define(sqlite3 *db, struct catalog_sums *p);

/* The results of a blob of n numbers. Rows are left as numbers: of NEWEST in .number (NAN: none), of
 * TOP in .map, as the keys of a map without values. -1 if it is not a blob of this plan. */
int catalog_sums_read(const struct catalog_sums *p, const double *blob, size_t n,
                      struct catalog_result *out);

#endif
