/* model_prices: the model's advice and prices. */
#include <math.h>
#include <stdio.h>

#include "model.h"
#include "tree.h"
#include "units.h"

static void add_item(cJSON *items, const char *id, const char *label, long value, const char *one,
                     const char *many, const char *formula)
{
	cJSON *item = cJSON_CreateObject();
	bool known = advice_known(formula);
	char text[64];

	snprintf(text, sizeof text, "%ld %s", value, value == 1 ? one : many);
	cJSON_AddItemToArray(items, item);
	cJSON_AddStringToObject(item, "id", id);
	cJSON_AddStringToObject(item, "label", label);
	tree_number(item, "value", known ? (double)value : (double)NAN);
	cJSON_AddStringToObject(item, "text", known ? text : ADVICE_NOT_MEASURED);
	cJSON_AddStringToObject(item, "formula", formula);
}

/* Lines of our own. */
static void add_snippet(cJSON *snippets, const struct advice_snippet *snippet)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddItemToArray(snippets, one);
	cJSON_AddStringToObject(one, "id", snippet->id);
	cJSON_AddStringToObject(one, "label", snippet->label);
	cJSON_AddStringToObject(one, "text", snippet->text);
}

/* A machine without GPUs has no use for two figures of zero. */
static bool has_gpus(const struct model_input *in)
{
	const struct advice *a = in->advice;

	return a->gpu || a->vram_mib || in->runs->v[0].snapshot.server.gpu_count > 0;
}

static void add_advice(cJSON *model, const struct model_input *in)
{
	const struct advice *a = in->advice;
	struct advice_snippet snippet[ADVICE_SNIPPETS_MAX];
	cJSON *advice = cJSON_AddObjectToObject(model, "advice"), *items, *snippets;
	size_t n = advice_snippets(a, snippet, ADVICE_SNIPPETS_MAX);
	bool known = advice_known(a->cpu_formula) || advice_known(a->memory_formula);

	cJSON_AddBoolToObject(advice, "known", known);
	cJSON_AddStringToObject(advice, "basis", in->basis);
	items = cJSON_AddArrayToObject(advice, "items");
	add_item(items, "cpu", "CPUs", a->cpu, "CPU", "CPUs", a->cpu_formula);
	add_item(items, "memory", "Memory", a->memory_mib, "MiB", "MiB", a->memory_formula);
	if (has_gpus(in)) {
		add_item(items, "gpu", "GPUs", a->gpu, "GPU", "GPUs", a->gpu_formula);
		add_item(items, "vram", "GPU memory", a->vram_mib, "MiB", "MiB", a->vram_formula);
	}
	snippets = cJSON_AddArrayToObject(advice, "snippets");
	for (size_t i = 0; i < n; i++)
		add_snippet(snippets, &snippet[i]);
}

/* How old the prices are, where they are past their time: at the report's own time, so that the
 * same cache makes the same bytes. */
static void add_age(cJSON *prices, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double age = in->now - k->retrieved_at;
	char text[UNITS_SIZE], sentence[640] = "";

	if (!(k->age_s > 0)) {
		cJSON_AddNullToObject(prices, "age");
	} else {
		age = age >= 0 ? age : k->age_s;
		tree_quantity(prices, "age", TREE_SECONDS, age);
		snprintf(sentence, sizeof sentence, "These prices are %s old, from the cache: %s.",
		         units_seconds(age, text), k->age_why);
	}
	tree_cut(prices, "age_why", sentence, TREE_TEXT_MAX);
	snprintf(sentence, sizeof sentence, "Prices are not kept: %s.", k->cache_why);
	tree_cut(prices, "cache_why", *k->cache_why ? sentence : "", TREE_TEXT_MAX);
}

static void add_prices(cJSON *model, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	cJSON *prices = cJSON_AddObjectToObject(model, "prices");
	char attribution[160] = "";

	if (k->known || k->present_known)
		keeper_attribution(k->retrieved_at, attribution);
	cJSON_AddBoolToObject(prices, "known", k->known);
	tree_cut(prices, "why", k->why, TREE_TEXT_MAX);
	tree_cut(prices, "currency", k->currency, TREE_TEXT_MAX);
	tree_cut(prices, "asked", k->asked, TREE_TEXT_MAX);
	add_age(prices, in);
	model_add_offers(prices, in);
	cJSON_AddStringToObject(prices, "attribution", attribution);
}

void model_add_prices(cJSON *model, const struct model_input *in)
{
	add_advice(model, in);
	add_prices(model, in);
}
