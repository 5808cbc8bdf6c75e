/* model: everything that a report shows, as one JSON tree. */
#include "report/model/model.h"
#include "report/runs/job_key.h"

#include "core/base/alloc_failed.h"
#include "core/processes/process_tree.h"
#include "report/chart/chart.h"
#include "report/units/model_json.h"
#include "report/units/others_text.h"
#include "report/verdict/verdict.h"

static void add_inputs(cJSON *model, const struct runs *r)
{
	cJSON *inputs = cJSON_AddArrayToObject(model, "inputs");
	struct buf others = {0};

	for (size_t i = 0; i < r->n_failed; i++) {
		cJSON *one = model_json_row(inputs);
		model_json_cut(one, "file", r->failed[i].file, MODEL_JSON_TEXT_MAX);
		cJSON_AddStringToObject(one, "error", r->failed[i].err.msg);
	}
	others_text(&r->others, &others);
	if (others.len) {
		cJSON *one = model_json_row(inputs);
		cJSON_AddStringToObject(one, "file", "");
		model_json_take(one, "error", &others);
	}
	cJSON_AddBoolToObject(model, "has_inputs_left_out", cJSON_GetArraySize(inputs) > 0);
}

/* Of a page that is an input: it has only their number (model_recording.c). */
static const char left_out_of_page[] =
    "The time line of the processes is not here: they are too many for the page that was read. The "
    "recording has them.";

static void add_recording_notes(cJSON *model, const struct snapshot *s)
{
	cJSON *notes = cJSON_AddArrayToObject(model, "notes");

	for (size_t i = 0; i < s->notes.n; i++)
		model_json_cut(notes, NULL, s->notes.v[i], MODEL_JSON_TEXT_MAX);
	if (s->tree && !s->tree->kept)
		cJSON_AddItemToArray(notes, cJSON_CreateString(left_out_of_page));
	cJSON_AddBoolToObject(model, "has_notes", cJSON_GetArraySize(notes) > 0);
}

cJSON *model_build(const struct model_input *in)
{
	cJSON *model = cJSON_CreateObject(), *charts;
	const struct run *run = &in->runs->v[0];

	if (!model)
		return NULL;
	model_json_head(model, "rtrack-model", in->integration, in->now,
	                in->title ? in->title : job_key_name(run));
	model_json_number(model, "every_s", in->every_s > 0 ? in->every_s : (double)NAN);
	model_run_add(model, in);
	model_limits_add(model, in);
	model_processes_add(model, in);
	model_phases_add(model, in);
	model_states_add(model, in);
	model_timeline_add(model, in);
	model_tiles_add(model, in);
	verdict_add(model, in);
	model_asked_add(model, in);
	model_usage_add(model, in);
	model_history_add(model, in);
	model_recording_add(model, in);
	model_array_add(model, in);
	model_parts_add(model, in);
	model_compare_add(model, in);
	model_advice_add(model, in);
	model_time_at_add(model, in);
	model_prices_add(model, in);
	model_gates_add(model, in);
	model_detail_add(model, in);
	charts = alloc_failed() ? NULL : chart_all(run);
	if (!charts || !cJSON_AddItemToObject(model, "charts", charts)) {
		cJSON_Delete(charts);
		cJSON_Delete(model);
		return NULL;
	}
	model_usage_sparks(model);
	add_inputs(model, in->runs);
	add_recording_notes(model, &run->snapshot);
	return model;
}
