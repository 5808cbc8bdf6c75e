/*
 * chart_states: where the time of a run went, over time: a strip on the charts' time axis.
 */
#ifndef REPORT_CHART_CHART_STATES_H
#define REPORT_CHART_CHART_STATES_H

#include <cjson/cJSON.h>

#include "report/runs/load.h"

#define CHART_STATES_COLUMNS 120 /* of the picture, at most */
#define CHART_STATES_W       1000
#define CHART_STATES_H       100

/* Adds "strip" (docs/model.md) to the model's states: null where the states are not known at any
 * time. -1 only without memory. */
int chart_states_add(cJSON *states, const struct run *run);

#endif
