/* model_processes: the table, its order and its limits, the sums by name. */
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
	                          "processes that began and ended between two samples, "
	                          "and after the last sample of each.\""},
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
	    {"processes.rows.0.from.value", "25"},
	    {"processes.rows.0.cpu_from", "\"samples\""},
	    {"processes.rows.0.failed", "true"},
	    {"processes.rows.0.path.text", "\"–\""},
	    {"processes.rows.1.pid", "8"},
	    {"processes.rows.1.memory.value", "8000"},
	    {"processes.rows.1.read.value", "null"},
	    {"processes.rows.1.top_memory", "true"},
	    {"processes.rows.1.exit", "\"\""},
	    {"processes.rows.1.read.text", "\"–\""},
	    {"processes.rows.2.pid", "7"},
	    {"processes.rows.2.command", "\"make -j2 \\u003call\\u003e\""},
	    {"processes.rows.2.end", "null"},
	    {"processes.rows.2.duration.value", "100"},
	    {"processes.rows.2.write.value", "20"},
	    {"processes.rows.2.exit", "\"2\""},
	    {"processes.rows.2.ended", "\"exit 2\""},
	    {"processes.rows.3", "null"},
	    {"processes.grouped", "true"},
	    {"processes.names.0.name", "\"cc\""},
	    {"processes.names.0.count.value", "2"},
	    {"processes.names.0.cpu.value", "70"},
	    {"processes.names.0.cpu_share.value", "87.5"},
	    /* PSS where any of them had it. */
	    {"processes.names.0.memory.value", "8000"},
	    {"processes.names.1.name", "\"make\""},
	    {"processes.names.2.name", "\"unknown processes\""},
	    {"processes.names.2.cpu.value", "8"},
	    {"processes.names.2.count.text", "\"–\""},
	    {"processes.names.3", "null"},
	    {"processes.has_more", "false"},
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
	      {"processes.summary",
	       "\"1 process was seen. The job used another 1 min 20 s (100%); by which processes is unknown.\""},
	      {"processes.rows.0.name", "\"(no name)\""},
	      {"processes.rows.0.pid", "null"},
	      {"processes.rows.0.from.text", "\"–\""},
	      {"processes.rows.0.top_cpu", "false"},
	      {"processes.rows.0.cpu_share.text", "\"–\""},
	      {"processes.grouped", "false"}}},
	    {"{\"top\":[{\"start\":1050,\"end\":1040,\"cpu_s\":500},{\"start\":1200},"
	     "{\"start\":900,\"end\":950},{\"start\":\"x\",\"end\":[]},{\"start\":900,"
	     "\"end\":1e300}]}",
	     {{"processes.rows.0.duration.value", "null"},
	      {"processes.rows.0.cpu_share.value", "100"},
	      {"processes.rows.1.from.value", "200"},
	      {"processes.rows.1.duration.value", "null"},
	      {"processes.rows.2.from.value", "0"},
	      {"processes.rows.3.from.value", "null"}}},
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
	    /* Five for their CPU time, and five for their memory. */
	    {"processes.rows.0.pid", "0"},
	    {"processes.rows.4.pid", "4"},
	    {"processes.rows.5.pid", "195"},
	    {"processes.rows.9.pid", "199"},
	    {"processes.rows.9.rank", "50"},
	    {"processes.rows.9.top_memory", "true"},
	    {"processes.rows.10", "null"},
	    {"processes.more.0.pid", "5"},
	    {"processes.more.0.rank", "6"},
	    {"processes.more.39.pid", "194"},
	    {"processes.more.40", "null"},
	    {"processes.shown", "\"40 more of 1,200 processes: most CPU time or memory, longest on "
	                        "the critical path, failed\""},
	    {"processes.names.0.name", "\"p0\""},
	    {"processes.names.0.rest", "false"},
	    {"processes.names.0.count.text", "\"901\""},
	    {"processes.names.0.cpu.value", "5.2"},
	    {"processes.names.9.name", "\"p9\""},
	    {"processes.more_names.19.name", "\"p29\""},
	    /* The nameless, and p30 to p199: 170 of them, 0.001 to 0.170 s. */
	    {"processes.more_names.20.name", "\"all others\""},
	    {"processes.more_names.20.rest", "true"},
	    {"processes.more_names.20.count.value", "270"},
	    {"processes.more_names.20.cpu.value", "21.535"},
	    {"processes.more_names.21", "null"},
	};
	cJSON *model = many(*state);
	char *summary = model_text(model, "processes.summary");

	EXPECT_ALL(model, cases);
	assert_non_null(strstr(summary, "1,200 processes were seen"));
	free(summary);
	cJSON_Delete(model);
}

/* What no sample saw is at its process, and what no process has is said. */
TEST_WITH(exact_and_bounds, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"processes.summary",
	     "\"All 3 processes, which used 1 min 10 s of CPU time. The job used another 10.0 s "
	     "(12.5%); by which processes is unknown. The CPU time of 1 process is unknown: the "
	     "kernel's process connector does not report it. Exact times by perf events: perf_event_paranoid is 3.\""},
	    {"processes.rows.0.cpu.text", "\"1 min\""},
	    {"processes.rows.0.cpu_from", "\"events\""},
	    {"processes.rows.1.cpu.text", "\"≥ 10.0 s\""},
	    {"processes.rows.1.cpu_from", "\"samples\""},
	    {"processes.rows.2.cpu.text", "\"–\""},
	    {"processes.rows.2.cpu_from", "null"},
	    {"processes.names.0.cpu.text", "\"1 min\""},
	    {"processes.names.1.cpu.text", "\"≥ 10.0 s\""},
	    {"processes.names.2.cpu.text", "\"–\""},
	    {"processes.names.2.cpu_share.value", "null"},
	    {"processes.names.3.name", "\"unknown processes\""},
	    {"processes.names.3.cpu_share.text", "\"12.5%\""},
	};
	cJSON *model =
	    of(*state, "{\"seen\":1,\"seen_cpu_s\":10,\"unseen_cpu_s\":70,\"top\":["
	               "{\"pid\":7,\"start\":1000,\"cpu_s\":10,\"peak_rss_bytes\":9}]},"
	               "\"tree\":{\"source\":\"events\",\"why\":\"\",\"kernel\":\"connector\","
	               "\"refused\":\"perf_event_paranoid is 3\",\"n\":3,\"kept\":3,"
	               "\"names\":[\"make\",\"cc\",\"as\"],\"commands\":[],\"pid\":[7,8,9],"
	               "\"parent\":[-1,0,0],\"start_s\":[0,1,2],\"end_s\":[100,61,2.1],"
	               "\"cpu_s\":[10,60,null],\"memory_bytes\":[9,null,null],"
	               "\"status\":[0,0,0],\"name\":[0,1,2],\"command\":[-1,-1,-1],"
	               "\"groups\":[]}");

	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* Two processes, with what is known of the second, of a job that used 80 s on two CPUs. */
static cJSON *counted(struct recordings *t, const char *kernel, double end_s, double cpu_s,
                      const char *exact)
{
	char text[700];

	snprintf(text, sizeof text,
	         "{},\"tree\":{\"source\":\"events\",\"why\":\"\",\"kernel\":\"%s\","
	         "\"n\":2,\"kept\":2,\"names\":[\"make\",\"cc\"],\"commands\":[],"
	         "\"pid\":[7,8],\"parent\":[-1,0],\"start_s\":[0,1],\"end_s\":[100,%g],"
	         "\"cpu_s\":[19,%g],\"memory_bytes\":[9,null],\"status\":[0,0],"
	         "\"name\":[0,1],\"command\":[-1,-1],\"cpu_exact\":[1,%s],\"groups\":[]}},"
	         "\"server_info\":{\"vcpus\":2},\"other\":{\"a\":1",
	         kernel, end_s, cpu_s, exact);
	return of(t, text);
}

/* What the processes used, beside what the job used. */
TEST(parts_and_the_whole)
{
	static const struct {
		const char *kernel;
		double end_s, cpu_s;
		const char *exact, *summary, *last; /* row of the names */
	} cases[] = {
	    {"perf", 61, 60, "1",
	     "\"All 2 processes, which used 1 min 19 s of CPU time. The kernel used another 1.00 s "
	     "(1.2%) to start and end them.\"",
	     "\"start and end of processes\""},
	    {"perf", 61, 60, "0",
	     "\"All 2 processes, which used 1 min 19 s of CPU time. The job used another 1.00 s "
	     "(1.2%); by which processes is unknown.\"",
	     "\"unknown processes\""},
	    /* 0.04 s on two CPUs do not explain it. */
	    {"perf", 1.04, 60, "0",
	     "\"All 2 processes, which used 1 min 19 s of CPU time. The kernel used another 1.00 s "
	     "(1.2%) to start and end them, or most of that.\"",
	     "\"start and end of processes\""},
	    {"perf", 61, 61.05, "1", "\"All 2 processes, which used 1 min 20 s of CPU time.\"",
	     "null"},
	    {"perf", 61, 62, "1",
	     "\"All 2 processes, which used 1 min 21 s of CPU time. That is 1.00 s (1.2%) more than "
	     "the job's own CPU time, which has no interrupts, no time that the hypervisor took and "
	     "no processes that were not waited for.\"",
	     "null"},
	    {"connector", 61, 62, "1",
	     "\"All 2 processes, which used 1 min 21 s of CPU time. That is 1.00 s (1.2%) more than "
	     "the job's own CPU time, which has no processes that were not waited for.\"",
	     "null"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		void *folder;
		cJSON *model;
		const struct expected expected[] = {
		    {"processes.summary", cases[i].summary},
		    {"processes.names.2.name", cases[i].last},
		};

		assert_int_equal(recordings_begin(&folder), 0);
		model = counted(folder, cases[i].kernel, cases[i].end_s, cases[i].cpu_s,
		                cases[i].exact);
		EXPECT_ALL(model, expected);
		cJSON_Delete(model);
		recordings_end(&folder);
	}
}
