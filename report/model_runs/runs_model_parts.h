/*
 * runs_model_parts: a run of the list, and the parts of the tree.
 */
#ifndef REPORT_MODEL_RUNS_RUNS_MODEL_PARTS_H
#define REPORT_MODEL_RUNS_RUNS_MODEL_PARTS_H

#include "core/base/buf.h"
#include "report/model_runs/runs_model.h"
#include "report/units/units.h"

/* A run: of several recordings, CPUs and hours are sums, and memory that of the node or task with
 * the most. NAN and "": unknown. Texts are borrowed from the row, or in `made`. */
struct runs_values {
	const char *id, *job_id, *name, *user, *account, *host, *signal, *mostly, *origin;
	const char *workflow_run, *source, *report;
	const char *end;   /* "finished", "its time was up" … */
	const char *level; /* "", "warn", "bad" */
	double start, submit, wall_s, asked_time_s, code, recordings, class;
	double asked_cpus, cpus, cpu_efficiency;
	double asked_memory_b, memory_b, memory_efficiency;
	double asked_gpus, gpus, gpu_efficiency;
	double unused_core_h, unused_gib_h, unused_gpu_h, cost;
	struct buf made[3]; /* id, end, report */
};

void runs_values_fill(struct runs_values *r, const struct catalog_result v[CATALOG_COLUMNS],
                      const struct runs_model_input *in);
void runs_values_free(struct runs_values *r);

/* A row of "nextflow" (runs_model_trace.c). */
void runs_model_add_nextflow(cJSON *rows, const struct runs_values *r);

#endif
