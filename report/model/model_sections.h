/*
 * model_sections: the sections of a run's model (docs/model.md), for model.c: each adds the keys
 * beside it. A section that is not named like its file is a part of that file.
 */
#ifndef REPORT_MODEL_MODEL_SECTIONS_H
#define REPORT_MODEL_MODEL_SECTIONS_H

#include <cjson/cJSON.h>

#include "report/stats/state_use.h"
#include "report/verdict/model_input.h"

void model_processes_add(cJSON *model, const struct model_input *in); /* and timeline */
void model_states_add(cJSON *model, const struct model_input *in);    /* phases, states */
void model_usage_tiles(cJSON *model, const struct model_input *in);   /* tiles */
void model_usage_add(cJSON *model, const struct model_input *in); /* usage, statistics, columns */
void model_asked_add(cJSON *model, const struct model_input *in);
void model_history_add(cJSON *model, const struct model_input *in);     /* history, trend */
void model_history_compare(cJSON *model, const struct model_input *in); /* compare */
void model_parts_add(cJSON *model, const struct model_input *in);       /* array, parts */
void model_advice_add(cJSON *model, const struct model_input *in);
void model_prices_add(cJSON *model, const struct model_input *in); /* time_at, prices */
void model_gates_add(cJSON *model, const struct model_input *in);

/* "states" of a phase or a process: null where they are not known. wait: its largest named wait, or
 * NULL. */
void model_states_bar(cJSON *row, const struct state_use *u, const struct snapshot_wait *wait);

/* The pictures in the rows of "usage", from "charts". */
void model_usage_sparks(cJSON *model);

#endif
