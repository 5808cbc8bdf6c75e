/*
 * fleet_rank: the groups with most to recover, of any number.
 */
#ifndef FLEET_GROUPS_FLEET_RANK_H
#define FLEET_GROUPS_FLEET_RANK_H

#include "fleet/groups/fleet.h"

/* Valid when zero but for max. A heap, whose first group has least to recover. */
struct fleet_rank {
	struct fleet_group *v;
	size_t n, cap, max;
};

/* < 0: a has more to recover than b. Money first, then machine-hours; unknown is as 0; then by key,
 * so that the order is always the same. */
int fleet_rank_compare(const struct fleet_group *a, const struct fleet_group *b);

/* Whether fleet_rank_add would keep it. */
bool fleet_rank_keeps(const struct fleet_rank *r, const struct fleet_group *g);

/* Takes *g. With max groups, the one with least to recover comes back in *g, and 1 is returned;
 * otherwise 0, and *g is zero. -1 without memory, and *g stays. */
int fleet_rank_add(struct fleet_rank *r, struct fleet_group *g, struct err *e);

/* Sorts, most to recover first. Nothing may be added any more. */
void fleet_rank_sort(struct fleet_rank *r);

#endif
