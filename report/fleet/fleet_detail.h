/*
 * fleet_detail: what is shown of a group that is opened.
 */
#ifndef REPORT_FLEET_FLEET_DETAIL_H
#define REPORT_FLEET_FLEET_DETAIL_H

#include "report/fleet/fleet_collect.h"

/* The histograms and the advice. NULL without memory, which alloc_failed knows. */
struct fleet_detail *fleet_detail_new(const struct fleet_needs *needs);

/* NULL is fine. */
void fleet_detail_free(struct fleet_detail *d);

/* Reads the spots and the worst runs of n groups, each with so many keys. A group that is gone by
 * now gets none. */
int fleet_detail_read(struct fleet_group *v, size_t n, size_t keys, const struct fleet_input *in,
                      struct err *e);

#endif
