/* model_prices: the model's "prices": what the run costs on its server and on the cheapest ones. */
#include <math.h>
#include <stdio.h>

#include "report/model/model.h"
#include "report/prices/keeper_records.h"
#include "report/prices/offer.h"
#include "report/runs/parts.h"
#include "report/units/model_json.h"

/* What the costs are calculated from. */
struct offers {
	const struct keeper_result *k;
	double duration, runs_per_month; /* NAN: unknown */
	double nodes;                    /* each of them is paid for */
};

/* -- costs of one server ----------------------------------------------------------------------- */

/* Marks the billing terms that the service does not have. */
static const char *assumed(const struct cost_billing *b)
{
	return b->min_assumed && b->increment_assumed ? " (assumed)"
	       : b->min_assumed                       ? " (minimum assumed)"
	       : b->increment_assumed                 ? " (steps assumed)"
	                                              : "";
}

/* "at least 1 min, by the second", "in steps of 1 h". */
static void add_billing(cJSON *one, const struct keeper_server *s)
{
	struct cost_billing b = offer_billing(s);
	char least[UNITS_SIZE + 16] = "", step[UNITS_SIZE + 16] = "by the second";

	if (b.min_s > b.increment_s)
		snprintf(least, sizeof least, "at least %s, ", UNITS_SECONDS(b.min_s));
	if (b.increment_s > 1)
		snprintf(step, sizeof step, "in steps of %s", UNITS_SECONDS(b.increment_s));
	model_json_printf(one, "billing", "%s%s%s", least, step, assumed(&b));
}

static void add_month(cJSON *one, const char *key, double run, const struct offers *o)
{
	if (isnan(o->runs_per_month))
		cJSON_AddNullToObject(one, key);
	else
		model_json_money(one, key, UNIT_MONEY, run * o->runs_per_month, o->k->currency);
}

/* spot: price_hour is a spot price, so the costs are costs of a spot server. */
static void add_server_costs(cJSON *one, const struct keeper_server *s, bool spot,
                             const struct offers *o)
{
	const char *currency = o->k->currency;
	double run = o->nodes * cost_run(s->price_hour, o->duration);
	double fresh = o->nodes * offer_alone(s, s->price_hour, o->duration);

	cJSON_AddBoolToObject(one, "spot", spot);
	model_json_money(one, "price_hour", UNIT_MONEY_HOUR, s->price_hour, currency);
	model_json_money(one, "price_ondemand", UNIT_MONEY_HOUR, s->price_ondemand, currency);
	model_json_money(one, "price_spot", UNIT_MONEY_HOUR, s->price_spot, currency);
	model_json_money(one, "price_month", UNIT_MONEY, s->price_month, currency);
	model_json_money(one, "run_cost", UNIT_MONEY, run, currency);
	model_json_money(one, "alone", UNIT_MONEY, fresh, currency);
	add_billing(one, s);
	add_month(one, "run_cost_month", run, o);
	add_month(one, "alone_month", fresh, o);
	model_json_quantity(one, "score", UNIT_COUNT, s->score);
}

/* The estimated duration on a server with another score; NAN if either score is unknown. */
static double estimated(const struct keeper_server *s, const struct offers *o)
{
	return o->k->present_known
	           ? cost_scaled_duration(o->duration, o->k->present.score, s->score)
	           : (double)NAN;
}

static void add_estimate(cJSON *one, const struct keeper_server *s, const struct offers *o)
{
	double duration = estimated(s, o);
	cJSON *estimate = model_json_object_if(!isnan(duration), one, "estimate");

	if (!estimate)
		return;
	model_json_quantity(estimate, "duration", UNIT_SECONDS, duration);
	model_json_money(estimate, "run_cost", UNIT_MONEY,
	                 o->nodes * cost_run(s->price_hour, duration), o->k->currency);
	model_json_money(estimate, "alone", UNIT_MONEY,
	                 o->nodes * offer_alone(s, s->price_hour, duration), o->k->currency);
}

/* By what other programs and the vendor's API know the server. */
static void add_server_ids(cJSON *one, const struct keeper_server *s)
{
	char url[OFFER_URL_MAX];

	model_json_cut(one, "vendor", s->vendor_id, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(one, "server_id", s->server_id, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(one, "api_reference", s->api_reference, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(one, "url", offer_url(s, url), MODEL_JSON_TEXT_MAX);
}

static void add_record(cJSON *one, const struct keeper_server *s,
                       const struct keeper_records *records)
{
	cJSON *record = keeper_records_get(records, s->record);

	cJSON_AddItemToObject(one, "record", record ? record : cJSON_CreateNull());
}

static void add_offer_row(cJSON *servers, const struct keeper_server *s, size_t rank,
                          const struct offers *o)
{
	cJSON *one = model_json_row(servers);
	char label[300];

	snprintf(label, sizeof label, "%s %s", offer_vendor(s), offer_server(s));
	cJSON_AddNumberToObject(one, "rank", (double)rank);
	cJSON_AddBoolToObject(one, "best", rank == 1);
	add_server_ids(one, s);
	model_json_cut(one, "vendor_name", offer_vendor(s), MODEL_JSON_TEXT_MAX);
	model_json_cut(one, "vendor_short", offer_vendor_short(s), MODEL_JSON_TEXT_MAX);
	model_json_cut(one, "server", offer_server(s), MODEL_JSON_TEXT_MAX);
	model_json_cut(one, "label", label, MODEL_JSON_TEXT_MAX);
	model_json_quantity(one, "cpus", UNIT_COUNT, s->vcpus);
	model_json_quantity(one, "memory", UNIT_BYTES, s->memory_mib * 1048576);
	model_json_quantity(one, "gpus", UNIT_COUNT, s->gpu_count);
	model_json_cut_or_null(one, "arch", s->arch, MODEL_JSON_NAME_MAX);
	add_server_costs(one, s, o->k->spot, o);
	add_estimate(one, s, o);
	if (o->k->records)
		add_record(one, s, o->k->records);
}

static void add_present_server(cJSON *prices, const struct offers *o)
{
	const struct keeper_server *s = &o->k->present;
	cJSON *present;
	char label[300];

	model_json_cut(prices, "present_why", o->k->present_why, MODEL_JSON_TEXT_MAX);
	present = model_json_object_if(o->k->present_known, prices, "present");
	if (!present)
		return;
	snprintf(label, sizeof label, "%s %s", s->vendor_id, offer_server(s));
	model_json_cut(present, "label", label, MODEL_JSON_TEXT_MAX);
	add_server_ids(present, s);
	model_json_cut(present, "vendor_short", offer_vendor_short(s), MODEL_JSON_TEXT_MAX);
	model_json_quantity(present, "cpus", UNIT_COUNT, s->vcpus);
	model_json_quantity(present, "memory", UNIT_BYTES, s->memory_mib * 1048576);
	add_server_costs(present, s, false, o);
	model_json_cut(present, "where", o->k->present_where, MODEL_JSON_TEXT_MAX);
}

/* -- savings ----------------------------------------------------------------------------------- */

/* "Saves $0.0013 (75%) ", then end; null if either cost is unknown. */
static void add_saved(cJSON *prices, const char *key, double present, double recommended,
                      const struct offer_pair *pair, const char *currency, const char *end)
{
	struct cost_savings s = cost_saved(present, recommended);
	cJSON *savings = model_json_object_if(s.known, prices, key);

	if (!savings)
		return;
	model_json_number(savings, "percent", s.percent);
	model_json_number(savings, "amount", s.amount);
	model_json_printf(savings, "text", "%s %s (%s) %s%s", s.extra ? "Extra cost of" : "Saves",
	                  UNITS_MONEY(UNIT_MONEY, fabs(s.amount), currency),
	                  UNITS_PERCENT(fabs(s.percent)), end, pair->end);
	cJSON_AddBoolToObject(savings, "extra", s.extra);
	cJSON_AddBoolToObject(savings, "spot", pair->spot);
}

static void add_savings(cJSON *prices, const struct offers *o)
{
	const struct keeper_server *here = &o->k->present, *there = &o->k->server[0];
	struct offer_pair pair = offer_pair(o->k);
	double now = o->nodes * cost_run(pair.here, o->duration);
	double scaled = isnan(now) ? (double)NAN : estimated(there, o);
	char end[200];

	cJSON_AddStringToObject(prices, "savings_why", pair.why);
	add_saved(prices, "savings", now, o->nodes * cost_run(pair.there, o->duration), &pair,
	          o->k->currency, "for a run");
	add_saved(prices, "savings_alone", o->nodes * offer_alone(here, pair.here, o->duration),
	          o->nodes * offer_alone(there, pair.there, o->duration), &pair, o->k->currency,
	          "for a run alone on a fresh server");
	snprintf(end, sizeof end,
	         "for a run, if it took %s there (estimated from the scores: %s here, %s there)",
	         UNITS_SECONDS(scaled), UNITS_COUNT(here->score), UNITS_COUNT(there->score));
	add_saved(prices, "savings_estimate", now, o->nodes * cost_run(pair.there, scaled), &pair,
	          o->k->currency, end);
}

/* -- all of them ------------------------------------------------------------------------------- */

/* Flags for the template, which omits columns that would be empty. */
static void add_offer_columns(cJSON *prices, const struct keeper_result *k)
{
	bool spot = false, ondemand = false, month = false, gpus = false;

	for (size_t i = 0; i < k->n; i++) {
		spot |= !k->spot && k->server[i].price_spot > 0;
		ondemand |= k->spot && k->server[i].price_ondemand > 0;
		month |= k->server[i].price_month > 0;
		gpus |= k->server[i].gpu_count > 0;
	}
	cJSON_AddBoolToObject(prices, "spot", k->spot);
	cJSON_AddBoolToObject(prices, "has_spot", spot);
	cJSON_AddBoolToObject(prices, "has_ondemand", ondemand);
	cJSON_AddBoolToObject(prices, "has_month", month);
	cJSON_AddBoolToObject(prices, "has_gpus", gpus);
}

static void add_offers(cJSON *prices, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	struct offers o = {.k = k,
	                   .duration = in->runs->v[0].duration,
	                   .nodes = (double)parts_all_nodes(&in->runs->v[0]),
	                   .runs_per_month =
	                       in->runs_per_month > 0 ? (double)in->runs_per_month : (double)NAN};
	cJSON *servers;

	model_json_number(prices, "runs_per_month", o.runs_per_month);
	add_offer_columns(prices, k);
	add_present_server(prices, &o);
	servers = cJSON_AddArrayToObject(prices, "servers");
	for (size_t i = 0; i < k->n; i++)
		add_offer_row(servers, &k->server[i], i + 1, &o);
	add_savings(prices, &o);
}

/* -- the whole section ------------------------------------------------------------------------- */

/* The age of expired prices, relative to the report's own time, so that the same cache always gives
 * the same bytes. */
static void add_age(cJSON *prices, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double age = in->now - k->retrieved_at;
	char sentence[640] = "";

	if (!(k->age_s > 0)) {
		cJSON_AddNullToObject(prices, "age");
	} else {
		age = age >= 0 ? age : k->age_s;
		model_json_quantity(prices, "age", UNIT_SECONDS, age);
		snprintf(sentence, sizeof sentence, "These prices are %s old, from the cache: %s.",
		         UNITS_SECONDS(age), k->age_why);
	}
	model_json_cut(prices, "age_why", sentence, MODEL_JSON_TEXT_MAX);
	snprintf(sentence, sizeof sentence, "Prices are not cached: %s.", k->cache_why);
	model_json_cut(prices, "cache_why", *k->cache_why ? sentence : "", MODEL_JSON_TEXT_MAX);
}

void model_prices_add(cJSON *model, const struct model_input *in)
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
	add_offers(prices, in);
	model_time_cost_add(prices, in);
	cJSON_AddStringToObject(prices, "attribution", attribution);
}
