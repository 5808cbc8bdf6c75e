/*
 * catalog_list: whole rows of a catalog, one for each recording, imported job, or run.
 *
 * For what looks at single runs; groups and sums are those of catalog_overview.
 */
#ifndef FLEET_CATALOG_CATALOG_LIST_H
#define FLEET_CATALOG_CATALOG_LIST_H

#include "fleet/catalog/catalog.h"
#include "fleet/catalog/catalog_engine.h"
#include "fleet/catalog/catalog_order.h"

/* v: by column (enum rtrack_row_id, enum catalog_column_id); text or number by its kind, "" and NAN
 * are unknown. Borrowed for the call. A value other than 0 ends the list, which returns -1 then. */
typedef int catalog_each_listed(void *ctx, const struct catalog_result v[CATALOG_COLUMNS],
                                struct err *e);

/* Calls each for the rows of a query (its conditions; not its groups), the newest first, at most n.
 */
int catalog_list(struct catalog *c, const struct catalog_query *q, size_t n,
                 catalog_each_listed *each, void *ctx, struct err *e);

/* Calls each for the recordings with one of n values of job_id, none of which is "", and, if
 * `accounted`, for the rows of accounting of these jobs, and of others that had the same number. */
#define CATALOG_LIST_IDS ((size_t)256)
int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, bool accounted,
                      catalog_each_listed *each, void *ctx, struct err *e);

/* Calls each for the rows of these n sources, which may be up to CATALOG_LIST_SOURCES. */
#define CATALOG_LIST_SOURCES ((size_t)1024)
int catalog_list_sources(struct catalog *c, const char *const *source, size_t n,
                         catalog_each_listed *each, void *ctx, struct err *e);

/* The same for one recording that has a job_id, if there is one. */
int catalog_list_any_recorded(struct catalog *c, catalog_each_listed *each, void *ctx,
                              struct err *e);

/* Calls each for the rows that may be of a job, by the identifier that its scheduler shows: those
 * in whose job_id, job, array_job, labels or id it may stand. The caller looks closer. */
int catalog_list_job(struct catalog *c, const char *job, catalog_each_listed *each, void *ctx,
                     struct err *e);

/* -- runs -------------------------------------------------------------------------------------- */

/* Calls each for the runs of a query (its conditions; not its groups), in this order, at most n. A
 * run of several recordings is one row, of what the columns make of them (catalog_columns.def); of
 * CATALOG_COLUMN_SOURCE, .list has all its .n sources. Runs whose numbers cannot be true are left
 * out. */
int catalog_list_runs(struct catalog *c, const struct catalog_query *q,
                      const struct catalog_order *order, size_t n, catalog_each_listed *each,
                      void *ctx, struct err *e);

/* How many runs a query has of each class. */
int catalog_list_count(struct catalog *c, const struct catalog_query *q,
                       double count[CATALOG_CLASSES], struct err *e);

#endif
