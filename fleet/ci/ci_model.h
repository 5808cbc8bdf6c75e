/*
 * ci_model: everything that the page of rtrack-fleet ci shows, as one JSON tree (docs/ci.md).
 */
#ifndef FLEET_CI_CI_MODEL_H
#define FLEET_CI_CI_MODEL_H

#include <cjson/cJSON.h>

#include "core/base/opts.h"
#include "fleet/ci/ci_plan.h"

#define CI_MODEL_ROWS ((size_t)500) /* jobs that are shown one by one */
#define CI_MODEL_NAME ((size_t)128) /* bytes of a name that is shown */

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

/* Its parts: "groups" and "table" (ci_model_jobs.c). */
void ci_model_jobs_add(cJSON *model, const struct ci *c);

/* "p95 4 min 5 s", "$12.40", or "unknown". */
#define CI_MODEL_SECONDS(v) (isnan(v) ? "unknown" : UNITS_SECONDS(v))
#define CI_MODEL_MONEY(v)   (isnan(v) ? "unknown" : UNITS_MONEY(UNIT_MONEY, v, NULL))
#define CI_MODEL_COUNT(v)   (isnan(v) ? "unknown" : UNITS_COUNT(v))

#endif
