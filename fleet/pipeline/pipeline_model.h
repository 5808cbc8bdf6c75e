/*
 * pipeline_model: everything that the page of a pipeline shows, as one JSON tree
 * (docs/pipelines.md).
 */
#ifndef FLEET_PIPELINE_PIPELINE_MODEL_H
#define FLEET_PIPELINE_PIPELINE_MODEL_H

#include <cjson/cJSON.h>

#include "fleet/page/fleet_page.h"
#include "fleet/pipeline/pipeline_spread.h"

#define PIPELINE_MODEL_RUNS ((size_t)20)  /* other runs that are named */
#define PIPELINE_MODEL_ROWS ((size_t)200) /* of a table */

/* Input that a pipeline does not have itself. Borrowed. NULL and 0: none. */
struct pipeline_model_input {
	struct fleet_page page;
	const char *run; /* its workflow_run */
	const char *const *other;
	size_t n_others, all_others;
	struct fleet_policy policy;
};

/* The whole tree, which the caller owns. NULL with a sentence. */
cJSON *pipeline_model_make(const struct pipeline *p, const struct pipeline_model_input *in,
                           struct err *e);

#endif
