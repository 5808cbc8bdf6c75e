/* model: each key as docs/model.md describes it, with numbers computed by hand. */
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

static void load(struct recordings *t, const char *path)
{
	assert_int_equal(load_input(&t->runs, input_of(path), &t->e), 0);
}

/* All five recordings, one file that can't be read, and prices. */
static cJSON *everything(struct recordings *t)
{
	struct keeper_result *k = calloc(1, sizeof *k);
	cJSON *model;

	assert_non_null(k);
	load(t, RUNS);
	recordings_load(t, "broken.json", "{");
	model_prices_of(k);
	model = model_of(&t->runs, k);
	free(k);
	assert_non_null(model);
	return model;
}

static const struct expected run_cases[] = {
    {"format", "\"rtrack-model\""},
    {"version", "1"},
    {"generator.name", "\"rtrack-report\""},
    {"generated.iso", "\"2026-11-21T07:40:00Z\""},
    {"title", "\"train\""},
    {"run.name", "\"train\""},
    {"run.command", "\"./train --epochs 3 'it'\\\\''s'\""},
    {"run.host", "\"worker-7\""},
    {"run.user", "\"ada\""},
    {"run.directory", "\"/srv/job\""},
    {"run.pid", "4242"},
    {"run.mode", "\"command\""},
    {"run.start.iso", "\"2026-11-21T06:40:00Z\""},
    {"run.stop.unix", "1795243204.5"},
    {"run.duration.value", "4.5"},
    {"run.interval.value", "1"},
    {"run.samples", "4"},
    {"run.recorder", "\"rtrack-collect 0.1.0\""},
    {"run.file", "\"now.json\""},
    {"run.tags", "[{\"key\":\"branch\",\"value\":\"main\"}]"},
    {"status.word", "\"finished\""},
    {"status.level", "\"good\""},
    {"status.code", "0"},
    {"status.signal", "null"},
    {"status.text", "\"The job finished with exit status 0.\""},
    {"server.known", "true"},
    {"server.facts.0.text", "\"Debian GNU/Linux 12\""},
    {"server.facts.1.text", "\"4\""},
    {"server.facts.2.text", "\"4.00 GiB\""},
    {"server.facts.3.text", "\"none found\""},
    {"server.facts.4", "{\"id\":\"storage\",\"label\":\"Storage\",\"text\":\"100 GiB\"}"},
    {"server.facts.5.text", "\"dedicated\""},
    {"cloud.known", "true"},
    {"cloud.facts.1", "{\"id\":\"instance\",\"label\":\"Instance type\",\"text\":\"cx-two\"}"},
    {"cloud.why", "\"\""},
    {"notes", "[\"GPUs were not looked for.\"]"},
    {"has_notes", "true"},
    {"has_inputs_left_out", "true"},
    {"tiles.0", "{\"id\":\"duration\",\"label\":\"Duration\",\"text\":\"4.50 s\","
                "\"note\":\"median of 2 earlier runs 4.50 s\",\"of_history\":true}"},
    {"tiles.1",
     "{\"id\":\"cpu\",\"label\":\"Mean CPU\",\"text\":\"2.00 cores\",\"note\":\"of 4 CPUs\",\"of_history\":false}"},
    {"tiles.2",
     "{\"id\":\"memory\",\"label\":\"Peak memory\",\"text\":\"933 MiB\",\"note\":\"of 4.00 GiB\",\"of_history\":false}"},
    {"tiles.3", "{\"id\":\"cost\",\"label\":\"Run cost\",\"text\":\"0.0018 EUR\","
                "\"note\":\"on hcloud cx-three\",\"of_history\":false}"},
};

/* now; the mean and the peak over the two earlier runs that count. */
static const struct expected usage_cases[] = {
    {"usage.has_history", "true"},
    {"usage.history_runs", "2"},
    {"usage.left_out", "2"},
    {"usage.rows.0.id", "\"process_cpu_usage.mean\""},
    {"usage.rows.0.now.value", "2"},
    {"usage.rows.0.median.value", "3"},
    {"usage.rows.0.peak.value", "4"},
    {"usage.rows.1.now.value", "3.5"},
    {"usage.rows.1.median.value", "4"},
    {"usage.rows.1.peak.value", "5"},
    {"usage.rows.2.now.value", "454295552"},    /* 433.25 MiB */
    {"usage.rows.2.median.value", "655360000"}, /* (500 + 750) / 2 MiB */
    {"usage.rows.3.now.text", "\"933 MiB\""},
    {"usage.rows.3.median.value", "838860800"}, /* (600 + 1000) / 2 MiB */
    {"usage.rows.3.peak.value", "1048576000"},  /* 1000 MiB */
    {"usage.rows.4.id", "\"process_read_bytes.sum\""},
    {"usage.rows.5.id", "\"process_write_bytes.sum\""},
    {"usage.rows.5.now.text", "\"2.00 MiB\""},
    {"usage.rows.6.id", "\"system_disk_space_used_gb.max\""},
    {"usage.rows.6.now.text", "\"20.5 GiB\""},
    {"usage.rows.7.now.value", "10000"},
    {"usage.rows.7.median.value", "11000"},
    {"usage.rows.8.peak.value", "200"},
    {"usage.rows.9.id", "\"duration\""},
    {"usage.rows.9.now.value", "4.5"},
    {"usage.rows.9.median.value", "4.5"},
    {"usage.rows.9.peak.value", "6.5"},
    {"usage.rows.10", "null"}, /* no rows of GPUs: there are none */
};

static const struct expected statistics_cases[] = {
    {"statistics.now",
     "{\"process_cpu_usage\":{\"mean\":2,\"max\":3.5},\"process_memory\":{\"mean\":443648,"
     "\"max\":955392},\"process_gpu_usage\":{\"mean\":0,\"max\":0},\"process_gpu_vram\":{\"mean\":"
     "0,\"max\":0},\"process_gpu_utilized\":{\"mean\":0,\"max\":0},\"system_disk_space_used_gb\":"
     "{\"max\":20.5},\"system_net_recv_bytes\":{\"sum\":10000},\"system_net_sent_bytes\":"
     "{\"sum\":1000},\"timestamp\":{\"duration\":4.5}}"},
    {"statistics.history",
     "{\"process_cpu_usage\":{\"mean\":3,\"max\":5},\"process_memory\":{\"mean\":640000,"
     "\"max\":1024000},\"process_gpu_usage\":{\"mean\":0,\"max\":0},\"process_gpu_vram\":{\"mean\":"
     "0,\"max\":0},\"process_gpu_utilized\":{\"mean\":0,\"max\":0},\"system_disk_space_used_gb\":"
     "{\"max\":30},\"system_net_recv_bytes\":{\"sum\":20000},\"system_net_sent_bytes\":"
     "{\"sum\":200},\"timestamp\":{\"duration\":4.5}}"},
    {"statistics.all",
     "{\"process_cpu_usage\":{\"mean\":2.67,\"max\":5},\"process_memory\":{\"mean\":574549.33,"
     "\"max\":1024000},\"process_gpu_usage\":{\"mean\":0,\"max\":0},\"process_gpu_vram\":{\"mean\":"
     "0,\"max\":0},\"process_gpu_utilized\":{\"mean\":0,\"max\":0},\"system_disk_space_used_gb\":"
     "{\"max\":30},\"system_net_recv_bytes\":{\"sum\":20000},\"system_net_sent_bytes\":"
     "{\"sum\":1000},\"timestamp\":{\"duration\":4.5}}"},
    {"columns.process_cpu_usage.n", "4"},
    {"columns.process_cpu_usage.p50", "2"},
    {"columns.process_cpu_usage.sum", "8"},
    {"columns.process_memory.max", "978321408"},
    {"columns.process_pid", "null"},
    {"columns.process_timestamp", "null"},
    {"history.0.file", "\"killed.json\""},
    {"history.0.status", "\"killed\""},
    {"history.0.used", "false"},
    {"history.0.why", "\"it was killed\""},
    {"history.1.why", "\"it failed\""},
    {"history.2.file", "\"earlier-1.json\""},
    {"history.2.used", "true"},
    {"history.2.why", "\"\""},
    {"history.2.cpu_mean.value", "4"},
    {"history.2.memory_max.text", "\"600 MiB\""},
    {"history.2.duration.value", "2.5"},
    {"history.3.start.iso", "\"2026-11-21T04:40:00Z\""},
    {"history.4", "null"},
};

/* 4.5 s are 1/800 of an hour. */
static const struct expected price_cases[] = {
    {"advice.known", "true"},
    {"advice.basis", "\"From this run and 2 earlier runs.\""},
    {"advice.items.0.id", "\"cpu\""},
    {"advice.items.0.value", "3"},
    {"advice.items.0.text", "\"3 CPUs\""},
    {"advice.items.1.id", "\"memory\""},
    {"advice.items.1.value", "2048"}, /* 1000 MiB × 1.2 */
    {"advice.snippets.0.id", "\"slurm\""},
    {"prices.known", "true"},
    {"prices.why", "\"\""},
    {"prices.currency", "\"EUR\""},
    {"prices.asked", "\"at least 3 CPUs, 2 GiB of memory\""},
    {"prices.present.label", "\"hcloud cx-three\""},
    {"prices.present.run_cost.value", "0.0018"},
    {"prices.present.where", "\"In nbg9-dc1.\""},
    {"prices.servers.0.rank", "1"},
    {"prices.servers.0.best", "true"},
    {"prices.servers.0.label", "\"Hetzner Cloud cx-two\""},
    {"prices.servers.0.cpus.text", "\"4\""},
    {"prices.servers.0.memory.text", "\"4.00 GiB\""},
    {"prices.servers.0.gpus.value", "null"},
    {"prices.servers.0.price_hour.text", "\"0.36 EUR/h\""},
    {"prices.servers.0.run_cost.value", "0.00045"},
    {"prices.servers.1.best", "false"},
    {"prices.servers.1.vendor_name", "\"aws\""},
    {"prices.servers.1.server", "\"t9.medium\""},
    {"prices.servers.1.arch", "null"},
    {"prices.servers.1.score.text", "\"not measured\""},
    {"prices.savings.percent", "75"},
    {"prices.savings.amount", "0.00135"},
    {"prices.savings.extra", "false"},
    {"prices.present.cpus.value", "8"},
    {"prices.present.memory.value", "null"},
    {"prices.present.billing", "\"at least 1 min, by the second\""},
    {"prices.present.alone.text", "\"0.024 EUR\""},         /* 60 s of 1.44 an hour */
    {"prices.present.run_cost_month.text", "\"1.80 EUR\""}, /* 1000 runs */
    {"prices.present.alone_month.text", "\"24.00 EUR\""},
    {"prices.runs_per_month", "1000"},
    {"prices.spot", "false"},
    {"prices.has_spot", "true"},
    {"prices.has_ondemand", "false"},
    {"prices.has_month", "true"},
    {"prices.age", "null"},
    {"prices.age_why", "\"\""},
    {"prices.cache_why", "\"\""},
    {"prices.servers.0.price_spot.text", "\"0.09 EUR/h\""},
    {"prices.servers.0.price_month.value", "null"},
    {"prices.servers.0.alone.value", "0.36"}, /* a whole hour: 800 times the share */
    {"prices.servers.0.billing", "\"in steps of 1 h\""},
    {"prices.servers.0.run_cost_month.value", "0.45"},
    {"prices.servers.0.alone_month.value", "360"},
    /* Its cores are as fast as here. */
    {"prices.servers.0.estimate.duration.value", "4.5"},
    {"prices.servers.0.estimate.range", "\"2.34 s to 9.24 s\""},
    {"prices.servers.0.estimate.run_cost.text", "\"0.00045 EUR\""},
    {"prices.servers.0.estimate.cost_range", "\"0.00023 EUR to 0.00092 EUR\""},
    {"prices.servers.0.estimate.alone.value", "0.36"},
    {"prices.servers.0.estimate.score", "\"stress-ng, all CPUs\""},
    {"prices.servers.1.price_month.text", "\"300.00 EUR\""},
    {"prices.servers.1.alone.text", "\"0.012 EUR\""}, /* aws: a minute of 0.72 an hour */
    {"prices.servers.1.billing", "\"at least 1 min, by the second (assumed)\""},
    {"prices.servers.1.estimate.duration.value", "4.5"}, /* its speed is unknown: as fast */
    {"prices.servers.1.estimate.score", "\"unknown\""},
    {"prices.savings.text", "\"Saves 0.00135 EUR (75%) for a run that takes as long there\""},
    {"prices.savings_alone.percent", "-1400"}, /* 0.024 − 0.36 */
    {"prices.savings_alone.amount", "-0.336"},
    {"prices.savings_alone.extra", "true"},
    {"prices.savings_alone.text",
     "\"Extra cost of 0.336 EUR (1400%) for one that takes as long, alone on a fresh server\""},
    {"prices.savings_estimate.percent", "75"},
    {"prices.savings_estimate.amount", "0.00135"},
    {"prices.savings_estimate.text",
     "\"Saves 0.00135 EUR (75%) for a run, if it takes 4.50 s there (predicted: 2.34 s to "
     "9.24 s)\""},
    {"prices.attribution",
     "\"Prices and server data: Spare Cores Navigator, CC BY-SA 4.0, retrieved "
     "2026-11-21 07:40:00 UTC\""},
};

TEST_WITH(values, recordings_begin, recordings_end)
{
	cJSON *model = everything(*state);

	EXPECT_ALL(model, run_cases);
	EXPECT_ALL(model, usage_cases);
	EXPECT_ALL(model, statistics_cases);
	EXPECT_ALL(model, price_cases);
	cJSON_Delete(model);
}

/* -- against docs/model.md --------------------------------------------------------------------- */

/* Marked with their age at the report's time; spot prices compared; a month of no runs told. */
TEST_WITH(old_prices, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"prices.age.value", "10800"},
	    {"prices.age_why",
	     "\"These prices are 3 h old, from the cache: x: no connection in time.\""},
	    {"prices.cache_why", "\"Prices are not cached: /c: Permission denied.\""},
	    {"prices.spot", "true"},
	    {"prices.has_spot", "false"},
	    {"prices.has_ondemand", "true"},
	    {"prices.present.score.value", "null"},
	    {"prices.servers.0.estimate.score", "\"unknown\""},
	    {"prices.savings_estimate", "null"},
	    {"prices.savings.percent", "75"},
	};
	struct recordings *t = *state;
	struct keeper_result *k = calloc(1, sizeof *k);
	cJSON *model;

	assert_non_null(k);
	model_prices_of(k);
	k->spot = true;
	k->present.score = NAN;
	k->retrieved_at -= 10800;
	snprintf(k->age_why, sizeof k->age_why, "x: no connection in time");
	snprintf(k->cache_why, sizeof k->cache_why, "/c: Permission denied");
	load(t, RUNS);
	model = model_of(&t->runs, k);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
	free(k);
}

TEST_WITH(documented, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model = everything(t);
	char *doc = slurp("docs/model.md"), *at = strstr(doc, "## Keys");
	const cJSON *key = model->child;

	all_told(model, doc);
	/* And what the table has is there, in its order. */
	assert_non_null(at);
	for (at = strstr(at, "\n| `"); at && strncmp(at, "\n| `", 4) == 0;
	     at = strchr(at + 1, '\n')) {
		char *end = strchr(at + 3, '|');
		for (char *p = at + 3; (p = strchr(p, '`')) && p < end;
		     p = strchr(p + 1, '`') + 1) {
			assert_non_null(key);
			assert_memory_equal(p + 1, key->string, strlen(key->string));
			key = key->next;
		}
	}
	assert_null(key);
	free(doc);
	cJSON_Delete(model);
}

/* -- what is not there
 * ----------------------------------------------------------------------------- */

static const struct {
	const char *text;
	struct expected cases[12];
} bare[] = {
    {"{\"process_metrics\": [{\"timestamp\": 5}]}",
     {{"title", "\"1.json\""},
      {"run.command", "null"},
      {"run.host", "null"},
      {"run.pid", "null"},
      {"run.recorder", "\"unknown\""},
      {"run.duration", "{\"value\":null,\"text\":\"not measured\",\"unit\":\"s\"}"},
      {"status.word", "\"unknown\""},
      {"server", "{\"known\":false,\"facts\":[]}"},
      {"cloud.why", "\"The recording did not look for a cloud.\""},
      {"advice.known", "false"},
      {"prices.present", "null"}}},
    {"{\"metadata\": {\"discover_cloud\": true, \"interval\": 1, \"track_processes\": false}, "
     "\"system_metrics\": {\"timestamp\": [1, 2], \"cpu_usage\": [1, 2], \"memory_used\": "
     "[1048576, 955392]}}",
     {{"run.mode", "\"system\""},
      {"run.samples", "2"},
      {"cloud.why", "\"No cloud vendor was recognised.\""},
      {"statistics.now.process_cpu_usage", "{\"mean\":null,\"max\":null}"},
      {"usage.rows.0.now.text", "\"not measured\""},
      {"advice.basis", "\"From this run alone, of the whole machine.\""},
      {"advice.items.1.value", "2048"},
      {"tiles.1.text", "\"1.50 cores\""},
      {"tiles.2.text", "\"1.00 GiB\""},
      {"tiles.3", "null"}}},
    {"{\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [1, 2], "
     "\"cpu_usage\": [1, 2], \"memory\": [1024, 955392]}, \"rtrack\": {\"exit\": {\"signal\": "
     "\"40\"}, \"job\": {\"argv\": [\"/usr/bin/sort\", \"\", \"it's\\n::error::\"]}}}",
     {{"title", "\"sort\""},
      {"run.command", "\"/usr/bin/sort '' $'it\\\\'s\\\\n::error::'\""},
      {"usage.has_history", "false"},
      {"usage.rows.0.median", "null"},
      {"statistics.history", "null"},
      {"statistics.all", "null"},
      {"status.signal", "\"40\""},
      {"status.text", "\"The job was ended by signal 40 (exit status 168).\""},
      {"advice.items.1.value", "2048"},
      {"prices.known", "false"},
      {"prices.attribution", "\"\""}}},
    {"{\"metadata\": {\"interval\": 1}, \"server_info\": {\"gpu_count\": 2, \"gpu_name\": \"X\", "
     "\"gpu_memory_mb\": 2048}, "
     "\"process_metrics\": {\"timestamp\": [1], \"gpu_vram\": [512]}, \"rtrack\": {\"exit\": "
     "{\"code\": null, \"cause\": \"detached\"}}}",
     {{"run.mode", "\"process\""},
      {"server.facts.3.text", "\"2 × X, 2.00 GiB in all\""},
      {"usage.rows.7.id", "\"process_gpu_vram.max\""},
      {"usage.rows.7.now.text", "\"512 MiB\""},
      {"status.text", "\"The recording is complete.\""}}},
};

TEST_WITH(little_known, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
		cJSON *model;
		assert_non_null(recordings_load(t, "1.json", bare[i].text));
		model = model_of(&t->runs, NULL);
		for (const struct expected *c = bare[i].cases; c->path; c++)
			expect(model, c->path, c->value);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

/* A recording's strings may be as long as they like: the report stays small. */
TEST_WITH(long_strings, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct buf x = {0}, b = {0};
	char *text;
	cJSON *model;

	for (int i = 0; i < 800000; i++)
		buf_char(&x, 'x');
	buf_printf(&b, "{\"server_info\": {\"os\": \"%s\"}, ", buf_cstr(&x));
	buf_printf(&b, "\"cloud_info\": {\"vendor\": \"%s\", \"region\": \"%s\"}, ", buf_cstr(&x),
	           buf_cstr(&x));
	buf_printf(&b, "\"process_metrics\": [{\"timestamp\": 1}]}");
	assert_non_null(recordings_load(t, "a.json", buf_cstr(&b)));
	buf_clear(&b);
	buf_printf(&b, "{\"rtrack\": {\"notes\": [\"%s\"], \"job\": {\"name\": \"%s\", ",
	           buf_cstr(&x), buf_cstr(&x));
	buf_printf(&b, "\"host\": \"%s\", \"argv\": [\"%s\"], \"tags\": ", buf_cstr(&x),
	           buf_cstr(&x));
	buf_printf(&b, "{\"k\": \"%s\"}}}, \"process_metrics\": [{\"timestamp\": 2}]}",
	           buf_cstr(&x));
	assert_non_null(recordings_load(t, "b.json", buf_cstr(&b)));
	assert_false(b.failed);
	for (int current = 0; current < 2; current++) {
		t->runs.current = current ? recordings_path(t, "a.json") : NULL;
		model = model_of(&t->runs, NULL);
		text = model_text(model, "");
		assert_true(strlen(text) < 24000);
		free(text);
		cJSON_Delete(model);
	}
	t->runs.current = NULL;
	buf_free(&x);
	buf_free(&b);
}
