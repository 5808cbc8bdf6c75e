/*
 * ci_plan: which lines of which workflow files the proposed runners change, as one patch, and which
 * jobs are to be changed by hand. Pure.
 *
 *	struct ci_plan plan = {.root = ".", .files = &files};
 *	failed = ci_files_read(&files, plan.root, &e) || ci_plan_make(&plan, &ci, &prices, &e);
 */
#ifndef FLEET_CI_CI_PLAN_H
#define FLEET_CI_CI_PLAN_H

#include "fleet/ci/ci.h"
#include "fleet/ci/ci_files.h"

struct ci_plan_item {
	const struct ci_job *job;
	const struct ci_file *file;    /* NULL: none was found */
	struct ci_patch_change change; /* label NULL: by hand */
	struct err why;                /* then */
};

struct ci_plan {
	const char *root; /* of the repository, as given; borrowed, as the next one */
	const struct ci_files *files;
	struct ci_plan_item *v; /* the jobs to change, in their order */
	size_t n, changed;
	struct buf patch; /* "": nothing changes */
};

/* Makes the patch. c and prices must outlive the plan. */
int ci_plan_make(struct ci_plan *plan, const struct ci *c, const struct ci_prices *prices,
                 struct err *e);

void ci_plan_free(struct ci_plan *plan);

#endif
