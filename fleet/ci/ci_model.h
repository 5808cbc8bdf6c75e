/*
 * ci_model: everything that the page of --ci shows, as one JSON tree (docs/ci.md).
 */
#ifndef FLEET_CI_CI_MODEL_H
#define FLEET_CI_CI_MODEL_H

#include <cjson/cJSON.h>

#include "core/base/opts.h"
#include "fleet/ci/ci.h"
#include "fleet/ci/ci_patch.h"

#define CI_MODEL_FORMAT "rtrack-ci"
#define CI_MODEL_ROWS   ((size_t)500) /* jobs that are shown one by one */
#define CI_MODEL_NAME   ((size_t)128) /* bytes of a name that is shown */

/* A workflow file that is to be patched. */
#define CI_FILES_PATH 256
struct ci_file {
	char path[CI_FILES_PATH]; /* in the repository */
	struct buf text, name;    /* name: of a workflow of GitHub; "": it has none */
	enum ci_patch_kind kind;
};

/* Valid when zero. */
struct ci_files {
	struct ci_file *v; /* by path; the one of GitLab last */
	size_t n;
};

/* Which lines of which workflow files the proposed runners change, as one patch, and which jobs are
 * to be changed by hand. */
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

/* Borrowed. NULL: none, unknown, or the default. */
struct ci_model_input {
	const char *title, *integration;
	const char *source; /* where the runs are from, without any secret */
	const struct opts_list *where;
	const char *since, *until; /* as given */
	const struct ci_prices *prices;
	const char *prices_file; /* of --runner-prices */
	const struct ci_plan *plan;
	double slowdown, lambda; /* as used */
	size_t all_failed;       /* files that could not be read */
	double now;              /* Unix seconds */
};

/* The whole tree, which the caller owns. NULL only without memory. */
cJSON *ci_model_make(const struct ci *c, const struct ci_model_input *in);

#endif
