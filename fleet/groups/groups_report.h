/*
 * groups_report: groups of runs, from a catalog to the model of their page.
 */
#ifndef FLEET_GROUPS_GROUPS_REPORT_H
#define FLEET_GROUPS_GROUPS_REPORT_H

#include "fleet/scan/fleet_sources.h"

/* A fleet_report_maker: the model, and what became of --fail-if. */
int groups_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e);

#endif
