/*
 * runs_report: single runs, from the rows of a catalog to the model of their list.
 */
#ifndef FLEET_LIST_RUNS_REPORT_H
#define FLEET_LIST_RUNS_REPORT_H

#include "fleet/scan/fleet_sources.h"

/* The model, which the caller owns. read: recordings that were read. NULL with a sentence. */
struct cJSON *runs_report_make(const struct fleet_options *o, struct fleet_workers *w,
                               struct catalog *c, const struct catalog_query *query, size_t read,
                               const struct fleet_failures *failed, struct err *e);

#endif
