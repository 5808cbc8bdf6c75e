/* model_processes: the table, its order and its limits, the sums by name, the timeline. */
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

/* A run from 1000 to 1100. */
static cJSON *of(struct recordings *t, const char *processes)
{
	struct buf b = {0};
	cJSON *model;

	buf_printf(&b,
	           "{\"metadata\":{\"interval\":1,\"start_time\":1000,\"stop_time\":1100},"
	           "\"rtrack\":{\"totals\":{\"exact_cpu_s\":80},\"processes\":%s},"
	           "\"process_metrics\":{\"timestamp\":[1001,1100],\"cpu_usage\":[1,1]}}",
	           processes);
	assert_non_null(recordings_load(t, "run.json", buf_cstr(&b)));
	buf_free(&b);
	model = model_of(&t->runs, NULL);
	assert_non_null(model);
	return model;
}

static const char three[] =
    "{\"seen\":3,\"seen_cpu_s\":72,\"unseen_cpu_s\":8,\"top\":["
    "{\"pid\":7,\"ppid\":1,\"name\":\"make\",\"command\":\"make -j2 \\u003call>\",\"start\":1000,"
    "\"end\":null,\"cpu_s\":2,\"peak_rss_bytes\":2048,\"peak_pss_bytes\":1024,\"read_bytes\":10,"
    "\"write_bytes\":20,\"exit_code\":2,\"signal\":null},"
    "{\"pid\":9,\"ppid\":7,\"name\":\"cc\",\"command\":null,\"start\":1025,\"end\":1075,"
    "\"cpu_s\":60,\"peak_rss_bytes\":4096,\"peak_pss_bytes\":null,\"read_bytes\":1,"
    "\"write_bytes\":2,\"exit_code\":null,\"signal\":\"KILL\"},"
    "{\"pid\":8,\"ppid\":7,\"name\":\"cc\",\"start\":1099.999,\"end\":1100,\"cpu_s\":10,"
    "\"peak_rss_bytes\":8192,\"peak_pss_bytes\":8000}],\"others\":[]}";

TEST_WITH(rows, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"processes.known", "true"},
	    {"processes.summary", "\"3 processes were seen, which used 1 min 12 s of CPU time. "
	                          "Another 8.00 s (10%) was used by "
	                          "processes that began and ended between two samples.\""},
	    {"processes.rows.0.rank", "1"},
	    {"processes.rows.0.pid", "9"},
	    {"processes.rows.0.ppid", "7"},
	    {"processes.rows.0.name", "\"cc\""},
	    {"processes.rows.0.command", "\"\""},
	    {"processes.rows.0.start.unix", "1025"},
	    {"processes.rows.0.end.unix", "1075"},
	    {"processes.rows.0.duration.value", "50"},
	    {"processes.rows.0.cpu.value", "60"},
	    {"processes.rows.0.cpu_share", "{\"value\":75,\"text\":\"75%\",\"unit\":\"%\"}"},
	    {"processes.rows.0.memory.value", "4096"},
	    {"processes.rows.0.exit", "\"KILL\""},
	    {"processes.rows.0.ended", "\"signal KILL\""},
	    {"processes.rows.0.top_cpu", "true"},
	    {"processes.rows.0.top_memory", "false"},
	    {"processes.rows.0.bar",
	     "{\"x\":25,\"width\":50,\"text\":\"from 25.0 s to 1 min 15 s\"}"},
	    {"processes.rows.1.pid", "8"},
	    {"processes.rows.1.memory.value", "8000"},
	    {"processes.rows.1.read.value", "null"},
	    {"processes.rows.1.top_memory", "true"},
	    {"processes.rows.1.exit", "\"\""},
	    {"processes.rows.1.bar.x", "99.5"},
	    {"processes.rows.1.bar.width", "0.5"},
	    {"processes.rows.2.pid", "7"},
	    {"processes.rows.2.command", "\"make -j2 \\u003call\\u003e\""},
	    {"processes.rows.2.end", "null"},
	    {"processes.rows.2.duration.value", "100"},
	    {"processes.rows.2.write.value", "20"},
	    {"processes.rows.2.exit", "\"2\""},
	    {"processes.rows.2.ended", "\"exit 2\""},
	    {"processes.rows.2.bar",
	     "{\"x\":0,\"width\":100,\"text\":\"from 0 s to the end, 1 min 40 s\"}"},
	    {"processes.rows.3", "null"},
	    {"processes.grouped", "true"},
	    {"processes.commands.0.name", "\"cc\""},
	    {"processes.commands.0.count.value", "2"},
	    {"processes.commands.0.cpu.value", "70"},
	    {"processes.commands.0.cpu_share.value", "87.5"},
	    /* PSS where any of them had it. */
	    {"processes.commands.0.memory.value", "8000"},
	    {"processes.commands.0.read.value", "1"},
	    {"processes.commands.1.name", "\"make\""},
	    {"processes.commands.2", "null"},
	};
	cJSON *model = of(*state, three);
	char *doc = slurp("docs/model.md");

	EXPECT_ALL(model, cases);
	all_told(model_at(model, "processes"), doc);
	free(doc);
	cJSON_Delete(model);
}

/* Missing values are not shown, and wrong times make no bar. */
TEST_WITH(odd_ones, recordings_begin, recordings_end)
{
	static const struct {
		const char *processes;
		struct expected cases[8];
	} odd[] = {
	    {"null", {{"processes", "{\"known\":false}"}}},
	    {"[]", {{"processes", "{\"known\":false}"}}},
	    {"{}", {{"processes.known", "false"}}},
	    {"{\"top\":[{}]}",
	     {{"processes.known", "true"},
	      {"processes.summary", "\"1 process was seen.\""},
	      {"processes.rows.0.name", "\"(no name)\""},
	      {"processes.rows.0.pid", "null"},
	      {"processes.rows.0.bar", "null"},
	      {"processes.rows.0.top_cpu", "false"},
	      {"processes.rows.0.cpu_share.text", "\"not measured\""},
	      {"processes.grouped", "false"}}},
	    {"{\"top\":[{\"start\":1050,\"end\":1040,\"cpu_s\":500},{\"start\":1200},"
	     "{\"start\":900,\"end\":950},{\"start\":\"x\",\"end\":[]},{\"start\":900,"
	     "\"end\":1e300}]}",
	     {{"processes.rows.0.bar", "null"},
	      {"processes.rows.0.duration.value", "null"},
	      {"processes.rows.0.cpu_share.value", "100"},
	      {"processes.rows.1.bar", "null"},
	      {"processes.rows.2.bar", "null"},
	      {"processes.rows.3.bar", "null"},
	      {"processes.rows.4.bar",
	       "{\"x\":0,\"width\":100,\"text\":\"from 0 s to 1 min 40 s\"}"},
	      {"processes.rows.4.end", "null"}}},
	};

	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		cJSON *model;
		recordings_end(state);
		recordings_begin(state);
		model = of(*state, odd[i].processes);
		for (const struct expected *c = odd[i].cases; c < odd[i].cases + 8 && c->path; c++)
			expect(model, c->path, c->value);
		cJSON_Delete(model);
	}
}

/* 200 processes: the later a process, the less CPU time and the more memory it had. */
static cJSON *many(struct recordings *t)
{
	struct buf b = {0};
	cJSON *model;

	buf_str(&b, "{\"seen\":1200,\"seen_cpu_s\":20,\"top\":[");
	for (int i = 0; i < 200; i++)
		buf_printf(&b,
		           "%s{\"pid\":%d,\"name\":\"p%d\",\"start\":1000,\"cpu_s\":%g,"
		           "\"peak_rss_bytes\":%d}",
		           i ? "," : "", i, i, (200 - i) / 1000., i * 1024);
	buf_str(&b, "],\"others\":[{\"name\":\"p0\",\"count\":900,\"cpu_s\":5},"
	            "{\"name\":null,\"count\":100,\"cpu_s\":7}]}");
	model = of(t, buf_cstr(&b));
	buf_free(&b);
	return model;
}

TEST_WITH(bounded, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"processes.rows.0.pid", "0"},
	    {"processes.rows.24.pid", "24"},
	    {"processes.rows.25.pid", "175"},
	    {"processes.rows.49.pid", "199"},
	    {"processes.rows.49.rank", "50"},
	    {"processes.rows.49.top_memory", "true"},
	    {"processes.rows.50", "null"},
	    {"processes.commands.0.name", "\"p0\""},
	    {"processes.commands.0.rest", "false"},
	    {"processes.commands.0.count.text", "\"901\""},
	    {"processes.commands.0.cpu.value", "5.2"},
	    {"processes.commands.29.name", "\"p29\""},
	    /* The nameless, and p30 to p199: 170 of them, 0.001 to 0.170 s. */
	    {"processes.commands.30.name", "\"all others\""},
	    {"processes.commands.30.rest", "true"},
	    {"processes.commands.30.count.value", "270"},
	    {"processes.commands.30.cpu.value", "21.535"},
	    {"processes.commands.31", "null"},
	};
	cJSON *model = many(*state);
	char *summary = model_text(model, "processes.summary");

	EXPECT_ALL(model, cases);
	assert_non_null(strstr(summary, "1,200 processes were seen"));
	assert_non_null(strstr(summary, "The table lists the 50 processes with the most CPU time"));
	free(summary);
	cJSON_Delete(model);
}

/* The ticks of runs of any length: round times, within the run, from its start. */
TEST_WITH(axis, recordings_begin, recordings_end)
{
	static const struct {
		double length;
		const char *texts[6];
	} cases[] = {
	    {0.04, {"0 s", "0.02 s", "0.04 s"}},
	    {0.7, {"0 s", "0.5 s"}},
	    {8.84, {"0 s", "3 s", "6 s"}},
	    {60, {"0 s", "20 s", "40 s", "1 min"}},
	    {3600, {"0 s", "20 min", "40 min", "1 h"}},
	    {5400, {"0 s", "30 min", "1 h", "1 h 30 min"}},
	    {86400, {"0 s", "8 h", "16 h", "1 d"}},
	    {604800, {"0 s", "5 d"}},
	    {3e8, {"0 s", "2000 d"}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[512];
		const cJSON *ticks, *tick;
		cJSON *model;
		int n = 0;
		recordings_end(state);
		recordings_begin(state);
		snprintf(text, sizeof text,
		         "{\"metadata\":{\"interval\":1,\"start_time\":1000,\"stop_time\":%.17g},"
		         "\"rtrack\":{\"processes\":{\"top\":[{}]}},"
		         "\"process_metrics\":{\"timestamp\":[1001]}}",
		         1000 + cases[i].length);
		assert_non_null(recordings_load(*state, "run.json", text));
		model = model_of(&((struct recordings *)*state)->runs, NULL);
		ticks = model_at(model, "processes.axis");
		cJSON_ArrayForEach (tick, ticks) {
			double x = cJSON_GetNumberValue(model_at(tick, "x"));
			assert_true(n < 6 && cases[i].texts[n]);
			assert_string_equal(cJSON_GetStringValue(model_at(tick, "text")),
			                    cases[i].texts[n++]);
			assert_true(x >= 0 && x <= 100);
		}
		assert_true(n == 6 || !cases[i].texts[n]);
		cJSON_Delete(model);
	}
}
