/*
 * model: everything that a report shows, as one JSON tree (docs/model.md).
 */
#ifndef REPORT_MODEL_MODEL_H
#define REPORT_MODEL_MODEL_H

#include <cjson/cJSON.h>

#include "report/verdict/model_input.h"

/* The whole tree, which the caller owns. NULL only without memory. */
cJSON *model_build(const struct model_input *in);

#endif
