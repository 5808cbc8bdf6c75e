/* model_phases: the model's table of what each phase of the run used. */
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "report/model/model.h"
#include "report/stats/phase_usage.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

static void add_phase_measure(cJSON *array, enum phase_usage_measure m, const struct phase_stats *s)
{
	const struct phase_usage_column *c = &phase_usage_columns[m];
	cJSON *one = model_json_row(array);

	cJSON_AddStringToObject(one, "id", c->id);
	cJSON_AddStringToObject(one, "label", c->label);
	model_json_quantity(one, "min", c->unit, s->min);
	model_json_quantity(one, "max", c->unit, s->max);
	model_json_quantity(one, "mean", c->unit, s->mean);
	model_json_quantity(one, "sd", c->unit, s->sd);
}

/* "once"; "3 times, 0.95 s on average". */
static void add_times_text(cJSON *row, size_t count, double mean)
{
	if (count > 1)
		model_json_printf(row, "times", "%s times, %s on average",
		                  UNITS_COUNT((double)count), UNITS_SECONDS(mean));
	else
		cJSON_AddStringToObject(row, "times", "once");
}

static void add_phase_row(cJSON *rows, const struct phase_usage *u, size_t index, double length)
{
	const struct phase_usage_name *p = &u->name[index];
	cJSON *row = model_json_row(rows), *array;
	struct state_use states;
	double share = p->total_s / length, mean = stats_round(p->total_s / (double)p->count, 3);

	model_json_cut(row, "name", p->name, MODEL_JSON_NAME_MAX);
	model_json_number(row, "index", (double)index);
	model_json_quantity(row, "count", UNIT_COUNT, (double)p->count);
	model_json_quantity(row, "total", UNIT_SECONDS, stats_round(p->total_s, 3));
	model_json_quantity(row, "mean", UNIT_SECONDS, mean);
	add_times_text(row, p->count, mean);
	model_json_quantity(row, "share", UNIT_PERCENT,
	                    share > 1 ? 100 : stats_round(share * 100, 1));
	states = state_use_of_seconds(p->states_s);
	model_states_bar(row, &states, NULL);
	array = cJSON_AddArrayToObject(row, "measures");
	for (int m = 0; m < PHASE_USAGE_MEASURES; m++)
		if (u->measured[m])
			add_phase_measure(array, (enum phase_usage_measure)m, &p->of[m]);
}

/* For the charts' script. */
static void add_bands(cJSON *phases, const struct phase_usage *u)
{
	cJSON *data = cJSON_AddObjectToObject(phases, "data");
	cJSON *names = cJSON_AddArrayToObject(data, "names");
	cJSON *bands = cJSON_AddArrayToObject(data, "bands");

	for (size_t i = 0; i < u->n; i++)
		model_json_cut(names, NULL, u->name[i].name, MODEL_JSON_NAME_MAX);
	for (size_t i = 0; i < u->n_spans; i++) {
		cJSON *band = cJSON_CreateArray();
		cJSON_AddItemToArray(bands, band);
		model_json_number(band, NULL, (double)u->span[i].name);
		model_json_number(band, NULL, u->span[i].from);
		model_json_number(band, NULL, u->span[i].to);
	}
}

static void add_phase_table(cJSON *phases, const struct phase_usage *u, const struct run *run)
{
	cJSON *heads = cJSON_AddArrayToObject(phases, "measures");
	cJSON *rows = cJSON_AddArrayToObject(phases, "rows");
	bool states = false;

	for (int m = 0; m < PHASE_USAGE_MEASURES; m++) {
		cJSON *head;
		if (!u->measured[m])
			continue;
		head = model_json_row(heads);
		cJSON_AddStringToObject(head, "id", phase_usage_columns[m].id);
		cJSON_AddStringToObject(head, "label", phase_usage_columns[m].label);
	}
	for (size_t i = 0; i < u->n; i++) {
		add_phase_row(rows, u, i, run->duration);
		states |= state_use_of_seconds(u->name[i].states_s).known;
	}
	cJSON_AddBoolToObject(phases, "has_states", states);
	add_bands(phases, u);
}

void model_phases_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	cJSON *phases = cJSON_AddObjectToObject(model, "phases");
	struct phase_usage *u = alloc_failed_note(calloc(1, sizeof *u));

	/* Without memory alloc_failed() is true, and there will be no model. */
	if (!u || phase_usage_of(run, u, NULL))
		goto out;
	cJSON_AddBoolToObject(phases, "known", u->n > 0);
	model_json_number(phases, "left_out", (double)u->left_out);
	if (u->n)
		add_phase_table(phases, u, run);
out:
	free(u);
}
