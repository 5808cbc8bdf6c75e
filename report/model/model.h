/*
 * model: everything that a report shows, as one JSON tree (docs/model.md).
 */
#ifndef REPORT_MODEL_MODEL_H
#define REPORT_MODEL_MODEL_H

#include <cjson/cJSON.h>

#include "report/verdict/model_input.h"

/* The whole tree, which the caller owns. NULL only without memory. */
cJSON *model_build(const struct model_input *in);

/* -- its parts, each in a file of its own ------------------------------------------------------ */

/* "run", "status", "server" and "cloud" (model_run.c). */
void model_run_add(cJSON *model, const struct model_input *in);

/* "limits" and "gpus" (model_limits.c). */
void model_limits_add(cJSON *model, const struct model_input *in);

/* "processes" (model_processes.c) and "phases" (model_phases.c). */
void model_processes_add(cJSON *model, const struct model_input *in);
void model_phases_add(cJSON *model, const struct model_input *in);

/* "asked" (model_asked.c). */
void model_asked_add(cJSON *model, const struct model_input *in);

/* "usage", "statistics", "columns" (model_usage.c), and with them "history" and "trend"
 * (model_history.c). The pictures in the rows of "usage" are added later, from "charts". */
void model_usage_add(cJSON *model, const struct model_input *in);
void model_usage_sparks(cJSON *model);
void model_history_add(cJSON *model, const struct model_input *in);

/* "recording" (model_recording.c). */
void model_recording_add(cJSON *model, const struct model_input *in);

/* "array" (model_array.c). */
void model_array_add(cJSON *model, const struct model_input *in);

/* "compare" (model_compare.c). */
void model_compare_add(cJSON *model, const struct model_input *in);

/* "advice" (model_advice.c), and "prices" (model_prices.c). */
void model_advice_add(cJSON *model, const struct model_input *in);
void model_prices_add(cJSON *model, const struct model_input *in);

/* "snippets" of it (model_advice.c). */
void model_advice_snippets(cJSON *advice, const struct advice *a);

/* "parts" (model_parts.c). */
void model_parts_add(cJSON *model, const struct model_input *in);

/* "detail" (model_detail.c). */
void model_detail_add(cJSON *model, const struct model_input *in);

/* "gates" (model_gates.c). */
void model_gates_add(cJSON *model, const struct model_input *in);

/* "tiles" (model_tiles.c). */
void model_tiles_add(cJSON *model, const struct model_input *in);

#endif
