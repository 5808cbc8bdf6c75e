/*
 * ci_report: recordings of CI jobs, from a catalog, to the model of the page of --ci.
 */
#ifndef FLEET_CI_CI_REPORT_H
#define FLEET_CI_CI_REPORT_H

#include "fleet/catalog/catalog.h"
#include "fleet/options/fleet_options.h"

/* The model, which the caller owns; reads the prices and the workflow files that the options name.
 * failed: files that could not be read. NULL with a sentence. */
struct cJSON *ci_report_make(const struct fleet_options *o, struct catalog *c,
                             const struct catalog_query *query, const char *source, size_t failed,
                             struct err *e);

/* Appends the table of runners that is built in. */
void ci_report_list_runners(struct buf *out);

#endif
