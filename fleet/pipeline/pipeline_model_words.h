/*
 * pipeline_model_words: what several parts of the model use: their input, words.
 */
#ifndef FLEET_PIPELINE_PIPELINE_MODEL_WORDS_H
#define FLEET_PIPELINE_PIPELINE_MODEL_WORDS_H

#include "fleet/pipeline/pipeline_chain.h"
#include "fleet/pipeline/pipeline_model.h"
#include "report/units/units.h"

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

/* "failed", "out of memory", "unfinished", "done". */
const char *pipeline_model_words_ended(enum pipeline_end ended);

/* The attempt's name, "unknown" where it has none, and ", attempt 2" where it is one of several. */
void pipeline_model_words_name(const struct pipeline_parts *x, const struct pipeline_attempt *a,
                               struct buf *out);

#endif
