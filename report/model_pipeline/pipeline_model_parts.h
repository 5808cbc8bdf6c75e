/*
 * pipeline_model_parts: the parts of the tree, each in a file of its own.
 */
#ifndef REPORT_MODEL_PIPELINE_PIPELINE_MODEL_PARTS_H
#define REPORT_MODEL_PIPELINE_PIPELINE_MODEL_PARTS_H

#include "report/model_pipeline/pipeline_model.h"
#include "report/pipeline/pipeline_chain.h"
#include "report/units/units.h"

#define PIPELINE_MODEL_NAME ((size_t)60) /* bytes of a name in a picture or a sentence */

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
int pipeline_model_add_lanes(cJSON *model, const struct pipeline_parts *x, struct err *e);
int pipeline_model_add_load(cJSON *model, const struct pipeline_parts *x, struct err *e);
void pipeline_model_add_chain(cJSON *model, const struct pipeline_parts *x);
int pipeline_model_add_processes(cJSON *model, const struct pipeline_parts *x, struct err *e);

/* "config": lines to paste, one block for all processes that have a proposal. */
struct pipeline_config {
	struct buf nextflow, threads, resources, slurm;
	size_t n;
};
void pipeline_config_take(struct pipeline_config *c, const char *process,
                          const struct fleet_proposal *proposal);
void pipeline_config_add(cJSON *model, const struct pipeline_parts *x, struct pipeline_config *c);

/* -- words ------------------------------------------------------------------------------------- */

/* "failed", "out of memory", "unfinished", "done". */
const char *pipeline_model_ended(enum pipeline_end ended);

/* The attempt's name, "unknown" where it has none, and ", attempt 2" where it is one of several. */
void pipeline_model_name(const struct pipeline_parts *x, const struct pipeline_attempt *a,
                         struct buf *out);

/* A quantity whose text is "unknown" where v is NAN. */
void pipeline_model_quantity(cJSON *parent, const char *key, enum unit u, double v);

/* Hours of anything, without their unit. */
const char *pipeline_model_hours(double v, char out[32]);

#endif
