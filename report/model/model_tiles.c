/* model_tiles: the few figures at the head of a report. */
#include <math.h>
#include <stdio.h>

#include "report/model/model.h"
#include "report/prices/offer.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/asked.h"
#include "report/stats/history.h"
#include "report/stats/trend.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

#define TILE_NOTE 320

/* Writes the figure and the note below it. False where there is nothing to show. */
typedef bool (*tile_writer)(const struct model_input *in, char text[64], char note[TILE_NOTE]);

static bool write_duration(const struct model_input *in, char text[64], char note[TILE_NOTE])
{
	struct trend_noise past;

	units_text(UNIT_SECONDS, in->runs->v[0].duration, NULL, text);
	if (history_used(in->runs) && !trend_noise(TREND_DURATION, in->runs, NAN, &past))
		snprintf(note, TILE_NOTE, "history average %s",
		         UNITS_TEXT(UNIT_SECONDS, past.mean));
	return true;
}

static bool write_cpu(const struct model_input *in, char text[64], char note[TILE_NOTE])
{
	const struct run *run = &in->runs->v[0];
	struct allowance allowed = allowance_cpus(run);
	struct asked asked = asked_of(run, ASKED_CPUS);
	double mean, peak;

	usage_column_cores(run, &mean, &peak);
	units_text(UNIT_CORES, mean, NULL, text);
	if (asked.requested)
		snprintf(note, TILE_NOTE, "of %s asked for", UNITS_CPUS(asked.amount));
	else if (allowed.amount > 0)
		snprintf(note, TILE_NOTE, "of %s%s", UNITS_CPUS(allowed.amount),
		         allowed.from ? " allowed" : "");
	return true;
}

static bool write_memory(const struct model_input *in, char text[64], char note[TILE_NOTE])
{
	const struct run *run = &in->runs->v[0];
	struct allowance allowed = allowance_memory(run);
	struct asked asked = asked_of(run, ASKED_MEMORY);

	units_text(UNIT_BYTES, usage_stats(USAGE_MEMORY, run)->max, NULL, text);
	if (asked.requested)
		snprintf(note, TILE_NOTE, "of %s asked for", UNITS_TEXT(UNIT_BYTES, asked.amount));
	else if (allowed.amount > 0)
		snprintf(note, TILE_NOTE, "of %s%s", UNITS_TEXT(UNIT_BYTES, allowed.amount),
		         allowed.from ? " allowed" : "");
	return true;
}

static bool write_run_cost(const struct model_input *in, char text[64], char note[TILE_NOTE])
{
	struct offer_price price = offer_price_of_run(in->keeper);
	size_t nodes = parts_all_nodes(&in->runs->v[0]);
	double cost = cost_run(price.hour, in->runs->v[0].duration) * (double)nodes;

	char of_nodes[32] = "";

	if (isnan(cost))
		return false;
	units_text(UNIT_MONEY, cost, in->keeper->currency, text);
	if (nodes > 1)
		snprintf(of_nodes, sizeof of_nodes, "%zu × ", nodes);
	snprintf(note, TILE_NOTE, "%s%s%s %s%s", price.present ? "on " : "on the cheapest, ",
	         of_nodes, price.present ? price.server->vendor_id : offer_vendor(price.server),
	         offer_server(price.server), price.spot ? ", at its spot price" : "");
	return true;
}

static const struct {
	const char *id, *label;
	const char
	    *of_machine; /* the label where there was a job but only the machine was recorded */
	tile_writer write;
} tiles[] = {
    {"duration", "Duration", NULL, write_duration},
    {"cpu", "Mean CPU", "Machine's mean CPU", write_cpu},
    {"memory", "Peak memory", "Machine's peak memory", write_memory},
    {"cost", "Run cost", NULL, write_run_cost},
};

void model_tiles_add(cJSON *model, const struct model_input *in)
{
	cJSON *all = cJSON_AddArrayToObject(model, "tiles");
	bool no_job = usage_lacks_job(&in->runs->v[0]);

	for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
		char text[64] = "", note[TILE_NOTE] = "";
		cJSON *one;
		if (!tiles[i].write(in, text, note))
			continue;
		one = model_json_row(all);
		cJSON_AddStringToObject(one, "id", tiles[i].id);
		cJSON_AddStringToObject(one, "label",
		                        no_job && tiles[i].of_machine ? tiles[i].of_machine
		                                                      : tiles[i].label);
		cJSON_AddStringToObject(one, "text", text);
		model_json_cut(one, "note", note, MODEL_JSON_TEXT_MAX);
	}
}
