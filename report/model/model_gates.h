/*
 * model_gates: the model's "gates" (docs/model.md), of a run and of a fleet.
 */
#ifndef REPORT_MODEL_MODEL_GATES_H
#define REPORT_MODEL_MODEL_GATES_H

#include <cjson/cJSON.h>

#include "report/advice/gate_results.h"

/* g: NULL: none. price, missing: sentences, or "". */
void model_gates_of(cJSON *model, const struct gate_results *g, const char *price,
                    const char *missing);

#endif
