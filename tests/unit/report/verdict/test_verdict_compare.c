/* verdict_compare: what is said of a run beside a few earlier ones. */
#include "tests/unit/report/scene.h"
#include "tests/unit/unit.h"

#define SERIES_MAX 5

/* Earlier runs of so many seconds each, and this one; every second run has its memory. */
static void load_series(struct recordings *t, const double past[SERIES_MAX], double now,
                        const char *exit)
{
	char text[256], name[16];
	int n = 0;

	while (n < SERIES_MAX && past[n] > 0)
		n++;
	for (int i = 0; i <= n; i++) {
		snprintf(text, sizeof text,
		         "{\"metadata\": {\"start_time\": %d, \"stop_time\": %.1f}, \"rtrack\": "
		         "{\"exit\": %s}, \"process_metrics\": {\"cpu_usage\": [1]%s}}",
		         i * 1000, i * 1000 + (i < n ? past[i] : now), i < n ? "null" : exit,
		         (n - i) % 2 == 0 ? ", \"memory\": [1000]" : "");
		snprintf(name, sizeof name, "%d.json", i);
		assert_non_null(recordings_load(t, name, text));
	}
}

#define REST    ", mean CPU +0%, peak memory +0% (of 1)."
#define MORE(n) " Whether it changed cannot be told: " n " more comparable runs are needed."

static const struct {
	double past[SERIES_MAX], now;
	const char *exit, *level, *text;
} series[] = {
    {{100, 102, 104}, 101.8, "null", "info", "3 earlier runs: duration +0%" REST MORE("6")},
    {{100, 102, 104}, 120, "null", "info", "3 earlier runs: duration +18%" REST MORE("6")},
    {{100, 102, 104}, 50, "{\"code\": 1}", "info", "3 earlier runs: duration \u221251%" REST},
    {{100, 110, 120, 110},
     160,
     "null",
     "info",
     "4 earlier runs: duration +45%, mean CPU +0%, peak memory +0% (of 2)." MORE("5")},
    {{100, 100}, 200, "null", "info", "2 earlier runs: duration +100%" REST MORE("7")},
};

TEST_WITH(too_few_runs, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
		char text[256];
		cJSON *model;
		load_series(t, series[i].past, series[i].now, series[i].exit);
		model = model_of(&t->runs, NULL);
		snprintf(text, sizeof text, "Against the median of %s", series[i].text);
		scene_expect(model, "history", series[i].level, text);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

/* Earlier runs with which nothing can be compared are not mentioned. */
TEST_WITH(nothing_to_compare, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(
	    recordings_load(t, "a.json", "{\"process_metrics\": {\"cpu_usage\": [0]}}"));
	assert_non_null(
	    recordings_load(t, "b.json", "{\"process_metrics\": {\"cpu_usage\": [0]}}"));
	model = model_of(&t->runs, NULL);
	scene_expect(model, "history", NULL, NULL);
	cJSON_Delete(model);
}

#define FOLLOWING 40

/* Memory as half of the input and a bit, but for the last run: as much as one of the larger input
 * needs, which is in the range of all runs. */
TEST_WITH(unusual_for_its_input, recordings_begin, recordings_end)
{
	static const int round[] = {100, 103, 98, 101, 97, 102, 99};
	struct recordings *t = *state;
	const char *text;
	cJSON *model;

	for (int i = 0; i < FOLLOWING; i++) {
		int input = i % 2 ? 1 : 3;
		int memory = round[i % 7] * (i < FOLLOWING - 1 ? 400 + 600 * input : 2200);
		char run[512], name[16];
		snprintf(run, sizeof run,
		         "{\"metadata\": {\"start_time\": %d, \"stop_time\": %d}, \"rtrack\": "
		         "{\"exit\": {\"code\": 0}, \"inputs\": [{\"name\": \"a\", \"bytes\": "
		         "%d000000, \"via\": \"option\"}]}, \"process_metrics\": {\"cpu_usage\": "
		         "[1], \"memory\": [%d]}}",
		         i * 1000, i * 1000 + round[(i + 3) % 7], input, memory);
		snprintf(name, sizeof name, "%d.json", i);
		assert_non_null(recordings_load(t, name, run));
	}
	model = model_of(&t->runs, NULL);
	text = scene_text(model, "history");
	assert_non_null(text);
	if (!strstr(text,
	            "Unusual: peak memory 208 MiB, outside of the range of 39 comparable runs "
	            "for this input; 1 of 20 runs looks like this without a cause."))
		fail_msg("%s", text);
	cJSON_Delete(model);
}
