/* fleet_model_make: everything that the fleet page shows, as one JSON tree. */
#include "fleet/groups/fleet_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "report/model/model_gates.h"
#include "report/render/output_formats.h"
#include "report/units/model_json.h"

/* "1 to 30 November 2026, 30 days", as short as it is unambiguous. */
static void add_period_text(cJSON *period, double first, double last, double days)
{
	char from[64], to[64], other[64], count[UNITS_SIZE];
	bool same_month = strcmp(fleet_model_date(first, FLEET_DATE_MONTH, from),
	                         fleet_model_date(last, FLEET_DATE_MONTH, other)) == 0;
	bool same_year = strcmp(from + strlen(from) - 4, other + strlen(other) - 4) == 0;
	enum fleet_date how = FLEET_DATE_WHOLE;
	struct buf text = {0};

	fleet_model_date(last, FLEET_DATE_WHOLE, to);
	if (same_month)
		how = FLEET_DATE_OF_MONTH;
	else if (same_year)
		how = FLEET_DATE_OF_YEAR;
	fleet_model_date(first, how, from);
	if (days > 1)
		buf_printf(&text, "%s to %s, %s days", from, to, units_count(days, count));
	else
		buf_str(&text, to);
	model_json_take(period, "text", &text);
}

static void add_period(cJSON *model, const struct fleet *f)
{
	cJSON *period = cJSON_AddObjectToObject(model, "period");
	bool known = isfinite(f->first) && isfinite(f->last);

	cJSON_AddBoolToObject(period, "known", known);
	if (!known) {
		cJSON_AddStringToObject(period, "text", f->runs > 0 ? "unknown time" : "no runs");
		return;
	}
	model_json_time(period, "first", f->first);
	model_json_time(period, "last", f->last);
	add_period_text(period, f->first, f->last, fleet_model_period_days(f));
}

/* "Job, user": the name of the job is the first word of the page's terms. */
static void add_group_by(cJSON *model, const struct fleet_model_input *in)
{
	cJSON *keys = cJSON_AddArrayToObject(model, "group_by");
	struct buf head = {0};
	size_t n = in->group_by ? in->group_by->n : 0;

	for (size_t i = 0; i < (n ? n : 1); i++) {
		const char *key = n ? in->group_by->v[i] : "name";
		model_json_cut(keys, NULL, key, MODEL_JSON_NAME_MAX);
		buf_printf(&head, "%s%.*s", i ? ", " : "", (int)MODEL_JSON_NAME_MAX,
		           strcmp(key, "name") == 0 ? "job" : key);
	}
	if (head.s && *head.s >= 'a' && *head.s <= 'z')
		*head.s = (char)(*head.s - 'a' + 'A');
	model_json_cut(model, "group_head", buf_cstr(&head), MODEL_JSON_NAME_MAX);
	buf_free(&head);
}

/* A gate is a test case; a fleet itself neither fails nor passes. */
static void add_gates_junit(cJSON *model, const struct fleet_model_input *in)
{
	static const struct gate_results none;
	const struct gate_results *g = in->gates ? in->gates : &none;
	cJSON *junit = cJSON_AddObjectToObject(model, "junit");

	cJSON_AddNumberToObject(junit, "tests", (double)g->n);
	cJSON_AddNumberToObject(junit, "failures", (double)g->count[GATE_HOLDS]);
	cJSON_AddNumberToObject(junit, "skipped", (double)g->count[GATE_NOT_JUDGED]);
}

cJSON *fleet_model(const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *model = cJSON_CreateObject();

	if (!model)
		return NULL;
	model_json_head(model, FLEET_MODEL_FORMAT, in->integration, in->now,
	                in->title ? in->title : "Fleet");
	add_period(model, f);
	model_json_cut(model, "source", in->source ? in->source : "", MODEL_JSON_TEXT_MAX);
	fleet_model_words_filters(model, in->where, in->since, in->until);
	add_group_by(model, in);
	cJSON_AddBoolToObject(model, "has_money", fleet_model_has_money(f));
	cJSON_AddBoolToObject(model, "has_machine_hours", fleet_model_has_machine_hours(f));
	model_json_cut(model, "money_basis", in->money_basis ? in->money_basis : "",
	               MODEL_JSON_TEXT_MAX);
	model_json_cut(model, "attribution", in->attribution ? in->attribution : "",
	               MODEL_JSON_TEXT_MAX);
	fleet_model_add_verdict(model, f, in);
	fleet_model_add_groups(model, f, in);
	fleet_model_add_days(model, f);
	fleet_model_left_out_add(model, f, in);
	fleet_model_origins_add(model, f);
	model_gates_of(model, in->gates, "", "");
	fleet_model_add_openmetrics(model, f, in);
	add_gates_junit(model, in);
	fleet_model_words_inputs(model, in->failed, in->n_failed, in->all_failed);
	if (alloc_failed()) {
		cJSON_Delete(model);
		return NULL;
	}
	return model;
}
