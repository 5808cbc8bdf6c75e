/*
 * catalog_order: how a list of runs is ordered.
 */
#ifndef FLEET_CATALOG_CATALOG_ORDER_H
#define FLEET_CATALOG_CATALOG_ORDER_H

#include <stddef.h>

#include "fleet/catalog/catalog_sql.h"

/* By a column of numbers, or one divided by another; by a text; or by what the run's ask cost at
 * rates per core-second, byte-second and GPU-second. What is unknown comes last; runs that are
 * equal in it are ordered by their source. */
struct catalog_order {
	int column;
	int over;       /* -1: the column itself */
	double rate[3]; /* of CPUs, memory, GPUs; where one is above 0, by the cost */
	bool up;        /* the smallest first */
};

extern const struct catalog_order catalog_order_newest;

/* --sort: a column of the list (listed_columns.def), of the catalog, or its "-COLUMN": the largest
 * first. -1 with a sentence. rate: money per core-hour, GiB-hour and GPU-hour, for "cost". */
int catalog_order_parse(const char *text, const double rate[3], struct catalog_order *out,
                        struct err *e);

/* The names of the columns of the list by which runs can be ordered, one by one; NULL behind the
 * last. */
const char *catalog_order_listed(size_t i);

/* The statement: columns of the runs that fulfil the conditions, in this order, at most `most`; of
 * a run of several recordings, of what they make of it. Only source, joined and start are there. */
void catalog_order_sql(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a, const struct catalog_order *o,
                       const struct catalog_output *plain, size_t n, size_t most);

#endif
