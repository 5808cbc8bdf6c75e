/*
 * mail_report: the runs of a catalog → messages to their owners.
 */
#ifndef FLEET_OWNERS_MAIL_REPORT_H
#define FLEET_OWNERS_MAIL_REPORT_H

#include "fleet/scan/fleet_sources.h"

/* A fleet_report_maker: writes the messages, and a line about them. The line is printed; beside a
 * page, which may go to standard output, it is a message. */
int mail_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e);

#endif
