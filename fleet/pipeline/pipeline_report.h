/*
 * pipeline_report: one run of a workflow, from the rows of a catalog to the model of its page.
 */
#ifndef FLEET_PIPELINE_PIPELINE_REPORT_H
#define FLEET_PIPELINE_PIPELINE_REPORT_H

#include "fleet/scan/fleet_sources.h"

/* A fleet_report_maker: the model of the run of --run, or of the newest one. The catalog has whole
 * rows (catalog_list.h). */
int pipeline_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e);

#endif
