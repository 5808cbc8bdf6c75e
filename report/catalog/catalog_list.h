/*
 * catalog_list: whole rows of a catalog, one for each recording or imported job.
 *
 * For what looks at single runs; groups and sums are those of catalog_overview.
 */
#ifndef REPORT_CATALOG_CATALOG_LIST_H
#define REPORT_CATALOG_CATALOG_LIST_H

#include "report/catalog/catalog.h"
#include "report/catalog/catalog_engine.h"

/* v: by column (enum rtrack_row_id, enum catalog_column_id); text or number by its kind, "" and NAN
 * are unknown. Borrowed for the call. A value other than 0 ends the list, which returns -1 then. */
typedef int catalog_each_listed(void *ctx, const struct catalog_result v[CATALOG_COLUMNS],
                                struct err *e);

/* Calls each for the rows of a query (its conditions; not its groups), the newest first, at most n.
 */
int catalog_list(struct catalog *c, const struct catalog_query *q, size_t n,
                 catalog_each_listed *each, void *ctx, struct err *e);

/* Calls each for the recordings with one of n values of job_id, none of which is "", and, if
 * `accounted`, for the rows of accounting of these jobs. */
#define CATALOG_LIST_IDS ((size_t)256)
int catalog_list_jobs(struct catalog *c, const char *const *id, size_t n, bool accounted,
                      catalog_each_listed *each, void *ctx, struct err *e);

/* The same for one recording that has a job_id, if there is one. */
int catalog_list_any_recorded(struct catalog *c, catalog_each_listed *each, void *ctx,
                              struct err *e);

#endif
