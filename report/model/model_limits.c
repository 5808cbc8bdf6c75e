/* model_limits: the model's "limits" and "gpus". */
#include <math.h>
#include <stdio.h>

#include "report/model/model.h"
#include "report/stats/gpu_brand.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

/* A limit with its source: "2 (cpu.max)". */
static void add_limit_with_source(cJSON *facts, const char *id, const char *label, const char *text,
                                  const char *from)
{
	struct buf all = {0};

	buf_str(&all, text);
	if (*from)
		buf_printf(&all, " (%s)", from);
	model_json_fact(facts, id, label, buf_cstr(&all));
	buf_free(&all);
}

static void add_bytes_limit(cJSON *facts, const char *id, const char *label, double b,
                            const char *from)
{
	if (!isnan(b))
		add_limit_with_source(facts, id, label, UNITS_TEXT(UNIT_BYTES, b), from);
}

static void add_cpu_limit(cJSON *facts, const struct snapshot_limits *l)
{
	if (!isnan(l->cpus))
		add_limit_with_source(facts, "cpus", "CPUs", UNITS_COUNT(l->cpus), l->cpus_from);
}

static void add_memory_limits(cJSON *facts, const struct snapshot_limits *l)
{
	if (isnan(l->memory_b))
		model_json_fact(facts, "memory", "Memory", "no limit found");
	else
		add_bytes_limit(facts, "memory", "Memory", l->memory_b, l->memory_from);
	add_bytes_limit(facts, "memory_high", "Throttled above", l->memory_high_b, "memory.high");
	add_bytes_limit(facts, "swap", "Swap", l->swap_b, "");
	add_bytes_limit(facts, "address_space", "Address space", l->address_space_b,
	                "per process, RLIMIT_AS");
}

static void add_limit_facts(cJSON *model, const struct snapshot_limits *l)
{
	cJSON *limits = cJSON_AddObjectToObject(model, "limits"), *facts;

	cJSON_AddBoolToObject(limits, "known", l->known);
	facts = cJSON_AddArrayToObject(limits, "facts");
	model_json_quantity(limits, "cpus", UNIT_CORES, l->cpus);
	model_json_quantity(limits, "memory", UNIT_BYTES, l->memory_b);
	if (!l->known)
		return;
	add_cpu_limit(facts, l);
	add_memory_limits(facts, l);
	if (l->hidden)
		model_json_fact(facts, "hidden_cgroups", "Not visible",
		                "outer cgroups, whose limits may be lower");
}

/* In percent with one decimal, at most 100; NAN stays NAN. */
static double percent_of_share(double share)
{
	return share > 1 ? 100 : stats_round(share * 100, 1);
}

/* The length of a bar in percent, null if unknown. A string, because 0 is false in a template. */
static void add_bar_percent(cJSON *row, const char *key, double share)
{
	char text[32];

	snprintf(text, sizeof text, "%g", percent_of_share(share));
	model_json_cut_or_null(row, key, isnan(share) ? "" : text, sizeof text);
}

static void add_gpu_row(cJSON *rows, const struct snapshot_gpu *g, size_t index)
{
	cJSON *row = model_json_row(rows);

	model_json_number(row, "index", (double)index);
	model_json_cut(row, "name", *g->name ? g->name : "GPU", MODEL_JSON_NAME_MAX);
	model_json_cut(row, "uuid", g->uuid, MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(row, "brand", gpu_brand(g), MODEL_JSON_NAME_MAX);
	model_json_quantity(row, "memory", UNIT_BYTES, g->memory_b);
	model_json_quantity(row, "memory_max", UNIT_BYTES, g->memory_max_b);
	add_bar_percent(row, "memory_bar", g->memory_max_b / g->memory_b);
	add_bar_percent(row, "utilisation_bar", g->utilisation_mean);
	model_json_quantity(row, "utilisation_mean", UNIT_PERCENT,
	                    percent_of_share(g->utilisation_mean));
	model_json_quantity(row, "utilisation_max", UNIT_PERCENT,
	                    percent_of_share(g->utilisation_max));
	model_json_quantity(row, "power_mean", UNIT_WATTS, g->power_mean_w);
	model_json_quantity(row, "power_max", UNIT_WATTS, g->power_max_w);
	model_json_quantity(row, "temperature_max", UNIT_CELSIUS, g->temperature_max_c);
}

static void add_gpu_rows(cJSON *model, const struct snapshot *s)
{
	cJSON *gpus = cJSON_AddObjectToObject(model, "gpus"), *rows;

	cJSON_AddBoolToObject(gpus, "known", s->n_gpus > 0);
	rows = cJSON_AddArrayToObject(gpus, "rows");
	for (size_t i = 0; i < s->n_gpus; i++)
		add_gpu_row(rows, &s->gpus[i], i);
}

void model_limits_add(cJSON *model, const struct model_input *in)
{
	const struct snapshot *s = &in->runs->v[0].snapshot;

	add_limit_facts(model, &s->limits);
	add_gpu_rows(model, s);
}
