/*
 * report_options_fleet: which options of the command line go together for many runs (--fleet,
 * --add, --forget), and which are for single runs.
 */
#ifndef REPORT_REPORT_OPTIONS_FLEET_H
#define REPORT_REPORT_OPTIONS_FLEET_H

#include "report/report_options.h"

/* Whether the command line is about many runs. */
bool report_options_many(const struct report_options *o);

/* Checks a command line about many runs, splits its --group-by at commas, in place, and sets since
 * and until. -1 with a sentence. */
int report_options_fleet_check(struct report_options *o, struct err *e);

/* Refuses options of many runs on any other command line. */
int report_options_fleet_refuse(const struct report_options *o, struct err *e);

#endif
