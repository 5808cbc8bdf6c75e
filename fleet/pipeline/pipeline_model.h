/*
 * pipeline_model: everything that the page of a pipeline shows, as one JSON tree
 * (docs/pipelines.md).
 */
#ifndef FLEET_PIPELINE_PIPELINE_MODEL_H
#define FLEET_PIPELINE_PIPELINE_MODEL_H

#include <cjson/cJSON.h>

#include "fleet/pipeline/pipeline_spread.h"

#define PIPELINE_MODEL_RUNS ((size_t)20)  /* other runs that are named */
#define PIPELINE_MODEL_ROWS ((size_t)200) /* of a table */

/* Input that a pipeline does not have itself. Borrowed. NULL and 0: none. */
struct pipeline_model_input {
	const char *title, *integration;
	const char *run;    /* its workflow_run */
	const char *source; /* where the rows are from, without any secret */
	const char *const *other;
	size_t n_others, all_others;
	const struct err *failed; /* why files could not be read: the first ones */
	size_t n_failed, all_failed;
	struct fleet_policy policy;
	double now; /* Unix seconds */
};

/* The whole tree, which the caller owns. NULL with a sentence. */
cJSON *pipeline_model_make(const struct pipeline *p, const struct pipeline_model_input *in,
                           struct err *e);

#endif
