/*
 * model_advice: the snippets of an advice in a model (docs/model.md), of a run and of a fleet.
 */
#ifndef REPORT_MODEL_MODEL_ADVICE_H
#define REPORT_MODEL_MODEL_ADVICE_H

#include <cjson/cJSON.h>

#include "report/advice/advice.h"

/* Adds "snippets". */
void model_advice_snippets(cJSON *advice, const struct advice *a);

#endif
