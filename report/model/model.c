/* model: everything that a report shows, as one JSON tree. */
#include "report/model/model.h"
#include "report/runs/job_key.h"

#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart.h"
#include "report/model/model_head.h"
#include "report/units/model_json.h"
#include "report/verdict/verdict.h"

static void add_inputs(cJSON *model, const struct runs *r)
{
	cJSON *inputs = cJSON_AddArrayToObject(model, "inputs");

	for (size_t i = 0; i < r->n_failed; i++) {
		cJSON *one = cJSON_CreateObject();
		model_json_cut(one, "file", r->failed[i].file, MODEL_JSON_TEXT_MAX);
		cJSON_AddStringToObject(one, "error", r->failed[i].err.msg);
		cJSON_AddItemToArray(inputs, one);
	}
	cJSON_AddBoolToObject(model, "has_inputs_left_out", r->n_failed > 0);
}

static void add_recording_notes(cJSON *model, const struct snapshot *s)
{
	cJSON *notes = cJSON_AddArrayToObject(model, "notes");

	for (size_t i = 0; i < s->notes.n; i++)
		model_json_cut(notes, NULL, s->notes.v[i], MODEL_JSON_TEXT_MAX);
	cJSON_AddBoolToObject(model, "has_notes", s->notes.n > 0);
}

cJSON *model_build(const struct model_input *in)
{
	cJSON *model = cJSON_CreateObject(), *charts;
	const struct run *run = &in->runs->v[0];

	if (!model)
		return NULL;
	model_head_add(model, "rtrack-model", in->integration, in->now,
	               in->title ? in->title : job_key_name(run));
	model_add_run(model, in);
	model_add_limits(model, in);
	model_add_processes(model, in);
	model_add_phases(model, in);
	model_tiles_add(model, in);
	verdict_add(model, in);
	model_add_asked(model, in);
	model_add_usage(model, in);
	model_add_recording(model, in);
	model_add_array(model, in);
	model_add_parts(model, in);
	model_add_compare(model, in);
	model_add_advice(model, in);
	model_add_prices(model, in);
	model_add_gates(model, in);
	model_add_detail(model, in);
	charts = alloc_failed() ? NULL : chart_all(run);
	if (!charts || !cJSON_AddItemToObject(model, "charts", charts)) {
		cJSON_Delete(charts);
		cJSON_Delete(model);
		return NULL;
	}
	model_add_usage_sparks(model);
	add_inputs(model, in->runs);
	add_recording_notes(model, &run->snapshot);
	return model;
}
