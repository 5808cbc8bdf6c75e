/*
 * runs_report: single runs, from the rows of a catalog to the model of their list.
 */
#ifndef FLEET_LIST_RUNS_REPORT_H
#define FLEET_LIST_RUNS_REPORT_H

#include "fleet/scan/fleet_sources.h"

/* A fleet_report_maker: the model. */
int runs_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e);

#endif
