/*
 * runs_trace: runs as rows of the trace that Nextflow writes.
 */
#ifndef REPORT_MODEL_RUNS_RUNS_TRACE_H
#define REPORT_MODEL_RUNS_RUNS_TRACE_H

#include <cjson/cJSON.h>

#include "report/model_runs/runs_values.h"

/* Appends a row of "nextflow". */
void runs_trace_add(cJSON *rows, const struct runs_values *r);

#endif
