/*
 * model: everything that a report shows, as one JSON tree (docs/model.md).
 */
#ifndef REPORT_MODEL_MODEL_H
#define REPORT_MODEL_MODEL_H

#include <cjson/cJSON.h>

#include "report/stats/state_use.h"
#include "report/verdict/model_input.h"

/* The whole tree, which the caller owns. NULL only without memory. */
cJSON *model_build(const struct model_input *in);

/* -- its parts, each in the file of its name; beside it, its keys ------------------------------ */

void model_run_add(cJSON *model, const struct model_input *in);    /* run, status, server, cloud */
void model_limits_add(cJSON *model, const struct model_input *in); /* limits, gpus */
void model_processes_add(cJSON *model, const struct model_input *in);
void model_phases_add(cJSON *model, const struct model_input *in);
void model_states_add(cJSON *model, const struct model_input *in);
void model_timeline_add(cJSON *model, const struct model_input *in);
void model_tiles_add(cJSON *model, const struct model_input *in);
void model_asked_add(cJSON *model, const struct model_input *in);
void model_usage_add(cJSON *model, const struct model_input *in);   /* usage, statistics, columns */
void model_history_add(cJSON *model, const struct model_input *in); /* history, trend */
void model_recording_add(cJSON *model, const struct model_input *in);
void model_array_add(cJSON *model, const struct model_input *in);
void model_parts_add(cJSON *model, const struct model_input *in);
void model_compare_add(cJSON *model, const struct model_input *in);
void model_advice_add(cJSON *model, const struct model_input *in);
void model_time_at_add(cJSON *model, const struct model_input *in);
void model_prices_add(cJSON *model, const struct model_input *in);
void model_time_cost_add(cJSON *prices, const struct model_input *in);
void model_gates_add(cJSON *model, const struct model_input *in);
void model_detail_add(cJSON *model, const struct model_input *in);

/* "states" of a phase or a process: null where they are not known. wait: its largest named wait, or
 * NULL. */
void model_states_bar(cJSON *row, const struct state_use *u, const struct snapshot_wait *wait);

/* The pictures in the rows of "usage", from "charts". */
void model_usage_sparks(cJSON *model);

/* "memory" of an advice. */
void model_memory_add(cJSON *advice, const struct model_input *in);

/* "snippets" of an advice. */
void model_advice_snippets(cJSON *advice, const struct advice *a);

#endif
