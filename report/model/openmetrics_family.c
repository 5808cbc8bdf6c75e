/* openmetrics_family: metric families of OpenMetrics 1.0. */
#include "report/model/openmetrics_family.h"

#include <math.h>
#include <string.h>

#include "report/units/model_json.h"

static void begin_family(struct openmetrics_family *f)
{
	cJSON *family = cJSON_CreateObject();

	cJSON_AddItemToArray(f->all, family);
	cJSON_AddStringToObject(family, "name", f->name);
	cJSON_AddStringToObject(family, "type", f->type);
	model_json_cut_or_null(family, "unit", f->unit, MODEL_JSON_NAME_MAX);
	cJSON_AddStringToObject(family, "help", f->help);
	f->samples = cJSON_AddArrayToObject(family, "samples");
}

void openmetrics_label(cJSON *labels, const char *key, const char *value)
{
	cJSON *label;

	if (!key || !value || !*value)
		return;
	label = cJSON_CreateObject();
	cJSON_AddStringToObject(label, "comma", cJSON_GetArraySize(labels) ? "," : "");
	cJSON_AddStringToObject(label, "key", key);
	model_json_cut(label, "value", value, MODEL_JSON_NAME_MAX);
	cJSON_AddItemToArray(labels, label);
}

cJSON *openmetrics_sample(struct openmetrics_family *f, const char *suffix, double v)
{
	cJSON *sample = cJSON_CreateObject(), *labels;

	if (!f->samples)
		begin_family(f);
	cJSON_AddItemToArray(f->samples, sample);
	cJSON_AddStringToObject(sample, "suffix", suffix);
	labels = cJSON_AddArrayToObject(sample, "labels");
	openmetrics_label(labels, f->key, f->of);
	model_json_number(sample, "value", v);
	return labels;
}

cJSON *openmetrics_member(struct openmetrics_family *f, const char *member, const char *key,
                          const char *value, double v)
{
	bool counter = strcmp(f->type, "counter") == 0;
	cJSON *labels;

	if (!isfinite(v) || (counter && v < 0))
		return NULL;
	labels = openmetrics_sample(f, counter ? "_total" : "", v);
	openmetrics_label(labels, f->label, member);
	openmetrics_label(labels, key, value);
	return labels;
}

/* A condition that was not judged has no sample: it neither holds nor fails. */
void openmetrics_gates(const struct openmetrics_family *to, const struct gate_results *gates)
{
	struct openmetrics_family f = {.all = to->all,
	                               .key = to->key,
	                               .of = to->of,
	                               .name = "rtrack_gate",
	                               .type = "gauge",
	                               .help = "1 if the condition holds, which fails the run.",
	                               .label = "expression"};

	for (size_t i = 0; gates && i < gates->n; i++) {
		enum gate_answer answer = gates->v[i].result.answer;
		if (answer != GATE_NOT_JUDGED)
			openmetrics_member(&f, gates->v[i].gate.text, NULL, NULL,
			                   answer == GATE_HOLDS);
	}
}
