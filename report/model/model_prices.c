/* model_prices: the section "prices" of the model. */
#include <math.h>
#include <stdio.h>

#include "report/model/model.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

/* The age of expired prices, relative to the report's own time, so that the same cache always gives
 * the same bytes. */
static void add_age(cJSON *prices, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double age = in->now - k->retrieved_at;
	char text[UNITS_SIZE], sentence[640] = "";

	if (!(k->age_s > 0)) {
		cJSON_AddNullToObject(prices, "age");
	} else {
		age = age >= 0 ? age : k->age_s;
		model_json_quantity(prices, "age", UNIT_SECONDS, age);
		snprintf(sentence, sizeof sentence, "These prices are %s old, from the cache: %s.",
		         units_seconds(age, text), k->age_why);
	}
	model_json_cut(prices, "age_why", sentence, MODEL_JSON_TEXT_MAX);
	snprintf(sentence, sizeof sentence, "Prices are not cached: %s.", k->cache_why);
	model_json_cut(prices, "cache_why", *k->cache_why ? sentence : "", MODEL_JSON_TEXT_MAX);
}

void model_add_prices(cJSON *model, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	cJSON *prices = cJSON_AddObjectToObject(model, "prices");
	char attribution[160] = "";

	if (k->known || k->present_known)
		keeper_attribution(k->retrieved_at, attribution);
	cJSON_AddBoolToObject(prices, "known", k->known);
	model_json_cut(prices, "why", k->why, MODEL_JSON_TEXT_MAX);
	model_json_cut(prices, "currency", k->currency, MODEL_JSON_TEXT_MAX);
	model_json_cut(prices, "asked", k->asked, MODEL_JSON_TEXT_MAX);
	/* If no server is known, "why" already includes filters_why. */
	model_json_cut(prices, "filters_why", k->known ? k->filters_why : "", MODEL_JSON_TEXT_MAX);
	add_age(prices, in);
	model_add_offers(prices, in);
	cJSON_AddStringToObject(prices, "attribution", attribution);
}
