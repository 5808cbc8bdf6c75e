/*
 * mail_report: the runs of a catalog → messages to their owners.
 */
#ifndef FLEET_OWNERS_MAIL_REPORT_H
#define FLEET_OWNERS_MAIL_REPORT_H

#include "fleet/groups/fleet.h"
#include "fleet/options/fleet_options.h"

/* The keys by which runs are grouped for messages: the owner's, then the name. */
struct opts_list mail_report_keys(const struct fleet_options *o);

/* f: made with these keys. money_basis, source: as on the page. Appends a line about what was done.
 * -1 with a sentence. */
int mail_report_write(const struct fleet_options *o, const struct fleet *f, const char *money_basis,
                      const char *source, struct buf *done, struct err *e);

#endif
