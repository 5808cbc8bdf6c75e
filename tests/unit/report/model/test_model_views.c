/* model_views: the run in the terms of other tools, with numbers computed by hand from
 * tests/fixtures/runs_faces/two-gpus.json. */
#include "report/model/model_views.h"
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

#define TWO_GPUS "tests/fixtures/runs_faces/two-gpus.json"

static const struct view_options defaults = {"gigabytes", "gigabytes", "hours", 0, {{0}, 0}};

/* The views alone, of a model that has nothing else. NULL where they failed. */
static cJSON *views_of(struct recordings *t, const struct view_options *o)
{
	struct keeper_result *k = calloc(1, sizeof *k);
	struct advice advice = {.cpu = 2,
	                        .cpu_formula = "f",
	                        .memory_formula = ADVICE_NOT_MEASURED,
	                        .gpu_formula = ADVICE_NOT_MEASURED,
	                        .vram_formula = ADVICE_NOT_MEASURED};
	cJSON *model = cJSON_CreateObject();
	int failed;

	assert_non_null(k);
	model_prices_of(k);
	assert_int_equal(history_choose(&t->runs, 5, &t->e), 0);
	failed = model_views_add(
	    model, &(struct model_input){.runs = &t->runs, .advice = &advice, .keeper = k}, o,
	    &t->e);
	free(k);
	if (!failed)
		return model;
	cJSON_Delete(model);
	return NULL;
}

TEST_WITH(gpu_tracker, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"gpu_tracker.max_ram",
	     "{\"unit\":\"megabytes\",\"system_capacity\":16777.216,\"system\":4096,"
	     "\"main\":{\"total_rss\":1.536,\"private_rss\":0.3072,\"shared_rss\":1.2288},"
	     /* max(600, 2600, 500) kB; max(500, 1800, 700); max(0, 800, −200 is none) */
	     "\"descendants\":{\"total_rss\":2.6624,\"private_rss\":1.8432,\"shared_rss\":0.8192},"
	     "\"combined\":{\"total_rss\":3.072,\"private_rss\":2.048,\"shared_rss\":1.024}}"},
	    {"gpu_tracker.max_gpu_ram",
	     "{\"unit\":\"kilobytes\",\"system_capacity\":20000000,\"system\":734003.2,"
	     "\"main\":104857.6,\"descendants\":314572.8,\"combined\":314572.8}"},
	    {"gpu_tracker.cpu_utilization.system_core_count", "8"},
	    {"gpu_tracker.cpu_utilization.n_expected_cores", "4"},
	    {"gpu_tracker.cpu_utilization.system", /* of all 8 */
	     "{\"max_sum_percent\":400,\"max_hardware_percent\":50,\"mean_sum_percent\":250,"
	     "\"mean_hardware_percent\":31.25}"},
	    {"gpu_tracker.cpu_utilization.combined", /* of the 4 expected */
	     "{\"max_sum_percent\":300,\"max_hardware_percent\":75,\"mean_sum_percent\":200,"
	     "\"mean_hardware_percent\":50}"},
	    {"gpu_tracker.cpu_utilization.main.max_sum_percent", "100"},
	    {"gpu_tracker.cpu_utilization.descendants.max_sum_percent", "200"},
	    {"gpu_tracker.cpu_utilization.descendants.max_hardware_percent", "50"},
	    {"gpu_tracker.cpu_utilization.main_n_threads", "3"},
	    {"gpu_tracker.cpu_utilization.descendants_n_threads", "7"},
	    {"gpu_tracker.cpu_utilization.combined_n_threads", "10"},
	    {"gpu_tracker.gpu_utilization",
	     "{\"system_gpu_count\":2,\"n_expected_gpus\":2,\"gpu_percentages\":{"
	     "\"max_sum_percent\":150,\"max_hardware_percent\":75,\"mean_sum_percent\":75,"
	     "\"mean_hardware_percent\":37.5}}"},
	    {"gpu_tracker.compute_time", "{\"unit\":\"seconds\",\"time\":3.25}"},
	    {"gpu_tracker.table.0",
	     "{\"label\":\"RSS, peak (megabytes)\",\"main\":\"1.536\",\"descendants\":\"2.662\","
	     "\"combined\":\"3.072\",\"system\":\"4096\"}"},
	    {"gpu_tracker.table.3.label", "\"GPU memory, peak (kilobytes)\""},
	    {"gpu_tracker.table.3.main", "\"104858\""},
	    {"gpu_tracker.table.6.label", "\"CPU, mean (% of 4 cores)\""},
	    {"gpu_tracker.table.6.combined", "\"50\""},
	    {"gpu_tracker.table.6.system", "\"31.25\""},
	    {"gpu_tracker.table.9",
	     "{\"label\":\"Time (seconds)\",\"main\":\"–\",\"descendants\":\"–\","
	     "\"combined\":\"3.25\",\"system\":\"–\"}"},
	};
	struct recordings *t = *state;
	const struct view_options o = {"megabytes", "kilobytes", "seconds", 4, {{0}, 0}};
	cJSON *model;

	assert_int_equal(load_input(&t->runs, input_of(TWO_GPUS), &t->e), 0);
	model = views_of(t, &o);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

TEST_WITH(units, recordings_begin, recordings_end)
{
	static const struct {
		const char *ram, *time, *capacity, *seconds;
	} cases[] = {
	    {"bytes", "seconds", "16777216000", "3.25"},
	    {"kilobytes", "minutes", "16777216", "0.05416666666666667"},
	    {"megabytes", "hours", "16777.216", "0.0009027777777777777"},
	    {"gigabytes", "days", "16.777216", "0.00003761574074074074"},
	    {"terabytes", "days", "0.016777216", "0.00003761574074074074"},
	};
	struct recordings *t = *state;

	assert_int_equal(load_input(&t->runs, input_of(TWO_GPUS), &t->e), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct view_options o = {
		    cases[i].ram, cases[i].ram, cases[i].time, 0, {{0}, 0}};
		cJSON *model = views_of(t, &o);
		double seconds = model_at(model, "gpu_tracker.compute_time.time")->valuedouble;
		expect(model, "gpu_tracker.max_ram.system_capacity", cases[i].capacity);
		assert_true(fabs(seconds / strtod(cases[i].seconds, NULL) - 1) < 1e-12);
		cJSON_Delete(model);
	}
}

/* Of this recording there are no rows of single GPUs. */
TEST_WITH(chosen_gpus, recordings_begin, recordings_end)
{
	static const struct {
		struct opts_list gpus;
		const char *utilisation; /* NULL: an error */
		const char *sentence;
	} cases[] = {
	    {{{"GPU-b"}, 1},
	     "{\"system_gpu_count\":2,\"n_expected_gpus\":1,\"gpu_percentages\":{"
	     "\"max_sum_percent\":100,\"max_hardware_percent\":100,\"mean_sum_percent\":75,"
	     "\"mean_hardware_percent\":75}}",
	     ""},
	    {{{"GPU-b", "GPU-a"}, 2},
	     "{\"system_gpu_count\":2,\"n_expected_gpus\":2,\"gpu_percentages\":{"
	     "\"max_sum_percent\":150,\"max_hardware_percent\":75,\"mean_sum_percent\":75,"
	     "\"mean_hardware_percent\":37.5}}",
	     ""},
	    {{{"GPU-x"}, 1},
	     NULL,
	     "--gpu GPU-x: the recording has no such GPU; it has: GPU-a, GPU-b"},
	    {{{"GPU-a", "GPU"}, 2},
	     NULL,
	     "--gpu GPU: the recording has no such GPU; it has: GPU-a, GPU-b"},
	};
	struct recordings *t = *state;

	assert_int_equal(load_input(&t->runs, input_of(TWO_GPUS), &t->e), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct view_options o = defaults;
		cJSON *model;
		o.gpus = cases[i].gpus;
		model = views_of(t, &o);
		if (cases[i].utilisation)
			expect(model, "gpu_tracker.gpu_utilization", cases[i].utilisation);
		else
			assert_null(model);
		if (*cases[i].sentence)
			assert_string_equal(t->e.msg, cases[i].sentence);
		cJSON_Delete(model);
	}
}

/* Of some GPUs: the peak of their sum is in their rows, for their own peaks may fall apart. A run
 * on some of the machine's GPUs is about these, and the machine stays what it is. */
TEST_WITH(rows_of_gpus, recordings_begin, recordings_end)
{
	static const char text[] =
	    "{\"server_info\": {\"vcpus\": 1, \"gpu_count\": 4, \"gpu_memory_mb\": 4}, \"rtrack\": "
	    "{\"gpus\": [{\"uuid\": \"a\", \"memory_bytes\": 1048576, \"utilisation_max\": 1},"
	    "{\"uuid\": \"b\", \"memory_bytes\": 1048576, \"utilisation_max\": 1},"
	    "{\"uuid\": \"c\", \"memory_bytes\": 1048576, \"utilisation_max\": 1}]},"
	    "\"system_metrics\": {\"timestamp\": [1, 2, 3], \"gpu_usage\": [1.5, 1.75, 2],"
	    "\"gpu_vram\": [1, 1, 1], \"gpu0_usage\": [null, 1, 0.25], "
	    "\"gpu1_usage\": [null, 0.25, 1], \"gpu2_usage\": [null, 0.5, 0.75]}}";
	static const struct {
		struct opts_list gpus;
		const char *utilisation;
	} cases[] = {
	    {{{"a", "b"}, 2},
	     "{\"system_gpu_count\":4,\"n_expected_gpus\":2,\"gpu_percentages\":{"
	     "\"max_sum_percent\":125,\"max_hardware_percent\":62.5,\"mean_sum_percent\":125,"
	     "\"mean_hardware_percent\":62.5}}"},
	    {{{"c"}, 1},
	     "{\"system_gpu_count\":4,\"n_expected_gpus\":1,\"gpu_percentages\":{"
	     "\"max_sum_percent\":75,\"max_hardware_percent\":75,\"mean_sum_percent\":62.5,"
	     "\"mean_hardware_percent\":62.5}}"},
	    {{{0}, 0},
	     "{\"system_gpu_count\":4,\"n_expected_gpus\":3,\"gpu_percentages\":{"
	     "\"max_sum_percent\":200,\"max_hardware_percent\":66.66666666666667,"
	     "\"mean_sum_percent\":187.5,\"mean_hardware_percent\":62.5}}"},
	};
	struct recordings *t = *state;

	assert_non_null(recordings_load(t, "r.json", text));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct view_options o = defaults;
		cJSON *model;
		o.gpus = cases[i].gpus;
		model = views_of(t, &o);
		expect(model, "gpu_tracker.gpu_utilization", cases[i].utilisation);
		/* The machine has a fourth GPU, and nobody knows what it did. */
		expect(model, "gpu_tracker.max_gpu_ram.system_capacity", "0.004194304");
		expect(model, "gpu_tracker.max_gpu_ram.system", "null");
		cJSON_Delete(model);
	}
}

/* Of three GPUs, two, without their rows: their peaks may have fallen at different times. */
TEST_WITH(some_gpus, recordings_begin, recordings_end)
{
	static const char text[] =
	    "{\"server_info\": {\"vcpus\": 1, \"gpu_count\": 3}, \"rtrack\": {\"gpus\": ["
	    "{\"uuid\": \"a\", \"utilisation_mean\": 0.25, \"utilisation_max\": 1},"
	    "{\"uuid\": \"b\", \"utilisation_mean\": 0.5, \"utilisation_max\": 1},"
	    "{\"uuid\": \"c\", \"utilisation_mean\": 1, \"utilisation_max\": 1}]},"
	    "\"system_metrics\": {\"timestamp\": [1], \"gpu_usage\": [1.75]}}";
	struct recordings *t = *state;
	struct view_options o = defaults;
	cJSON *model;

	assert_non_null(recordings_load(t, "r.json", text));
	o.gpus = (struct opts_list){{"a", "b"}, 2};
	model = views_of(t, &o);
	expect(model, "gpu_tracker.gpu_utilization",
	       "{\"system_gpu_count\":3,\"n_expected_gpus\":2,\"gpu_percentages\":{"
	       "\"max_sum_percent\":null,\"max_hardware_percent\":null,\"mean_sum_percent\":75,"
	       "\"mean_hardware_percent\":37.5}}");
	cJSON_Delete(model);
}

/* Not measured is null, never 0; but a machine without a GPU uses none. */
TEST_WITH(unmeasured, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"gpu_tracker.max_ram.main.total_rss", "null"},
	    {"gpu_tracker.max_ram.descendants.total_rss", "null"},
	    {"gpu_tracker.max_ram.system_capacity", "null"},
	    {"gpu_tracker.cpu_utilization.system_core_count", "null"},
	    {"gpu_tracker.cpu_utilization.combined.max_sum_percent", "200"},
	    {"gpu_tracker.cpu_utilization.combined.max_hardware_percent", "null"},
	    {"gpu_tracker.cpu_utilization.main_n_threads", "null"},
	    {"gpu_tracker.max_gpu_ram.combined", "0"},
	    {"gpu_tracker.gpu_utilization.n_expected_gpus", "0"},
	    {"gpu_tracker.gpu_utilization.gpu_percentages.max_hardware_percent", "0"},
	    {"snakemake.max_rss", "\"-\""},
	    {"snakemake.cpu_time", "\"-\""},
	    {"snakemake.mean_load", "\"150.00\""},
	    {"nextflow.status", "\"-\""},
	    {"nextflow.exit", "\"-\""},
	    {"nextflow.cpu", "\"150.0%\""},
	    {"nextflow.peak_rss", "\"-\""},
	    {"nextflow.peak_vmem", "\"-\""},
	    {"nextflow.rchar", "\"-\""},
	    {"nextflow.wchar", "\"-\""},
	    {"snakemake.max_vms", "\"-\""},
	    {"nextflow.native_id", "\"-\""},
	};
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(
	    recordings_load(t, "r.json",
	                    "{\"server_info\": {\"gpu_count\": 0}, \"process_metrics\": "
	                    "{\"timestamp\": [1, 2], \"cpu_usage\": [1, 2]}}"));
	model = views_of(t, &defaults);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* A peak that no sample saw is in the columns of the others, too. */
TEST_WITH(peaks_between_samples, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"snakemake.max_rss", "\"64.00\""},
	    {"nextflow.peak_rss", "\"64 MB\""},
	};
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(
	    recordings_load(t, "r.json",
	                    "{\"rtrack\": {\"totals\": {\"peak_rss_bytes\": 67108864}}, "
	                    "\"process_metrics\": {\"timestamp\": [1, 2], \"cpu_usage\": [1, 2], "
	                    "\"rss\": [1024, 2048]}}"));
	model = views_of(t, &defaults);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

TEST_WITH(others, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"snakemake",
	     "{\"s\":\"3.2500\",\"h_m_s\":\"0:00:03\",\"max_rss\":\"2.93\",\"max_vms\":\"12.50\","
	     "\"max_uss\":\"1.95\",\"max_pss\":\"2.93\",\"io_in\":\"3.00\",\"io_out\":\"1.50\","
	     "\"mean_load\":\"200.00\",\"cpu_time\":\"6.50\"}"},
	    {"nextflow",
	     "{\"task_id\":\"-\",\"hash\":\"-\",\"native_id\":\"77\",\"name\":\"align\","
	     "\"status\":\"FAILED\",\"exit\":\"3\",\"submit\":\"2026-11-21 06:40:00.000\","
	     "\"duration\":\"3.3s\",\"realtime\":\"3.3s\",\"cpu\":\"200.0%\",\"peak_rss\":\"2.9 "
	     "MB\",\"peak_vmem\":\"12.5 MB\",\"rchar\":\"4 MB\",\"wchar\":\"2 KB\"}"},
	};
	struct recordings *t = *state;
	cJSON *model;

	assert_int_equal(load_input(&t->runs, input_of(TWO_GPUS), &t->e), 0);
	model = views_of(t, &defaults);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* As their programs write times, sizes and ends. */
TEST_WITH(spellings, recordings_begin, recordings_end)
{
	static const struct {
		const char *duration, *rss, *exit; /* kB */
		const char *h_m_s, *time, *size, *status, *code;
	} cases[] = {
	    {"0.35", "0", "\"code\": 0", "0:00:00", "350ms", "0", "COMPLETED", "0"},
	    {"0.9994", "0.5", "\"code\": 1", "0:00:00", "999ms", "512 B", "FAILED", "1"},
	    {"4", "1", "\"code\": 0", "0:00:04", "4s", "1 KB", "COMPLETED", "0"},
	    {"12.34", "1536", "\"code\": 0", "0:00:12", "12.3s", "1.5 MB", "COMPLETED", "0"},
	    {"63", "1048576", "\"signal\": \"KILL\"", "0:01:03", "1m 3s", "1 GB", "FAILED", "137"},
	    {"3600", "1", "\"signal\": \"TERM\"", "1:00:00", "1h", "1 KB", "FAILED", "143"},
	    {"86400", "1", "\"code\": 0", "1 day, 0:00:00", "1d", "1 KB", "COMPLETED", "0"},
	    {"187384.6", "1", "\"code\": 0", "2 days, 4:03:04", "2d 4h 3m 4s", "1 KB", "COMPLETED",
	     "0"},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[600];
		cJSON *model;
		snprintf(
		    text, sizeof text,
		    "{\"metadata\": {\"interval\": 1, \"start_time\": 1000000, \"stop_time\": "
		    "%.3f}, \"rtrack\": {\"job\": {\"name\": \"x\"}, \"exit\": {%s, \"cause\": "
		    "\"exited\"}}, \"process_metrics\": {\"timestamp\": [1000001], \"rss\": [%s], "
		    "\"cpu_usage\": [1]}}",
		    1000000 + strtod(cases[i].duration, NULL), cases[i].exit, cases[i].rss);
		assert_non_null(recordings_load(t, "r.json", text));
		model = views_of(t, &defaults);
		assert_string_equal(model_at(model, "snakemake.h_m_s")->valuestring,
		                    cases[i].h_m_s);
		assert_string_equal(model_at(model, "nextflow.duration")->valuestring,
		                    cases[i].time);
		assert_string_equal(model_at(model, "nextflow.peak_rss")->valuestring,
		                    cases[i].size);
		assert_string_equal(model_at(model, "nextflow.status")->valuestring,
		                    cases[i].status);
		assert_string_equal(model_at(model, "nextflow.exit")->valuestring, cases[i].code);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

/* Amounts of a stranger's: a number of 300 digits finds no room, and no time is not a number. */
TEST_WITH(beyond_measure, recordings_begin, recordings_end)
{
	static const struct {
		const char *rss, *size;
	} cases[] = {
	    {"1e300", "-"},          {"1.7e308", "-"},    {"1e22", "-"},
	    {"1e21", "888178.4 EB"}, {"1e17", "88.8 EB"}, {"-1e300", "0"},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[200];
		cJSON *model;
		snprintf(text, sizeof text,
		         "{\"process_metrics\": {\"cpu_usage\": [1e308, 1e308], \"rss\": [%s]}}",
		         cases[i].rss);
		assert_non_null(recordings_load(t, "r.json", text));
		model = views_of(t, &defaults);
		assert_string_equal(model_at(model, "nextflow.peak_rss")->valuestring,
		                    cases[i].size);
		assert_string_equal(model_at(model, "snakemake.h_m_s")->valuestring, "-");
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

TEST_WITH(odd_percents, recordings_begin, recordings_end)
{
	static const struct {
		const char *cpu, *text;
	} cases[] = {{"1e308", "–"}, {"-0", "0"}, {"1e100", "1e+102"}, {"20.5", "2050"}};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[200];
		cJSON *model;
		snprintf(text, sizeof text, "{\"process_metrics\": {\"cpu_usage\": [%s, %s]}}",
		         cases[i].cpu, cases[i].cpu);
		assert_non_null(recordings_load(t, "r.json", text));
		model = views_of(t, &defaults);
		assert_string_equal(model_at(model, "gpu_tracker.table.1.combined")->valuestring,
		                    cases[i].text);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

static const cJSON *family(const cJSON *model, const char *name)
{
	const cJSON *f;

	cJSON_ArrayForEach (f, model_at(model, "openmetrics"))
		if (strcmp(model_at(f, "name")->valuestring, name) == 0)
			return f;
	return NULL;
}

TEST_WITH(openmetrics, recordings_begin, recordings_end)
{
	static const struct {
		const char *family, *path, *value;
	} cases[] = {
	    {"rtrack_run", "type", "\"info\""},
	    {"rtrack_run", "samples.0.suffix", "\"_info\""},
	    {"rtrack_run_exit_code", "samples.0",
	     "{\"suffix\":\"\",\"labels\":[{\"comma\":\"\",\"key\":\"job\",\"value\":\"align\"}],"
	     "\"value\":3}"},
	    {"rtrack_run_succeeded", "samples.0.value", "0"},
	    {"rtrack_cpu_usage_cores", "unit", "\"cores\""},
	    {"rtrack_cpu_usage_cores", "samples.2.labels.1.value", "\"main\""},
	    {"rtrack_cpu_usage_cores", "samples.3.labels.2",
	     "{\"comma\":\",\",\"key\":\"statistic\",\"value\":\"max\"}"},
	    {"rtrack_cpu_usage_cores", "samples.5.value", "4"},
	    {"rtrack_cpu_user_seconds", "samples.0.suffix", "\"_total\""},
	    {"rtrack_cpu_user_seconds", "samples.0.value", "4.5"},
	    {"rtrack_disk_read_bytes", "samples.0.value", "3145728"}, /* the exact total */
	    {"rtrack_disk_read_bytes", "samples.1.value", "1048576"},
	    {"rtrack_pressure_ratio", "samples.2.labels.1.value", "\"io_full\""},
	    {"rtrack_pressure_ratio", "samples.4", "null"}, /* others were not measured */
	    {"rtrack_gpu_usage_gpus", "samples.3.value", "1.5"},
	    {"rtrack_recommended_cpus", "samples.0.value", "2"},
	    {"rtrack_run_cost", "samples.0.labels.1.value", "\"present\""},
	    {"rtrack_run_cost", "samples.1.labels.2.value", "\"EUR\""},
	    {"rtrack_run_cost", "samples.1.value", "0.000325"}, /* 0.36 / 3600 × 3.25 */
	};
	static const char *const absent[] = {"rtrack_throttled_seconds",
	                                     "rtrack_recommended_memory_bytes"};
	struct recordings *t = *state;
	cJSON *model;

	assert_int_equal(load_input(&t->runs, input_of(TWO_GPUS), &t->e), 0);
	model = views_of(t, &defaults);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const cJSON *f = family(model, cases[i].family);
		assert_non_null(f);
		expect(f, cases[i].path, cases[i].value);
	}
	for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
		assert_null(family(model, absent[i]));
	cJSON_Delete(model);
}

/* Of what the charts have: of a model without, none. */
TEST_WITH(sparklines, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model, *charts;

	assert_int_equal(load_input(&t->runs, input_of(TWO_GPUS), &t->e), 0);
	model = views_of(t, &defaults);
	expect(model, "sparklines", "{\"rows\":[],\"known\":false}");
	cJSON_Delete(model);

	model = cJSON_CreateObject();
	charts = cJSON_Parse(
	    "[{\"series\": [{\"id\": \"system_cpu_iowait\", \"label\": \"x\", \"spark\": \"▁\"}, "
	    "{\"id\": \"process_cpu_usage\", \"label\": \"CPU\", \"spark\": \"▁█\", \"digest\": "
	    "{\"mean\": {\"value\": 1}, \"max\": {\"value\": 2}}}]}, {\"series\": [{\"id\": "
	    "\"process_memory\", \"label\": \"Memory\", \"spark\": \"\"}, {\"id\": "
	    "\"system_memory_used\", \"label\": \"Memory\"}]}]");
	assert_non_null(charts);
	cJSON_AddItemToObject(model, "charts", charts);
	{
		struct keeper_result *k = calloc(1, sizeof *k);
		struct advice advice = {0};
		assert_non_null(k);
		assert_int_equal(
		    model_views_add(
			model,
			&(struct model_input){.runs = &t->runs, .advice = &advice, .keeper = k},
			&defaults, &t->e),
		    0);
		free(k);
	}
	expect(model, "sparklines",
	       "{\"rows\":[{\"label\":\"CPU\",\"spark\":\"▁█\",\"mean\":{\"value\":1},\"max\":{"
	       "\"value\":2}}],\"known\":true}");
	cJSON_Delete(model);
}

TEST_WITH(documented, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	char *doc = slurp("docs/model.md");
	cJSON *model;

	assert_int_equal(load_input(&t->runs, input_of(TWO_GPUS), &t->e), 0);
	model = views_of(t, &defaults);
	all_told(model, doc);
	free(doc);
	cJSON_Delete(model);
}

/* A peak between two samples, of a command alone. */
TEST_WITH(no_rss_below_the_peak, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"gpu_tracker.max_ram.combined.total_rss", "0.2"},
	    {"gpu_tracker.max_ram.main.total_rss", "0.2"},
	    {"gpu_tracker.max_ram.descendants.total_rss", "0"},
	};
	struct recordings *t = *state;
	cJSON *model;

	assert_non_null(recordings_load(
	    t, "a.json",
	    "{\"metadata\": {\"interval\": 1, \"start_time\": 10, \"stop_time\": 12, "
	    "\"track_processes\": true}, \"rtrack\": {\"memory\": {\"peak_bytes\": 200000000, "
	    "\"peak_at_most_bytes\": 200000000, \"peak_known\": \"exact\"}}, "
	    "\"process_metrics\": {\"timestamp\": [11, 12], \"memory\": [97656.25, 97656.25], "
	    "\"rss\": [97656.25, 97656.25], \"main_rss\": [97656.25, 97656.25]}}"));
	model = views_of(t, &defaults);
	assert_non_null(model);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}
