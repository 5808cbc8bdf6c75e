/* runs_trace: runs as rows of the trace that Nextflow writes. */
#include "fleet/list/runs_trace.h"

#include <math.h>
#include <stdio.h>

#include "core/recording/snapshot.h"
#include "report/units/model_json.h"
#include "report/units/nextflow.h"

static const char *trace_status(const struct runs_values *r)
{
	if (r->class == CATALOG_UNFINISHED)
		return "ABORTED";
	return *r->level ? "FAILED" : isnan(r->code) ? NEXTFLOW_NOTHING : "COMPLETED";
}

static const char *trace_exit(const struct runs_values *r, char out[64])
{
	int signal = snapshot_signal_number(r->signal);

	if (signal > 0)
		snprintf(out, 64, "%d", 128 + signal);
	else if (isfinite(r->code))
		snprintf(out, 64, "%.0f", r->code);
	else
		return NEXTFLOW_NOTHING;
	return out;
}

/* A row has no resident sizes: the peak is that of the job's memory, with shared memory once. */
void runs_trace_add(cJSON *rows, const struct runs_values *r)
{
	double submit = isnan(r->submit) ? r->start : r->submit;
	cJSON *o = model_json_row(rows);
	char text[64];

	cJSON_AddStringToObject(o, "task_id", NEXTFLOW_NOTHING);
	cJSON_AddStringToObject(o, "hash", NEXTFLOW_NOTHING);
	model_json_cut(o, "native_id", *r->job_id ? r->id : NEXTFLOW_NOTHING, MODEL_JSON_NAME_MAX);
	model_json_cut(o, "name", *r->name ? r->name : NEXTFLOW_NOTHING, MODEL_JSON_NAME_MAX);
	cJSON_AddStringToObject(o, "status", trace_status(r));
	cJSON_AddStringToObject(o, "exit", trace_exit(r, text));
	cJSON_AddStringToObject(o, "submit", nextflow_date(submit, text));
	cJSON_AddStringToObject(o, "duration",
	                        nextflow_duration(r->start + r->wall_s - submit, text));
	cJSON_AddStringToObject(o, "realtime", nextflow_duration(r->wall_s, text));
	snprintf(text, sizeof text, "%.1f%%", 100 * r->cpus);
	cJSON_AddStringToObject(o, "cpu", isfinite(r->cpus) ? text : NEXTFLOW_NOTHING);
	cJSON_AddStringToObject(o, "peak_rss", nextflow_memory(r->memory_b, text));
	cJSON_AddStringToObject(o, "peak_vmem", NEXTFLOW_NOTHING);
	cJSON_AddStringToObject(o, "rchar", NEXTFLOW_NOTHING);
	cJSON_AddStringToObject(o, "wchar", NEXTFLOW_NOTHING);
}
