/*
 * pipeline_model_processes: the processes of the tree, and the lines to paste.
 */
#ifndef FLEET_PIPELINE_PIPELINE_MODEL_PROCESSES_H
#define FLEET_PIPELINE_PIPELINE_MODEL_PROCESSES_H

#include "fleet/pipeline/pipeline_chain.h"
#include "fleet/pipeline/pipeline_model.h"

#define PIPELINE_MODEL_NAME ((size_t)60) /* bytes of a name in a picture or a sentence */

/* The input of the parts of the model. */
struct pipeline_parts {
	const struct pipeline *p;
	const struct pipeline_model_input *in;
	struct pipeline_chain chain;
	bool *chained;   /* of each attempt: it is on the chain */
	size_t *by_wall; /* processes, those whose attempts took most time first */
	size_t *colour;  /* of each process: of chart_lanes_colours */
};

/* "processes" and "config", which go over the processes once, because their proposals take time. -1
 * with a sentence. */
int pipeline_model_processes_add(cJSON *model, const struct pipeline_parts *x, struct err *e);

#endif
