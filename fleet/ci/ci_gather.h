/*
 * ci_gather: rows of a catalog → CI jobs and their runs.
 */
#ifndef FLEET_CI_CI_GATHER_H
#define FLEET_CI_CI_GATHER_H

#include "fleet/ci/ci.h"

struct ci_input {
	struct catalog *catalog; /* borrowed, as all of it */
	const struct catalog_query *query;
	const struct ci_prices *prices;
	struct fleet_policy policy;
	double now;
};

/* The value of a key in "key=value;key=value"; *n: its bytes. NULL: there is none. Pure. */
const char *ci_gather_pair(const char *pairs, const char *key, size_t *n);

/* The recordings of a query as jobs, each with its runs by their start: all but the choice. */
int ci_gather(struct ci *out, const struct ci_input *in, struct err *e);

#endif
