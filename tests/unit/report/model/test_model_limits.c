/* model_limits: the limits of the job and the GPUs of the recording. */
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

#define RUN(own)                                                                                   \
	"{\"rtrack\":{" own "},\"process_metrics\":{\"timestamp\":[1,2],\"cpu_usage\":[1,1]}}"

static cJSON *of(struct recordings *t, const char *text)
{
	assert_non_null(recordings_load(t, "run.json", text));
	return model_of(&t->runs, NULL);
}

TEST_WITH(limits_say_where_from, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"limits.known", "true"},
	    {"limits.facts.0", "{\"id\":\"cpus\",\"label\":\"CPUs\",\"text\":\"1.5 (cpu.max)\"}"},
	    {"limits.facts.1",
	     "{\"id\":\"memory\",\"label\":\"Memory\",\"text\":\"2.00 GiB (memory.max)\"}"},
	    {"limits.facts.2.id", "\"memory_high\""},
	    {"limits.facts.2.text", "\"1.00 GiB (memory.high)\""},
	    {"limits.facts.3", "{\"id\":\"swap\",\"label\":\"Swap\",\"text\":\"0 B\"}"},
	    {"limits.facts.4.id", "\"address_space\""},
	    {"limits.facts.4.text", "\"4.00 GiB (per process, RLIMIT_AS)\""},
	    {"limits.facts.5.id", "\"hidden_cgroups\""},
	    {"limits.facts.6", "null"},
	    {"limits.cpus", "{\"value\":1.5,\"text\":\"1.50 cores\",\"unit\":\"cores\"}"},
	    {"limits.memory.value", "2147483648"},
	};
	cJSON *model =
	    of(*state, RUN("\"limits\":{\"cpus\":1.5,\"cpus_from\":\"cpu.max\",\"cpus_quota\":1.5,"
	                   "\"memory_bytes\":2147483648,\"memory_from\":\"memory.max\","
	                   "\"memory_high_bytes\":1073741824,\"swap_bytes\":0,"
	                   "\"address_space_bytes\":4294967296,\"hidden_cgroups\":true}"));

	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* Nothing is made up where nothing is known. */
TEST_WITH(absent_limits, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"limits", "{\"known\":false,\"facts\":[],"
	               "\"cpus\":{\"value\":null,\"text\":\"not measured\",\"unit\":\"cores\"},"
	               "\"memory\":{\"value\":null,\"text\":\"not measured\",\"unit\":\"bytes\"}}"},
	    {"gpus", "{\"known\":false,\"rows\":[]}"},
	};
	cJSON *model = of(*state, RUN("\"limits\":null,\"gpus\":[]"));

	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

TEST_WITH(no_limit_of_memory, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"limits.facts",
	     "[{\"id\":\"cpus\",\"label\":\"CPUs\",\"text\":\"8 (online CPUs)\"},"
	     "{\"id\":\"memory\",\"label\":\"Memory\",\"text\":\"no limit found\"}]"},
	    {"limits.memory.value", "null"},
	};
	cJSON *model = of(*state, RUN("\"limits\":{\"cpus\":8,\"cpus_from\":\"online CPUs\","
	                              "\"memory_bytes\":null,\"hidden_cgroups\":false}"));

	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

TEST_WITH(gpus, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"gpus.known", "true"},
	    {"gpus.rows.0.index", "0"},
	    {"gpus.rows.0.name", "\"H100 second line\""},
	    {"gpus.rows.0.uuid", "\"GPU-5e\""},
	    {"gpus.rows.0.memory.value", "4294967296"},
	    {"gpus.rows.0.memory_max.text", "\"1.00 GiB\""},
	    {"gpus.rows.0.memory_bar", "\"25\""},
	    {"gpus.rows.0.utilisation_mean", "{\"value\":43.2,\"text\":\"43.2%\",\"unit\":\"%\"}"},
	    {"gpus.rows.0.utilisation_bar", "\"43.2\""},
	    {"gpus.rows.0.utilisation_max.value", "100"},
	    {"gpus.rows.0.power_mean", "{\"value\":71.25,\"text\":\"71.2 W\",\"unit\":\"W\"}"},
	    {"gpus.rows.0.power_max.text", "\"312 W\""},
	    {"gpus.rows.0.temperature_max", "{\"value\":71,\"text\":\"71 °C\",\"unit\":\"°C\"}"},
	    {"gpus.rows.1.index", "1"},
	    {"gpus.rows.1.name", "\"GPU\""},
	    {"gpus.rows.1.utilisation_bar", "\"0\""},
	    {"gpus.rows.1.memory_bar", "null"},
	    {"gpus.rows.1.memory_max.text", "\"not measured\""},
	    {"gpus.rows.1.power_max.value", "null"},
	    {"gpus.rows.1.temperature_max.value", "-3"},
	    {"gpus.rows.2", "null"},
	};
	cJSON *model =
	    of(*state,
	       RUN("\"gpus\":[{\"uuid\":\"GPU-5e\",\"name\":\"H100\\nsecond line\","
	           "\"memory_bytes\":4294967296,\"memory_max_bytes\":1073741824,"
	           "\"utilisation_mean\":0.4321,\"utilisation_max\":1.7,\"power_mean_w\":71.25,"
	           "\"power_max_w\":312,\"temperature_max_c\":71},{\"utilisation_mean\":0,"
	           "\"memory_max_bytes\":-5,\"power_max_w\":\"many\",\"temperature_max_c\":-3}]"));
	char *doc = slurp("docs/model.md");

	EXPECT_ALL(model, cases);
	all_told(model_at(model, "gpus"), doc);
	free(doc);
	cJSON_Delete(model);
}
