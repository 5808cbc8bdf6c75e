/*
 * fleet_worse: the newest change for the worse of a group, from rows alone: by the change points of
 * its newest runs (report/history/).
 */
#ifndef FLEET_GROUPS_FLEET_WORSE_H
#define FLEET_GROUPS_FLEET_WORSE_H

#include "fleet/catalog/catalog.h"
#include "report/stats/trend.h"

/* Texts are owned. {0} is valid: no change is known. */
struct fleet_worse {
	const struct trend_measure *measure; /* NULL: there is none */
	size_t runs;                         /* since then */
	double since;                        /* start of the first of them */
	double step, least, most;            /* as in struct change_point */
	char *commit; /* label git.commit of that run; "": its row has none */
	char *text;   /* "Since a1b2c3d (9 runs): 18% more memory, between …" */
};

/* The newest runs of a group. */
struct fleet_worse_of {
	const char *const *source;
	size_t n;
	struct fleet_worse *out; /* was zero */
};

/* Fills *out of n groups from the rows of their sources, of many groups in one query. A measure
 * counts whose newest level is still above the one before the change. Only recordings of one job
 * are comparable, each a run of its own: of another group, and of fewer than 10 such runs, nothing
 * is known. -1 with a sentence. */
int fleet_worse_find(struct catalog *c, const struct fleet_worse_of *v, size_t n, struct err *e);

void fleet_worse_free(struct fleet_worse *w);

#endif
