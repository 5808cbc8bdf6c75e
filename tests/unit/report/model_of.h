/*
 * model_of: the model of recordings, for tests: no network, and prices as they are asked for.
 */
#ifndef TESTS_UNIT_REPORT_MODEL_OF_H
#define TESTS_UNIT_REPORT_MODEL_OF_H

#include <math.h>

#include "report/advice/recommend.h"
#include "report/model/model.h"
#include "report/prices/offer.h"
#include "report/stats/history.h"
#include "report/units/model_json.h"
#include "tests/unit/report/recording.h"

#define RUNS "tests/fixtures/runs_report/"

/* At .. of the model, by a path of keys and indexes: "charts.0.id". NULL where there is none. */
static inline const cJSON *model_at(const cJSON *model, const char *path)
{
	char key[64];

	while (model && *path) {
		size_t n = strcspn(path, ".");
		snprintf(key, sizeof key, "%.*s", (int)n, path);
		model = cJSON_IsArray(model) ? cJSON_GetArrayItem(model, atoi(key))
		                             : cJSON_GetObjectItemCaseSensitive(model, key);
		path += n + (path[n] == '.');
	}
	return model;
}

/* A part of the model as JSON text, which the caller frees. */
static inline char *model_text(const cJSON *model, const char *path)
{
	struct json_write j = {0};

	model_json_write(&j, NULL, model_at(model, path));
	if (!json_write_finish(&j))
		abort();
	return buf_take(&j.b);
}

/* Of the recordings that were loaded. prices may be NULL: not asked for. */
static inline cJSON *model_of(struct runs *r, const struct keeper_result *prices)
{
	struct keeper_query q = {.offline = true, .cache_dir = ""};
	struct recommend *c = calloc(1, sizeof *c);
	struct err e = {0};
	struct history_changes *history;
	cJSON *model;

	if (!c || history_choose(r, 5, &e))
		abort();
	q.of.arch.v[q.of.arch.n++] = "x86_64";
	recommend_runs(r, &(struct recommend_rules){.slowdown = CPU_RULE_SLOWDOWN}, &q, c, NULL);
	history = history_changes_new(r, offer_price_of_run(prices ? prices : &c->keeper).hour);
	model = model_build(&(struct model_input){.runs = r,
	                                          .history = history,
	                                          .advice = &c->advice,
	                                          .memory = &c->memory,
	                                          .basis = c->basis,
	                                          .keeper = prices ? prices : &c->keeper,
	                                          .now = 1795246800,
	                                          .runs_per_month = prices ? 1000 : 0});
	free(history);
	free(c);
	return model;
}

/* Two servers that fit, and the present one, which is twice as fast as the first. */
static inline void model_prices_of(struct keeper_result *k)
{
	*k = (struct keeper_result){
	    .known = true,
	    .n = 2,
	    .present_known = true,
	    .present_where = "In nbg9-dc1.",
	    .currency = "EUR",
	    .asked = "at least 3 CPUs, 2 GiB of memory",
	    .retrieved_at = 1795246800,
	};
	k->server[0] = (struct keeper_server){.vendor_id = "hcloud",
	                                      .vendor_name = "Hetzner Cloud",
	                                      .server_id = "902",
	                                      .name = "cx-two",
	                                      .arch = "x86_64",
	                                      .vcpus = 4,
	                                      .memory_mib = 4096,
	                                      .gpu_count = NAN,
	                                      .price_hour = 0.36,
	                                      .price_ondemand = 0.36,
	                                      .price_spot = 0.09,
	                                      .price_month = NAN,
	                                      .billing_min_s = 3600,
	                                      .billing_increment_s = 3600,
	                                      .score = 900.25};
	k->server[1] = (struct keeper_server){.vendor_id = "aws",
	                                      .server_id = "t9.medium",
	                                      .vcpus = 4,
	                                      .memory_mib = 8192,
	                                      .gpu_count = 0,
	                                      .price_hour = 0.72,
	                                      .price_ondemand = 0.72,
	                                      .price_spot = NAN,
	                                      .price_month = 300,
	                                      .billing_min_s = NAN,
	                                      .billing_increment_s = NAN,
	                                      .score = NAN};
	k->present = (struct keeper_server){.vendor_id = "hcloud",
	                                    .server_id = "903",
	                                    .api_reference = "cx-three",
	                                    .vcpus = 8,
	                                    .memory_mib = NAN,
	                                    .price_hour = 1.44,
	                                    .price_ondemand = 1.44,
	                                    .price_spot = NAN,
	                                    .price_month = NAN,
	                                    .score = 1800.5,
	                                    .billing_min_s = 60,
	                                    .billing_increment_s = 1};
}

#endif
