/*
 * runs_report: single runs, from the rows of a catalog to the model of their list.
 */
#ifndef REPORT_RUNS_REPORT_H
#define REPORT_RUNS_REPORT_H

#include "report/fleet_report.h"

/* Sets out->model. read: recordings that were read. -1 with a sentence. */
int runs_report_make(const struct report_options *o, struct fleet_workers *w, struct catalog *c,
                     const struct catalog_query *query, size_t read,
                     const struct fleet_failures *failed, struct fleet_report *out, struct err *e);

#endif
