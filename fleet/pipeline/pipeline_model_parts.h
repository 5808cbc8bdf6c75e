/*
 * pipeline_model_parts: the parts of the tree, each in a file of its own.
 */
#ifndef FLEET_PIPELINE_PIPELINE_MODEL_PARTS_H
#define FLEET_PIPELINE_PIPELINE_MODEL_PARTS_H

#include "fleet/pipeline/pipeline_chain.h"
#include "fleet/pipeline/pipeline_model.h"

/* What several parts need. */
struct pipeline_parts {
	const struct pipeline *p;
	const struct pipeline_model_input *in;
	struct pipeline_chain chain;
	bool *chained;   /* of each attempt: it is on the chain */
	size_t *by_wall; /* processes, those whose attempts took most time first */
	size_t *colour;  /* of each process: of chart_lanes_colours */
};

/* "timeline", "load" and "waits", "chain", "processes" and "config": the last two go over the
 * processes once, because their proposals take time. -1 with a sentence. */
int pipeline_model_lanes_add(cJSON *model, const struct pipeline_parts *x, struct err *e);
int pipeline_model_load_add(cJSON *model, const struct pipeline_parts *x, struct err *e);
void pipeline_model_chain_add(cJSON *model, const struct pipeline_parts *x);
int pipeline_model_processes_add(cJSON *model, const struct pipeline_parts *x, struct err *e);

/* "config": lines to paste, one block for all processes that have a proposal. */
struct pipeline_config {
	struct buf nextflow, threads, resources, slurm;
	size_t n;
};
void pipeline_model_config_take(struct pipeline_config *c, const char *process,
                                const struct fleet_proposal *proposal);
void pipeline_model_config_add(cJSON *model, const struct pipeline_parts *x,
                               struct pipeline_config *c);

#endif
