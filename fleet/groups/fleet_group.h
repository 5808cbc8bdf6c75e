/*
 * fleet_group: all numbers of one group of runs, from its histograms.
 */
#ifndef FLEET_GROUPS_FLEET_GROUP_H
#define FLEET_GROUPS_FLEET_GROUP_H

#include "fleet/groups/fleet_collect.h"

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

/* The parts of a group that are kept if it can be opened: the histograms and the advice. NULL
 * without memory, which alloc_failed knows. */
struct fleet_detail *fleet_group_detail(const struct fleet_needs *needs,
                                        const struct fleet_policy *policy);

/* Frees it; NULL is fine. */
void fleet_group_close(struct fleet_detail *d);

/* Reads the spots and the worst runs of n groups, each with so many keys. A group that is gone by
 * now gets none. */
int fleet_group_read_details(struct fleet_group *v, size_t n, size_t keys,
                             const struct fleet_input *in, struct err *e);

/* Leaves it empty. An empty one is fine. */
void fleet_group_free(struct fleet_group *g);

/* -- money: what asks cost, by prices of machines or by a site's rates ------------------------- */

/* A machine is paid for once: its CPUs and its memory are never added up. Pure. docs/fleet.md has
 * the formulas with examples. */

/* The largest share of the machine that is asked for, at most 1 (the whole machine); NAN where no
 * share is known. */
double fleet_group_money_share(const struct fleet_ask *ask, const struct catalog_machine *m);

/* Machine-seconds that the proposed ask would have taken. What it does not know stays as it was:
 * the largest ask. NAN where no share is known. */
double fleet_group_money_machine_s(const struct fleet_cell *c, const struct fleet_ask *proposed);

/* GPUs, and the larger of CPUs and memory, at these rates. */
double fleet_group_money_at_rates(const struct fleet_rates *r, double core_s, double byte_s,
                                  double gpu_s);

/* The cost of the ask, and what the proposed ask would have cost. A resource without a proposal
 * costs the same. */
double fleet_group_money_asked(const struct fleet_rates *r, const struct fleet_cell *c);
double fleet_group_money_proposed(const struct fleet_rates *r, const struct fleet_cell *c,
                                  const struct fleet_ask *proposed);

/* asked - proposed, at least 0 and at most asked; NAN where one is unknown. */
double fleet_group_money_recoverable(double asked, double proposed);

#endif
