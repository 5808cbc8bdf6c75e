/* model_advice: the model's advice. */
#include <math.h>
#include <stdio.h>

#include "report/advice/advice_notes.h"
#include "report/advice/confidence.h"
#include "report/advice/snippets.h"
#include "report/model/model.h"
#include "report/units/model_json.h"

static void add_advice_item(cJSON *items, const char *id, const char *label, long value,
                            const char *unit, const char *formula)
{
	cJSON *item = model_json_row(items);
	bool known = advice_known(formula);
	char text[64];

	snprintf(text, sizeof text, "%ld %s", value, unit);
	cJSON_AddStringToObject(item, "id", id);
	cJSON_AddStringToObject(item, "label", label);
	model_json_number(item, "value", known ? (double)value : (double)NAN);
	cJSON_AddStringToObject(item, "text", known ? text : ADVICE_NOT_MEASURED);
	cJSON_AddStringToObject(item, "formula", formula);
}

/* Without GPUs two zeros would only distract. */
static bool shows_gpus(const struct model_input *in)
{
	const struct advice *a = in->advice;

	return a->gpu || a->vram_mib || in->runs->v[0].snapshot.server.gpu_count > 0;
}

static void add_advice_items(cJSON *advice, const struct model_input *in)
{
	const struct advice *a = in->advice;
	cJSON *items = cJSON_AddArrayToObject(advice, "items");

	add_advice_item(items, "cpu", "CPUs", a->cpu, a->cpu == 1 ? "CPU" : "CPUs", a->cpu_formula);
	add_advice_item(items, "memory", "Memory", a->memory_mib, "MiB", a->memory_formula);
	if (shows_gpus(in)) {
		add_advice_item(items, "gpu", "GPUs", a->gpu, a->gpu == 1 ? "GPU" : "GPUs",
		                a->gpu_formula);
		add_advice_item(items, "vram", "GPU memory", a->vram_mib, "MiB", a->vram_formula);
	}
	if (a->time_min)
		add_advice_item(items, "time", "Time limit", a->time_min, "min", a->time_formula);
}

void model_advice_snippets(cJSON *advice, const struct advice *a)
{
	struct snippet snippet[SNIPPETS_MAX];
	cJSON *snippets = cJSON_AddArrayToObject(advice, "snippets");
	size_t n = snippets_make(a, snippet, SNIPPETS_MAX);

	for (size_t i = 0; i < n; i++) {
		cJSON *one = model_json_row(snippets);
		cJSON_AddStringToObject(one, "id", snippet[i].id);
		cJSON_AddStringToObject(one, "label", snippet[i].label);
		cJSON_AddStringToObject(one, "text", snippet[i].text);
	}
}

static void add_advice_notes(cJSON *advice, const struct model_input *in)
{
	struct advice_note note[ADVICE_NOTES_MAX];
	cJSON *notes = cJSON_AddArrayToObject(advice, "notes");
	size_t n = advice_notes_make(in->runs, in->advice, note);

	for (size_t i = 0; i < n; i++) {
		cJSON *one = model_json_row(notes);
		cJSON_AddStringToObject(one, "id", note[i].id);
		cJSON_AddStringToObject(one, "level", note[i].level);
		model_json_cut(one, "text", note[i].text, MODEL_JSON_TEXT_MAX);
	}
	cJSON_AddBoolToObject(advice, "has_notes", n > 0);
}

static void add_confidence(cJSON *advice, const struct runs *r)
{
	struct confidence_basis basis;
	struct confidence c;
	cJSON *one = cJSON_AddObjectToObject(advice, "confidence");

	confidence_basis_of(r, &basis);
	confidence_say(&basis, &c);
	cJSON_AddStringToObject(one, "word", c.word);
	cJSON_AddStringToObject(one, "level", c.level);
	model_json_cut(one, "text", c.text, MODEL_JSON_TEXT_MAX);
}

/* What resource-tracker's own rules say, which the items may differ from. */
static void add_resource_tracker(cJSON *advice, const struct advice *a)
{
	cJSON *o = cJSON_AddObjectToObject(advice, "resource_tracker");
	bool cpu = advice_known(a->cpu_formula), gpu = advice_known(a->gpu_formula);

	model_json_number(o, "cpu", cpu ? (double)a->cpu_mean : (double)NAN);
	model_json_number(o, "memory", a->peak_mib ? (double)a->peak_mib : (double)NAN);
	model_json_number(o, "gpu", gpu ? (double)a->gpu : (double)NAN);
	model_json_number(o, "vram",
	                  advice_known(a->vram_formula) ? (double)a->vram_mib : (double)NAN);
}

void model_advice_add(cJSON *model, const struct model_input *in)
{
	const struct advice *a = in->advice;
	cJSON *advice = cJSON_AddObjectToObject(model, "advice");

	cJSON_AddBoolToObject(advice, "known",
	                      advice_known(a->cpu_formula) || advice_known(a->memory_formula));
	cJSON_AddStringToObject(advice, "basis", in->basis);
	add_resource_tracker(advice, a);
	cJSON_AddNumberToObject(advice, "nodes", a->nodes > 1 ? (double)a->nodes : 1);
	add_advice_items(advice, in);
	model_advice_snippets(advice, a);
	add_advice_notes(advice, in);
	add_confidence(advice, in->runs);
	model_memory_add(advice, in);
}
