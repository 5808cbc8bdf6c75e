/*
 * pipeline_model_processes: the processes of the tree, and the lines to paste.
 */
#ifndef FLEET_PIPELINE_PIPELINE_MODEL_PROCESSES_H
#define FLEET_PIPELINE_PIPELINE_MODEL_PROCESSES_H

#include "fleet/pipeline/pipeline_model_words.h"

/* "processes" and "config", which go over the processes once, because their proposals take time. -1
 * with a sentence. */
int pipeline_model_processes_add(cJSON *model, const struct pipeline_parts *x, struct err *e);

#endif
