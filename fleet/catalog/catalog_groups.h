/*
 * catalog_groups: runs grouped by texts, in a bounded amount of memory, for SQLite, which would
 * sort all of them.
 *
 * Where the groups are more than fit, only those whose hash is below a limit are kept, and the runs
 * have to be read once more for the others: a pass for each part of the groups.
 */
#ifndef FLEET_CATALOG_CATALOG_GROUPS_H
#define FLEET_CATALOG_CATALOG_GROUPS_H

#include "fleet/catalog/catalog_sums.h"

struct catalog_groups_one;

struct catalog_groups {
	struct catalog_sums_plan plan;
	size_t n_keys;
	size_t n_whole; /* groups that are equal in so many keys are in the same pass */
	/* Groups of a pass take little more than this; a single one is never left out. */
	size_t bytes_max;
	/* Its own; 0 at first. */
	struct catalog_groups_one **slot, *last;
	size_t n, cap, bytes;
	uint64_t low, high; /* hashes of this pass: from low on, below high; high 0: all */
};

/* A text, not always with an end. */
struct catalog_groups_key {
	const char *s;
	size_t n;
};

/* Adds a run to its group. -1 without memory. */
int catalog_groups_add(struct catalog_groups *g, const struct catalog_groups_key *key,
                       const double column[CATALOG_COLUMNS], double row);

/* Hands over all groups, by their keys, and forgets them: n_keys + plan.n results, as of
 * catalog_sums_results. A value other than 0 ends it, and is returned; -1 without memory. */
typedef int catalog_groups_each(void *ctx, struct catalog_result *v);
int catalog_groups_finish(struct catalog_groups *g, catalog_groups_each *each, void *ctx);

/* After the last run of a pass: whether there is another. */
bool catalog_groups_again(struct catalog_groups *g);

void catalog_groups_free(struct catalog_groups *g);

#endif
