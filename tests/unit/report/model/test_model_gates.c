/* model_gates, and "junit" of model_views: what the conditions of --fail-if answer, in the model. */
#include "report/model/model_sections.h"
#include "report/model/model_views.h"
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

static const char *const none[] = {NULL};

/* The keys of gates alone, over the recordings that were loaded. */
static cJSON *judged(struct recordings *t, const struct keeper_result *k, const char *const *gates)
{
	struct opts_list list = {.n = 0};
	struct gate_results results;
	struct model_input in = {.runs = &t->runs,
	                         .advice = &(struct advice){.cpu_formula = ""},
	                         .keeper = k,
	                         .gates = &results};
	cJSON *model = cJSON_CreateObject();

	while (gates[list.n]) {
		list.v[list.n] = gates[list.n];
		list.n++;
	}
	assert_int_equal(history_choose(&t->runs, 5, &t->e), 0);
	assert_int_equal(gate_results_of(&list, &t->runs, k, NULL, &results, &t->e), 0);
	model_gates_add(model, &in);
	assert_int_equal(model_views_add(model, &in, &(struct view_options){0}, &t->e), 0);
	gate_results_free(&results);
	return model;
}

static cJSON *of_runs(struct recordings *t, const struct keeper_result *k, const char *const *gates)
{
	assert_int_equal(load_input(&t->runs, input_of(RUNS), &t->e), 0);
	return judged(t, k, gates);
}

/* The run lasted 4.5 s, as did both earlier ones; its memory peaked at 933 MiB, theirs at 600 and
 * 1000. */
TEST_WITH(answers, recordings_begin, recordings_end)
{
	static const char *const gates[] = {"duration > history * 1.1",
	                                    "process_memory.max > 900MiB",
	                                    "cost < 1USD",
	                                    "process_memory.max > history",
	                                    "process_memory.max > 900MiB",
	                                    "process_gpu_vram.max > limit",
	                                    NULL};
	static const struct expected cases[] = {
	    {"gates.known", "true"},
	    {"gates.failed", "2"},
	    {"gates.not_judged", "2"},
	    {"gates.level", "\"bad\""},
	    {"gates.text", "\"2 of 5 gates failed, 2 could not be judged\""},
	    {"gates.price", "\"\""},
	    {"gates.rows.0.expression", "\"process_memory.max \\u003e 900MiB\""},
	    {"gates.rows.0.answer", "\"fails\""},
	    {"gates.rows.0.level", "\"bad\""},
	    {"gates.rows.0.failed", "true"},
	    {"gates.rows.0.judged", "true"},
	    {"gates.rows.0.text", "\"Peak memory (PSS) 933 MiB is above 900 MiB\""},
	    {"gates.rows.0.left", "{\"value\":978321408,\"text\":\"933 MiB\",\"unit\":\"bytes\"}"},
	    {"gates.rows.0.right", "{\"value\":943718400,\"text\":\"900 MiB\",\"unit\":\"bytes\"}"},
	    {"gates.rows.0.why", "\"\""},
	    {"gates.rows.1.text",
	     "\"Peak memory (PSS) 933 MiB is above the earlier runs' median 800 MiB (2 comparable runs)\""},
	    {"gates.rows.2.answer", "\"not judged\""},
	    {"gates.rows.2.level", "\"warn\""},
	    {"gates.rows.2.failed", "false"},
	    {"gates.rows.2.judged", "false"},
	    {"gates.rows.2.why", "\"no price is known\""},
	    {"gates.rows.2.left", "{\"value\":null,\"text\":\"unknown\",\"unit\":\"USD\"}"},
	    {"gates.rows.3.why", "\"no GPU was found\""},
	    {"gates.rows.4.answer", "\"passes\""},
	    {"gates.rows.4.level", "\"good\""},
	    {"junit",
	     "{\"tests\":6,\"failures\":2,\"skipped\":2,\"job_failed\":false,"
	     "\"job_told\":true,\"time\":\"4.500\",\"timestamp\":\"2026-11-21T06:40:00\"}"},
	};
	struct keeper_result k = {.currency = "USD"};
	struct recordings *t = *state;
	cJSON *model = of_runs(t, &k, gates);
	char *doc = slurp("docs/model.md");

	EXPECT_ALL(model, cases);
	assert_int_equal(cJSON_GetArraySize(model_at(model, "gates.rows")), 5);
	all_told(model, doc);
	free(doc);
	cJSON_Delete(model);
}

/* 4.5 s at 1.44 EUR an hour are 0.0018 EUR; at 0.36, 0.00045 EUR. */
TEST_WITH(prices, recordings_begin, recordings_end)
{
	static const char *const gates[] = {"cost > 0.001 EUR", NULL};
	static const char *const dollars[] = {"cost > 0.001 USD", NULL};
	static const struct expected present[] = {
	    {"gates.failed", "1"},
	    {"gates.rows.0.text", "\"Cost of the run 0.0018 EUR is above 0.001 EUR\""},
	    {"gates.price",
	     "\"Cost at 1.44 EUR an hour, the price of hcloud cx-three, on which it ran.\""},
	};
	static const struct expected cheapest[] = {
	    {"gates.failed", "0"},
	    {"gates.rows.0.text", "\"Cost of the run 0.00045 EUR is at most 0.001 EUR\""},
	    {"gates.price", "\"Cost at 0.36 EUR an hour, the price of hcloud cx-two, the cheapest "
	                    "server that fits.\""},
	};
	struct keeper_result *k = calloc(1, sizeof *k);
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(k);
	model_prices_of(k);
	model = of_runs(t, k, gates);
	EXPECT_ALL(model, present);
	cJSON_Delete(model);
	model = judged(t, k, dollars);
	expect(model, "gates.rows.0.why", "\"the prices are in another currency\"");
	cJSON_Delete(model);
	k->present_known = false;
	model = judged(t, k, gates);
	EXPECT_ALL(model, cheapest);
	cJSON_Delete(model);
	free(k);
}

TEST_WITH(without, recordings_begin, recordings_end)
{
	struct keeper_result k = {.currency = "USD"};
	struct recordings *t = *state;
	cJSON *model = of_runs(t, &k, none);

	expect(model, "gates", "{\"known\":false}");
	expect(model, "junit.tests", "1");
	expect(model, "junit.failures", "0");
	cJSON_Delete(model);
}

/* A job that failed is a test that did; one whose end nobody knows is skipped. */
TEST_WITH(ends, recordings_begin, recordings_end)
{
	static const struct {
		const char *exit, *junit;
	} cases[] = {
	    {"{\"code\": 0, \"cause\": \"exited\"}", "\"failures\":0,\"skipped\":0,"},
	    {"{\"code\": 3, \"cause\": \"exited\"}", "\"failures\":1,\"skipped\":0,"},
	    {"{\"signal\": \"KILL\", \"cause\": \"signaled\"}", "\"failures\":1,\"skipped\":0,"},
	};
	struct keeper_result k = {.currency = "USD"};
	struct recordings *t = *state;

	for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
		bool told = i < sizeof cases / sizeof *cases;
		struct buf text = {0};
		cJSON *model;
		char *junit;
		buf_str(&text, "{");
		if (told)
			buf_printf(&text, "\"rtrack\": {\"format\": 1, \"exit\": %s}, ",
			           cases[i].exit);
		buf_str(&text,
		        "\"process_metrics\": {\"timestamp\": [1, 2], \"cpu_usage\": [1, 1]}}");
		recordings_load(t, "run.json", buf_cstr(&text));
		model = judged(t, &k, none);
		junit = model_text(model, "junit");
		assert_non_null(
		    strstr(junit, told ? cases[i].junit : "\"failures\":0,\"skipped\":1,"));
		free(junit);
		cJSON_Delete(model);
		buf_free(&text);
		load_free(&t->runs);
		t->runs = (struct runs){0};
	}
}
