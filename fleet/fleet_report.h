/*
 * fleet_report: many runs, from files or from a catalog, to the report of a verb; adding them to a
 * catalog, and removing them from it.
 */
#ifndef FLEET_FLEET_REPORT_H
#define FLEET_FLEET_REPORT_H

#include "fleet/scan/fleet_sources.h"

/* -1 with a sentence: the catalog's server cannot be asked, or sacct cannot be run. */
int fleet_report_start(struct fleet_workers *w, const struct fleet_options *o, struct err *e);
void fleet_report_stop(struct fleet_workers *w);

/* Call it after privdrop. -1 with a sentence, or with none if every file failed, each of which was
 * said. Free *out either way. */
int fleet_report_make(const struct fleet_options *o, struct fleet_workers *w,
                      const struct fleet_report_watch *watch, struct fleet_report *out,
                      struct err *e);
void fleet_report_free(struct fleet_report *r);

#endif
