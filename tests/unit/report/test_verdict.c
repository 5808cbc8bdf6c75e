/* verdict: the sentences at the head, each from facts that are there, and silent where they are
 * not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_of.h"

static void expect(const cJSON *model, const char *id, const char *level, const char *text)
{
	const cJSON *one;

	cJSON_ArrayForEach (one, model_at(model, "verdict")) {
		if (strcmp(cJSON_GetStringValue(model_at(one, "id")), id) != 0)
			continue;
		assert_non_null(text);
		assert_string_equal(cJSON_GetStringValue(model_at(one, "text")), text);
		assert_string_equal(cJSON_GetStringValue(model_at(one, "level")), level);
		return;
	}
	assert_null(text);
}

/* A recording of two samples, and what is said of it; a text of NULL: nothing is. */
static const struct {
	const char *server, *cpu, *memory, *exit;
	const char *id, *level, *text;
} cases[] = {
    {"null", "1, 2", "1024, 2048", "{\"code\": 0}", "status", "good",
     "The job finished with exit status 0."},
    {"null", "1, 2", "1024, 2048", "{\"code\": 3}", "status", "bad",
     "The job failed with exit status 3."},
    {"null", "1, 2", "1024, 2048", "{\"signal\": \"KILL\"}", "status", "bad",
     "The job was ended by signal KILL (exit status 137)."},
    {"null", "1, 2", "1024, 2048", "{\"cause\": \"stopped\"}", "status", "good",
     "The recording is complete."},
    {"null", "1, 2", "1024, 2048", "null", "status", "info",
     "The recording does not tell how the job ended."},
    {"null", "1, 2", "1024, 2048", "null", "duration", "info",
     "It ran for 2.50 s; 2 samples, one each 1.00 s."},

    {"null", "1, 2", "1024, 955392", "null", "memory", "info",
     "The job used at most 933 MiB of memory."},
    {"{\"memory_mb\": 1866}", "1, 2", "1024, 955392", "null", "memory", "info",
     "The job used at most 933 MiB of memory, 50% of the machine's 1.82 GiB."},
    {"{\"memory_mb\": 1000}", "1, 2", "1024, 955392", "null", "memory", "warn",
     "The job used at most 933 MiB of memory, 93% of the machine's 1000 MiB."},
    {"{\"memory_mb\": 0}", "1, 2", "1024, 955392", "null", "memory", "info",
     "The job used at most 933 MiB of memory."},
    {"null", "1, 2", "null, null", "null", "memory", NULL, NULL},

    {"null", "1, 2", "1, 1", "null", "cpu", "info",
     "The job kept 1.50 cores busy on average and 2.00 at its peak."},
    {"{\"vcpus\": 2}", "1, 2", "1, 1", "null", "cpu", "info",
     "The job kept 1.50 cores busy on average and 2.00 at its peak: 75% of the machine's 2 CPUs."},
    {"{\"vcpus\": 1}", "0, 0.2", "1, 1", "null", "cpu", "info",
     "The job kept 0.10 cores busy on average and 0.20 at its peak: 10% of the machine's 1 CPU."},
    {"{\"vcpus\": 3}", "1, 2", "1, 1", "null", "cpu", "info",
     "The job kept 1.50 cores busy on average and 2.00 at its peak: 50% of the machine's 3 CPUs."},
    {"{\"vcpus\": 64}", "1, 2", "1, 1", "null", "cpu", "warn",
     "The job kept 1.50 cores busy on average and 2.00 at its peak: 2.3% of the machine's 64 CPUs. "
     "Most of them were idle."},
    {"null", "null, null", "1, 1", "null", "cpu", NULL, NULL},

    {"null", "1, 2", "1024, 955392", "null", "advice", "info",
     "Next time, ask for 2 CPUs and 2048 MiB of memory."},
    {"null", "0, 1", "1024, 2048", "null", "advice", "info",
     "Next time, ask for 1 CPU and 128 MiB of memory."},
    {"null", "1, 2", "null, null", "null", "advice", NULL, NULL},
    {"null", "1, 2", "1024, 955392", "null", "cost", NULL, NULL},
    {"null", "1, 2", "1024, 955392", "null", "history", NULL, NULL},
};

static void sentences(void **state)
{
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1024];
		cJSON *model;
		snprintf(
		    text, sizeof text,
		    "{\"metadata\": {\"interval\": 1, \"start_time\": 10, \"stop_time\": 12.5}, "
		    "\"server_info\": %s, \"rtrack\": {\"exit\": %s}, \"process_metrics\": "
		    "{\"timestamp\": [11, 12], \"cpu_usage\": [%s], \"memory\": [%s]}, "
		    "\"system_metrics\": {\"timestamp\": [11, 12], \"cpu_usage\": [%s]}}",
		    cases[i].server, cases[i].exit, cases[i].cpu, cases[i].memory,
		    strcmp(cases[i].id, "cpu") == 0 ? cases[i].cpu : "null");
		assert_non_null(recordings_load(t, "a.json", text));
		model = model_of(&t->runs, NULL);
		expect(model, cases[i].id, cases[i].level, cases[i].text);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

static void of_the_machine(void **state)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(recordings_load(
	    t, "a.json",
	    "{\"server_info\": {\"vcpus\": 4}, \"system_metrics\": {\"timestamp\": [11], "
	    "\"cpu_usage\": [3], \"memory_used\": [1048576]}}"));
	model = model_of(&t->runs, NULL);
	expect(model, "memory", "info", "The machine used at most 1.00 GiB of memory.");
	expect(model, "cpu", "info",
	       "The machine kept 3.00 cores busy on average and 3.00 at its peak: 75% of the "
	       "machine's "
	       "4 CPUs.");
	expect(model, "duration", NULL, NULL);
	cJSON_Delete(model);
}

static void one_sample(void **state)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(
	    recordings_load(t, "a.json",
	                    "{\"metadata\": {\"start_time\": 10, \"stop_time\": 10.25}, "
	                    "\"process_metrics\": {\"timestamp\": [10.2]}}"));
	model = model_of(&t->runs, NULL);
	expect(model, "duration", "info", "It ran for 0.25 s; 1 sample.");
	cJSON_Delete(model);
}

static void beside_its_history(void **state)
{
	struct recordings *t = *state;
	struct keeper_result *k = calloc(1, sizeof *k);
	cJSON *model;

	assert_non_null(k);
	model_prices_of(k);
	assert_int_equal(load_path(&t->runs, RUNS, &t->e), 0);
	model = model_of(&t->runs, k);
	/* 4.5 s against 4.5; 2 cores against 3; 933 MiB against 800 */
	expect(model, "history", "info",
	       "Against the average of 2 earlier runs: duration +0%, mean CPU \u221233%, peak "
	       "memory +17%.");
	expect(model, "cost", "info",
	       "The cheapest server that fits is Hetzner Cloud cx-two at 0.36 EUR/h: this run "
	       "would cost "
	       "0.00045 EUR there.");
	cJSON_Delete(model);
	free(k);
}

/* Earlier runs with which nothing can be compared are no news. */
static void nothing_to_compare(void **state)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(
	    recordings_load(t, "a.json", "{\"process_metrics\": {\"cpu_usage\": [0]}}"));
	assert_non_null(
	    recordings_load(t, "b.json", "{\"process_metrics\": {\"cpu_usage\": [0]}}"));
	model = model_of(&t->runs, NULL);
	expect(model, "history", NULL, NULL);
	cJSON_Delete(model);
}

#define WITH_FOLDER(f) cmocka_unit_test_setup_teardown(f, recordings_begin, recordings_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_FOLDER(sentences),          WITH_FOLDER(of_the_machine),
	    WITH_FOLDER(one_sample),         WITH_FOLDER(beside_its_history),
	    WITH_FOLDER(nothing_to_compare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
