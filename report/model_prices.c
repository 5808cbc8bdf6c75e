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

static const char *server_name(const struct keeper_server *s)
{
	return *s->name ? s->name : *s->api_reference ? s->api_reference : s->server_id;
}

static const char *vendor_name(const struct keeper_server *s)
{
	return *s->vendor_name ? s->vendor_name : s->vendor_id;
}

static void add_server(cJSON *servers, const struct keeper_server *s, size_t rank, double duration,
                       const char *currency)
{
	cJSON *one = cJSON_CreateObject();
	char label[300];

	cJSON_AddItemToArray(servers, one);
	snprintf(label, sizeof label, "%s %s", vendor_name(s), server_name(s));
	cJSON_AddNumberToObject(one, "rank", (double)rank);
	cJSON_AddBoolToObject(one, "best", rank == 1);
	tree_cut(one, "vendor", s->vendor_id, TREE_TEXT_MAX);
	tree_cut(one, "vendor_name", vendor_name(s), TREE_TEXT_MAX);
	tree_cut(one, "server", server_name(s), TREE_TEXT_MAX);
	tree_cut(one, "label", label, TREE_TEXT_MAX);
	tree_quantity(one, "cpus", TREE_COUNT, s->vcpus);
	tree_quantity(one, "memory", TREE_BYTES, s->memory_mib * 1048576);
	tree_quantity(one, "gpus", TREE_COUNT, s->gpu_count);
	tree_cut_or_null(one, "arch", s->arch, TREE_NAME_MAX);
	tree_money(one, "price_hour", TREE_MONEY_HOUR, s->price_hour, currency);
	tree_money(one, "run_cost", TREE_MONEY, cost_run(s->price_hour, duration), currency);
	tree_quantity(one, "score", TREE_COUNT, s->score);
}

static void add_present(cJSON *prices, const struct keeper_result *k, double duration)
{
	cJSON *present;
	char label[300];

	tree_cut(prices, "present_why", k->present_why, TREE_TEXT_MAX);
	if (!k->present_known) {
		cJSON_AddNullToObject(prices, "present");
		return;
	}
	present = cJSON_AddObjectToObject(prices, "present");
	snprintf(label, sizeof label, "%s %s", k->present.vendor_id, server_name(&k->present));
	tree_cut(present, "label", label, TREE_TEXT_MAX);
	tree_money(present, "price_hour", TREE_MONEY_HOUR, k->present.price_hour, k->currency);
	tree_money(present, "run_cost", TREE_MONEY, cost_run(k->present.price_hour, duration),
	           k->currency);
	tree_cut(present, "where", k->present_where, TREE_TEXT_MAX);
}

static void add_savings(cJSON *prices, const struct keeper_result *k, double duration)
{
	struct cost_savings s = {0};
	char percent[UNITS_SIZE], amount[UNITS_SIZE], text[160];
	cJSON *savings;

	if (k->known && k->present_known)
		s = cost_saved(cost_run(k->present.price_hour, duration),
		               cost_run(k->server[0].price_hour, duration));
	if (!s.known) {
		cJSON_AddNullToObject(prices, "savings");
		return;
	}
	units_percent(fabs(s.percent), percent);
	units_money(fabs(s.amount), k->currency, amount);
	snprintf(text, sizeof text, "%s %s (%s) for a run", s.extra ? "Extra cost of" : "Saves",
	         amount, percent);
	savings = cJSON_AddObjectToObject(prices, "savings");
	tree_number(savings, "percent", s.percent);
	tree_number(savings, "amount", s.amount);
	cJSON_AddStringToObject(savings, "text", text);
	cJSON_AddBoolToObject(savings, "extra", s.extra);
}

static void add_prices(cJSON *model, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double duration = in->runs->v[0].duration;
	cJSON *prices = cJSON_AddObjectToObject(model, "prices"), *servers;
	char attribution[160] = "";

	if (k->known || k->present_known)
		keeper_attribution(k->retrieved_at, attribution);
	cJSON_AddBoolToObject(prices, "known", k->known);
	tree_cut(prices, "why", k->why, TREE_TEXT_MAX);
	tree_cut(prices, "currency", k->currency, TREE_TEXT_MAX);
	tree_cut(prices, "asked", k->asked, TREE_TEXT_MAX);
	add_present(prices, k, duration);
	servers = cJSON_AddArrayToObject(prices, "servers");
	for (size_t i = 0; i < k->n; i++)
		add_server(servers, &k->server[i], i + 1, duration, k->currency);
	add_savings(prices, k, duration);
	cJSON_AddStringToObject(prices, "attribution", attribution);
}

void model_add_prices(cJSON *model, const struct model_input *in)
{
	add_advice(model, in);
	add_prices(model, in);
}
