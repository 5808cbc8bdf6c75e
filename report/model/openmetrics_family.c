/* openmetrics_family: metric families of OpenMetrics 1.0. */
#include "report/model/openmetrics_family.h"

#include <math.h>
#include <string.h>

#include "report/units/model_json.h"

static void begin_family(struct openmetrics_family *f)
{
	cJSON *family = model_json_row(f->all);

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
	cJSON *sample, *labels;

	if (!f->samples)
		begin_family(f);
	sample = model_json_row(f->samples);
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

void openmetrics_next(struct openmetrics_family *f, const char *name, const char *unit,
                      const char *help)
{
	*f = (struct openmetrics_family){.all = f->all,
	                                 .key = f->key,
	                                 .of = f->of,
	                                 .name = name,
	                                 .type = "gauge",
	                                 .unit = unit,
	                                 .help = help};
}

void openmetrics_value(struct openmetrics_family *f, const char *name, const char *unit,
                       const char *help, double v)
{
	openmetrics_next(f, name, unit, help);
	openmetrics_member(f, NULL, NULL, NULL, v);
}

/* A condition that was not judged has no sample: it neither holds nor fails. */
void openmetrics_gates(struct openmetrics_family *f, const struct gate_results *gates)
{
	openmetrics_next(f, "rtrack_gate", NULL, "1 if the condition holds, which fails the run.");
	f->label = "expression";
	for (size_t i = 0; gates && i < gates->n; i++) {
		enum gate_answer answer = gates->v[i].result.answer;
		if (answer != GATE_NOT_JUDGED)
			openmetrics_member(f, gates->v[i].gate.text, NULL, NULL,
			                   answer == GATE_HOLDS);
	}
}
