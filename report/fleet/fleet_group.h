/*
 * fleet_group: all numbers of one group of runs, from its histograms.
 */
#ifndef REPORT_FLEET_FLEET_GROUP_H
#define REPORT_FLEET_FLEET_GROUP_H

#include "report/fleet/fleet_collect.h"

/* Fills *out but for its detail, taking key[] and newest of the group. *out can be freed either
 * way. */
int fleet_group_make(struct fleet_group *out, struct fleet_collect *g, const struct fleet_input *in,
                     struct err *e);

/* Whether the site has rates of its own. */
bool fleet_group_rates(const struct fleet_rates *r);

/* Adds one's hours and money; what is unknown adds nothing. */
void fleet_group_add_usage(struct fleet_usage *sum, const struct fleet_usage *one);

/* All unknown, as a sum of no groups. */
struct fleet_usage fleet_group_no_usage(void);

/* Sets fail_at_most and confidence: of the groups that are shown, because it takes a while. */
void fleet_group_judge(struct fleet_group *g);

/* What is kept of a group that can be opened: the histograms and the advice. NULL without memory,
 * which alloc_failed knows. */
struct fleet_detail *fleet_group_detail(const struct fleet_needs *needs);

/* Frees it; NULL is fine. */
void fleet_group_close(struct fleet_detail *d);

/* Reads the spots and the worst runs of n groups, each with so many keys. A group that is gone by
 * now gets none. */
int fleet_group_read_details(struct fleet_group *v, size_t n, size_t keys,
                             const struct fleet_input *in, struct err *e);

/* Leaves it empty. An empty one is fine. */
void fleet_group_free(struct fleet_group *g);

#endif
