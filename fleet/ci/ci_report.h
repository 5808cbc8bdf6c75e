/*
 * ci_report: recordings of CI jobs, from a catalog, to the model of the page of rtrack-fleet ci.
 */
#ifndef FLEET_CI_CI_REPORT_H
#define FLEET_CI_CI_REPORT_H

#include "fleet/scan/fleet_sources.h"

/* A fleet_report_maker: the model. Reads the prices and the workflow files that options name. */
int ci_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e);

/* Appends the table of runners that is built in. */
void ci_report_list_runners(struct buf *out);

#endif
