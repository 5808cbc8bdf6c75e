/*
 * ask_report: what to ask for with an input, from the recordings of a catalog (rtrack-fleet ask).
 */
#ifndef FLEET_ASK_ASK_REPORT_H
#define FLEET_ASK_ASK_REPORT_H

#include "fleet/scan/fleet_sources.h"

/* A fleet_report_maker: prints it. The input, or its size, is that of --input. */
int ask_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e);

#endif
