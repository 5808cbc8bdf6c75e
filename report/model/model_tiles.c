/* model_tiles: the few figures at the head of a report. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/model/model.h"
#include "report/prices/cost.h"
#include "report/stats/allowance.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

/* Writes the figure and what to say below it. False where there is nothing to show. */
typedef bool (*tile)(const struct model_input *in, const cJSON *model, char text[64],
                     char note[320]);

static const cJSON *get(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

static bool duration(const struct model_input *in, const cJSON *model, char text[64],
                     char note[320])
{
	double s = in->runs->v[0].duration;
	const cJSON *row, *average = NULL;

	cJSON_ArrayForEach (row, get(get(model, "usage"), "rows"))
		if (strcmp(cJSON_GetStringValue(get(row, "id")), "duration") == 0)
			average = get(get(row, "average"), "text");
	units_text(UNIT_SECONDS, s, NULL, text);
	if (average)
		snprintf(note, 320, "history average %s", cJSON_GetStringValue(average));
	return true;
}

static bool cpu(const struct model_input *in, const cJSON *model, char text[64], char note[320])
{
	const struct run *run = &in->runs->v[0];
	struct allowance allowed = allowance_cpus(run);
	char cpus[64];

	(void)model;
	units_text(UNIT_CORES, usage_stats(USAGE_CPU, run)->mean, NULL, text);
	if (allowed.amount > 0)
		snprintf(note, 320, "of %s%s", units_cpus(allowed.amount, cpus),
		         allowed.from ? " allowed" : "");
	return true;
}

static bool memory(const struct model_input *in, const cJSON *model, char text[64], char note[320])
{
	const struct run *run = &in->runs->v[0];
	struct allowance allowed = allowance_memory(run);
	char bytes[64];

	(void)model;
	units_text(UNIT_BYTES, usage_stats(USAGE_MEMORY, run)->max, NULL, text);
	if (allowed.amount > 0)
		snprintf(note, 320, "of %s%s", units_text(UNIT_BYTES, allowed.amount, NULL, bytes),
		         allowed.from ? " allowed" : "");
	return true;
}

/* On the present server where its price is known, else on the cheapest. */
static bool run_cost(const struct model_input *in, const cJSON *model, char text[64],
                     char note[320])
{
	const cJSON *prices = get(model, "prices"), *server = get(prices, "present");

	bool present = cJSON_IsObject(server);

	(void)in;
	if (!present)
		server = cJSON_GetArrayItem(get(prices, "servers"), 0);
	if (!server || !cJSON_IsNumber(get(get(server, "run_cost"), "value")))
		return false;
	snprintf(text, 64, "%s", cJSON_GetStringValue(get(get(server, "run_cost"), "text")));
	snprintf(note, 320, "%s%s%s", present ? "on " : "on the cheapest, ",
	         cJSON_GetStringValue(get(server, "label")),
	         cJSON_IsTrue(get(server, "spot")) ? ", at its spot price" : "");
	return true;
}

static const struct {
	const char *id, *label;
	tile make;
} tiles[] = {
    {"duration", "Duration", duration},
    {"cpu", "Mean CPU", cpu},
    {"memory", "Peak memory", memory},
    {"cost", "Run cost", run_cost},
};

void model_tiles_add(cJSON *model, const struct model_input *in)
{
	cJSON *all = cJSON_GetObjectItemCaseSensitive(model, "tiles");

	for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
		char text[64] = "", note[320] = "";
		cJSON *one;
		if (!tiles[i].make(in, model, text, note))
			continue;
		one = cJSON_CreateObject();
		cJSON_AddItemToArray(all, one);
		cJSON_AddStringToObject(one, "id", tiles[i].id);
		cJSON_AddStringToObject(one, "label", tiles[i].label);
		cJSON_AddStringToObject(one, "text", text);
		model_json_cut(one, "note", note, MODEL_JSON_TEXT_MAX);
	}
}
