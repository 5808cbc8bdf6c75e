/*
 * ci_plan: which lines of which workflow files the proposed runners change, as one patch, and which
 * jobs are to be changed by hand.
 *
 *	struct ci_plan plan = {.n = 0};
 *	failed = ci_plan_read(&plan, ".", &e) || ci_plan_make(&plan, &ci, &prices, &e);
 */
#ifndef REPORT_CI_CI_PLAN_H
#define REPORT_CI_CI_PLAN_H

#include "report/ci/ci.h"
#include "report/ci/ci_patch.h"

#define CI_PLAN_FILES ((size_t)200)
#define CI_PLAN_BYTES ((size_t)1 << 20) /* of a file */
#define CI_PLAN_PATH  256

#define CI_PLAN_WORKFLOWS ".github/workflows"
#define CI_PLAN_GITLAB    ".gitlab-ci.yml"

struct ci_plan_file {
	char path[CI_PLAN_PATH]; /* in the repository */
	struct buf text, name;   /* name: of a workflow of GitHub */
	enum ci_patch_kind kind;
};

struct ci_plan_item {
	const struct ci_job *job;
	const struct ci_plan_file *file; /* NULL: none was found */
	struct ci_patch_change change;   /* label NULL: by hand */
	struct err why;                  /* then */
};

/* Valid when zero. */
struct ci_plan {
	char root[CI_PLAN_PATH]; /* as given */
	struct ci_plan_file *file;
	size_t n_files;
	struct ci_plan_item *v; /* the jobs to change, in their order */
	size_t n, changed;
	struct buf patch; /* "": nothing changes */
};

/* Reads the workflow files of a repository: regular files alone. */
int ci_plan_read(struct ci_plan *plan, const char *root, struct err *e);

/* Makes the patch from what was read. c and prices must outlive the plan. */
int ci_plan_make(struct ci_plan *plan, const struct ci *c, const struct ci_prices *prices,
                 struct err *e);

void ci_plan_free(struct ci_plan *plan);

#endif
