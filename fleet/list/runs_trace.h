/*
 * runs_trace: runs as rows of the trace that Nextflow writes.
 */
#ifndef FLEET_LIST_RUNS_TRACE_H
#define FLEET_LIST_RUNS_TRACE_H

#include <cjson/cJSON.h>

#include "fleet/list/runs_values.h"

/* Appends a row of "nextflow". */
void runs_trace_add(cJSON *rows, const struct runs_values *r);

#endif
