/*
 * fleet_details: what is shown of a group that is opened, read in a second query.
 */
#ifndef REPORT_FLEET_FLEET_DETAILS_H
#define REPORT_FLEET_FLEET_DETAILS_H

#include "report/fleet/fleet.h"

/* Fills .detail of n groups, each with so many keys. A group that is gone since gets none. */
int fleet_details_read(struct fleet_group *v, size_t n, size_t keys, const struct fleet_input *in,
                       struct err *e);

#endif
