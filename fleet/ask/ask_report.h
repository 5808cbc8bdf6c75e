/*
 * ask_report: what to ask for with an input, from the recordings of a catalog (--ask-for).
 */
#ifndef FLEET_ASK_ASK_REPORT_H
#define FLEET_ASK_ASK_REPORT_H

#include "core/base/buf.h"
#include "fleet/catalog/catalog.h"
#include "fleet/options/fleet_options.h"

/* Appends what is to be printed. -1 with a sentence: a file that cannot be found, several jobs,
 * runs from which nothing follows; then nothing is appended. */
int ask_report_make(const struct fleet_options *o, struct catalog *c,
                    const struct catalog_query *query, struct buf *out, struct err *e);

#endif
