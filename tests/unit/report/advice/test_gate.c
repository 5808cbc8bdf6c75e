/* gate: conditions, their answers, and the sentences for wrong ones. */
#include <math.h>
#include <string.h>

#include "report/advice/gate_text.h"
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0

/* This run, three earlier ones that count, and one that does not. */
static struct run all[5];
static struct stats stats[5][METRIC_COUNT];
static const struct runs runs = {.v = all, .n = 5};

static int prepare(void **state)
{
	static const double seconds[] = {100, 80, 90, 130, 1};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		all[i].used = i > 0 && i < 4;
		all[i].duration = seconds[i];
		all[i].stats = stats[i];
		for (int id = 0; id < METRIC_COUNT; id++)
			all[i].stats[id] = (struct stats){.max = NAN, .mean = NAN, .sum = NAN};
		all[i].stats[METRIC_PROCESS_MEMORY].max = 6 * GIB;
		all[i].stats[METRIC_PROCESS_CPU_USAGE].mean = 1.5;
		all[i].stats[METRIC_PROCESS_READ_BYTES] = (struct stats){.n = 4,
		                                                         .min = 1,
		                                                         .max = 7,
		                                                         .mean = 3,
		                                                         .sum = 12,
		                                                         .sd = 2.5,
		                                                         .p50 = 2,
		                                                         .p95 = 6.5};
		all[i].stats[METRIC_PROCESS_GPU_USAGE].max = 1.25;
		all[i].stats[METRIC_SYSTEM_PSI_CPU_SOME].mean = 0.25;
		all[i].stats[METRIC_PROCESS_THREADS].max = 12;
		all[i].stats[METRIC_PROCESS_UTIME].n = all[i].stats[METRIC_PROCESS_STIME].n = 1;
		all[i].stats[METRIC_PROCESS_UTIME].sum = 30;
		all[i].stats[METRIC_PROCESS_STIME].sum = 12;
		all[i].snapshot.totals.exact_cpu_s = i ? 50 : NAN;
		all[i].sampled_duration = seconds[i] - 1;
		all[i].snapshot.server.gpu_count = 2;
		all[i].snapshot.server.vcpus = 4;
		all[i].snapshot.server.memory_b = 16 * GIB;
		all[i].snapshot.server.gpu_memory_b = NAN;
		all[i].snapshot.limits.cpus = 2;
		all[i].snapshot.limits.memory_b = 8 * GIB;
		all[i].stats[METRIC_PROCESS_MEMORY].n = all[i].stats[METRIC_PROCESS_CPU_USAGE].n =
		    4;
		all[i].snapshot.asked.known = true;
		for (int k = 0; k < SNAPSHOT_ASKED_N; k++)
			all[i].snapshot.asked.of[k] = (struct snapshot_ask){.value = NAN};
		all[i].snapshot.asked.of[SNAPSHOT_ASKED_CPUS].value = 2.1;
		all[i].snapshot.asked.of[SNAPSHOT_ASKED_MEMORY].value = 6.25 * GIB;
		all[i].snapshot.asked.of[SNAPSHOT_ASKED_TIME].value = 125;
	}
	return 0;
}

ALL_TESTS_WITH(prepare, NULL)

TEST(answers)
{
	static const struct {
		const char *text;
		enum gate_answer answer;
		double left, right;
	} cases[] = {
	    {"process_memory.max > 5GiB", GATE_HOLDS, 6 * GIB, 5 * GIB},
	    {"process_memory.max>6 GiB", GATE_HOLDS_NOT, 6 * GIB, 6 * GIB},
	    {"process_memory.max >= 6GiB", GATE_HOLDS, 6 * GIB, 6 * GIB},
	    {"process_memory.max == 6442450944B", GATE_HOLDS, 6 * GIB, 6 * GIB},
	    {"process_memory.max != 6144MiB", GATE_HOLDS_NOT, 6 * GIB, 6 * GIB},
	    {"process_memory.max < 6.5GB", GATE_HOLDS, 6 * GIB, 6.5e9},
	    {"6GB < process_memory.max", GATE_HOLDS, 6e9, 6 * GIB},
	    {"process_memory.max > limit * 70%", GATE_HOLDS, 6 * GIB, 5.6 * GIB},
	    {"process_memory.max > limit * 0.8", GATE_HOLDS_NOT, 6 * GIB, 6.4 * GIB},
	    {"process_cpu_usage.mean < limit / 2", GATE_HOLDS_NOT, 1.5, 1},
	    {"process_cpu_usage.mean <= 1.5 cores", GATE_HOLDS, 1.5, 1.5},
	    {"duration > history * 1.1", GATE_HOLDS, 100, 99}, /* the median is 90 */
	    {"duration > history.max", GATE_HOLDS_NOT, 100, 130},
	    {"duration > history.min + 20s", GATE_HOLDS_NOT, 100, 100},
	    {"duration == history.mean", GATE_HOLDS, 100, 100},
	    {"duration > 1.5min", GATE_HOLDS, 100, 90},
	    {"duration > 2 min - 20 s", GATE_HOLDS_NOT, 100, 100},
	    {"duration > (1 + 2) * 30s", GATE_HOLDS, 100, 90},
	    {"duration / 50s >= 2", GATE_HOLDS, 2, 2},
	    {"1 + 2 * 3 < duration / 10s", GATE_HOLDS, 7, 10},
	    {"2h - 1h - 30min > duration", GATE_HOLDS, 1800, 100},
	    {"1h30m - 1.5h + 2w > duration", GATE_HOLDS, 1209600, 100},
	    {"cost > 0.05USD", GATE_HOLDS, 0.1, 0.05}, /* 3.6 an hour */
	    {"cost < 1e-1 EUR", GATE_HOLDS_NOT, 0.1, 0.1},
	    {"process_gpu_vram.max > 1GiB", GATE_NOT_JUDGED, NAN, GIB},
	    {"duration > limit", GATE_NOT_JUDGED, 100, NAN},
	    {"duration / 0s > 1", GATE_NOT_JUDGED, NAN, 1},
	    {"process_cpu_usage.mean < 2 GPUs", GATE_HOLDS, 1.5, 2},
	    {"process_cpu_usage.mean == 1.5 core", GATE_HOLDS, 1.5, 1.5},
	    {"cost == 0.1 GBP", GATE_HOLDS, 0.1, 0.1},
	    {"process_read_bytes.min == 1B", GATE_HOLDS, 1, 1},
	    {"process_read_bytes.sum == 12B", GATE_HOLDS, 12, 12},
	    {"process_read_bytes.sd == 2.5B", GATE_HOLDS, 2.5, 2.5},
	    {"process_read_bytes.p50 == 2B", GATE_HOLDS, 2, 2},
	    {"process_read_bytes.p95 == 6.5B", GATE_HOLDS, 6.5, 6.5},
	    {"process_read_bytes.sum > limit", GATE_NOT_JUDGED, 12, NAN}, /* no rate, no limit */
	    {"process_read_bytes.max > limit", GATE_NOT_JUDGED, 7, NAN},
	    {"timestamp.duration == 99s", GATE_HOLDS, 99, 99},
	    {"cpu_seconds == 42s", GATE_HOLDS, 42, 42}, /* of the samples */
	    {"history < cpu_seconds + 8s", GATE_HOLDS_NOT, 50,
	     50}, /* of the earlier ones' cgroups */
	    {"process_gpu_usage.max < limit", GATE_HOLDS, 1.25, 2},
	    {"process_memory.max > asked * 95%", GATE_HOLDS, 6 * GIB, 5.9375 * GIB},
	    {"asked - process_memory.max < 0.5GiB", GATE_HOLDS, GIB / 4, GIB / 2},
	    {"duration > asked * 0.9", GATE_HOLDS_NOT, 100, 112.5},
	    {"process_cpu_usage.mean < asked * 20%", GATE_HOLDS_NOT, 1.5, 0.42},
	    {"cpu_efficiency < 71%", GATE_HOLDS_NOT, 1.5 / 2.1, 0.71},
	    {"cpu_efficiency < 0.72", GATE_HOLDS, 1.5 / 2.1, 0.72},
	    {"memory_efficiency >= 96%", GATE_HOLDS, 0.96, 0.96},
	    {"time_efficiency > history", GATE_HOLDS, 0.8, 0.72}, /* the median of 90 s */
	    {"gpu_efficiency < 50%", GATE_NOT_JUDGED, NAN, 0.5},
	    {"process_gpu_usage.max < asked", GATE_NOT_JUDGED, 1.25, NAN},
	    {"process_read_bytes.max < asked", GATE_NOT_JUDGED, 7, NAN},
	    {"cpu_efficiency < asked", GATE_NOT_JUDGED, 1.5 / 2.1, NAN},
	    {"cpu_efficiency < limit", GATE_NOT_JUDGED, 1.5 / 2.1, NAN},
	    {"cpu_seconds < asked", GATE_NOT_JUDGED, 42, NAN},
	    {"system_memory_used.max < asked", GATE_NOT_JUDGED, NAN, NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate g;
		struct gate_result r;
		struct err e = {0};
		if (gate_parse(cases[i].text, &g, &e))
			fail_msg("%s", e.msg);
		gate_judge(&g, &runs, 3.6, NULL, &r);
		if (r.answer != cases[i].answer)
			fail_msg("%s: answer %d, %g and %g", cases[i].text, r.answer, r.left,
			         r.right);
		assert_true(isnan(r.left) ? isnan(cases[i].left)
		                          : fabs(r.left - cases[i].left) <= 1e-6 * r.left);
		assert_true(isnan(r.right) ? isnan(cases[i].right)
		                           : fabs(r.right - cases[i].right) <= 1e-6 * r.right);
		assert_true((r.answer == GATE_NOT_JUDGED) == (*r.why != 0));
	}
}

/* Numbers up to 1 are shares; a product, a quotient or a sum over rows may be any number. */
TEST(shares)
{
	static const char *const texts[] = {
	    "cpu_efficiency < 1",          "cpu_efficiency < 0.2",
	    "cpu_efficiency > 150%",       "cpu_efficiency * 100 < 20",
	    "cpu_efficiency / 0.5 < 20",   "wait_disk < history * 20",
	    "system_psi_io_some.sum > 5",  "cpu_seconds / duration < 2",
	    "process_cpu_usage.max < 20%", "process_gpu_usage.max < 20",
	    "process_threads.max < 20",    "system_load1.max > 4 cores",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct gate g;
		struct err e = {0};
		if (gate_parse(texts[i], &g, &e))
			fail_msg("%s", e.msg);
	}
}

/* The machine's memory is no limit of the job. */
TEST(no_limit)
{
	struct gate g;
	struct gate_result r;
	double limit = all[0].snapshot.limits.memory_b;

	all[0].snapshot.limits.memory_b = NAN;
	assert_int_equal(gate_parse("process_memory.max > limit * 10%", &g, NULL), 0);
	gate_judge(&g, &runs, NAN, NULL, &r);
	assert_int_equal(r.answer, GATE_NOT_JUDGED);
	assert_string_equal(r.why, "the job has no such limit");
	all[0].snapshot.limits.memory_b = limit;
}

TEST(no_gpu)
{
	struct gate g;
	struct gate_result r;
	double usage = all[0].stats[METRIC_PROCESS_GPU_USAGE].max;

	all[0].snapshot.server.gpu_count = 0;
	all[0].stats[METRIC_PROCESS_GPU_USAGE].max = 0;
	assert_int_equal(gate_parse("process_gpu_usage.max < 10%", &g, NULL), 0);
	gate_judge(&g, &runs, NAN, NULL, &r);
	assert_int_equal(r.answer, GATE_NOT_JUDGED);
	assert_string_equal(r.why, "no GPU was found");
	all[0].snapshot.server.gpu_count = 2;
	all[0].stats[METRIC_PROCESS_GPU_USAGE].max = usage;
}

/* A gate that waits for history holds nobody up who has none. */
TEST(first_run)
{
	struct gate g;
	struct gate_result r;

	assert_int_equal(gate_parse("duration > history * 1.2", &g, NULL), 0);
	gate_judge(&g, &(struct runs){.v = all, .n = 1}, NAN, NULL, &r);
	assert_int_equal(r.answer, GATE_NOT_JUDGED);
	assert_string_equal(r.why, "there is no earlier run to compare with");
}

/* What is not known is neither too much nor too little. */
TEST(nothing_asked)
{
	static const char *const texts[] = {"process_memory.max > asked", "duration > asked * 90%",
	                                    "cpu_efficiency < 20%", "time_efficiency > 1",
	                                    "gpu_efficiency < 1%"};

	all[0].snapshot.asked.known = false;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct gate g;
		struct gate_result r;
		assert_int_equal(gate_parse(texts[i], &g, NULL), 0);
		gate_judge(&g, &runs, NAN, NULL, &r);
		assert_int_equal(r.answer, GATE_NOT_JUDGED);
		assert_string_equal(r.why, "it is not known what was asked for");
	}
	all[0].snapshot.asked.known = true;
	all[0].snapshot.asked.of[SNAPSHOT_ASKED_GPUS].value = 1;
	{
		struct gate g;
		struct gate_result r;
		assert_int_equal(gate_parse("gpu_efficiency < 50%", &g, NULL), 0);
		gate_judge(&g, &runs, NAN, NULL, &r);
		assert_string_equal(r.why, "it was not measured");
	}
	all[0].snapshot.asked.of[SNAPSHOT_ASKED_GPUS].value = NAN;
}

/* Seconds with one thread and with four, of ten each: 10 + 40 / N s, in the earlier runs half of it. */
static void give_times(struct time_at *t, struct run *run, double h)
{
	for (int i = 0; i < 20; i++) {
		struct time_at_sample s = {
		    .h = h, .c = i % 2 ? 4 : 1, .b = 1, .b_least = NAN, .b_most = NAN};
		time_at_add(t, &s);
	}
	run->snapshot.time_at = t;
	run->snapshot.meta.children = true;
}

TEST(time_at_cpus)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
	    {"time_at_4cpus > 20s", "Time with 4 free CPUs 20.0 s is at most 20.0 s"},
	    {"time_at_1cpu > 49s", "Time with 1 free CPU 50.0 s is above 49.0 s"},
	    {"time_at_2cpus > time_at_4cpus * 1.4",
	     "Time with 2 free CPUs 30.0 s is above time_at_4cpus * 1.4 (28.0 s)"},
	    {"time_at_1024cpus < 20s", "Time with 1024 free CPUs 20.0 s is at least 20.0 s"},
	    {"time_at_1cpus >= history * 2",
	     "Time with 1 free CPU 50.0 s is at least history * 2 (50.0 s) (3 comparable runs)"},
	    {"time_at_4cpus < asked",
	     "Time with 4 free CPUs 20.0 s is below what was asked for, 2 min 5 s"},
	};
	static const char *const wrong[] = {"time_at_0cpus > 1s",    "time_at_cpus > 1s",
	                                    "time_at_4 > 1s",        "time_at_4cpusx > 1s",
	                                    "time_at_1025cpus > 1s", "time_at_4gpu > 1s"};
	static struct time_at t[4];
	struct gate g;
	struct gate_result r;
	struct err e;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(gate_parse(cases[i].text, &g, NULL), 0);
		gate_judge(&g, &runs, NAN, NULL, &r);
		assert_int_equal(r.answer, GATE_NOT_JUDGED);
		assert_string_equal(r.why, "it was not measured");
	}
	for (size_t i = 0; i < 4; i++)
		give_times(&t[i], &all[i], i ? 0.5 : 1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = {0};
		assert_int_equal(gate_parse(cases[i].text, &g, NULL), 0);
		gate_judge(&g, &runs, NAN, NULL, &r);
		gate_sentence(&g, &r, "EUR", &text);
		assert_string_equal(buf_cstr(&text), cases[i].sentence);
		buf_free(&text);
	}
	for (size_t i = 0; i < 4; i++)
		all[i].snapshot.time_at = NULL;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		e = (struct err){0};
		assert_int_equal(gate_parse(wrong[i], &g, &e), -1);
		assert_non_null(strstr(e.msg, "there is no statistic"));
	}
	e = (struct err){0};
	assert_int_equal(gate_parse("time_at_4cpus > 20", &g, &e), -1);
	assert_non_null(strstr(e.msg, "time (such as 90s, 5min) and a number can't be combined"));
}

/* An infinite number is not an answer: nothing fails by it. */
TEST(infinite)
{
	struct gate g;
	struct gate_result r;

	assert_int_equal(gate_parse("duration * 1e308 * 1e308 > 1s", &g, NULL), 0);
	gate_judge(&g, &runs, NAN, NULL, &r);
	assert_int_equal(r.answer, GATE_NOT_JUDGED);
	assert_non_null(strstr(r.why, "too large"));
}

/* The sentence says what is known of a peak that is a lower bound. */
TEST(bounds_of_the_peak)
{
	static const struct {
		const char *text;
		double most;
		const char *sentence;
	} cases[] = {
	    {"process_memory.max > 7GiB", 8 * GIB,
	     "Peak memory (PSS) 6.00 GiB is at most 7.00 GiB; the peak was 6.00 GiB to 8.00 GiB"},
	    {"process_memory.max > 7GiB", NAN,
	     "Peak memory (PSS) 6.00 GiB is at most 7.00 GiB; the peak was ≥ 6.00 GiB"},
	    {"process_memory.max > 7GiB", 6 * GIB,
	     "Peak memory (PSS) 6.00 GiB is at most 7.00 GiB"},
	    {"memory_efficiency < 97%", NAN,
	     "Memory efficiency 96% is below 97%; the peak was ≥ 6.00 GiB"},
	    {"duration > 110s", NAN, "Duration 1 min 40 s is at most 1 min 50 s"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate g;
		struct gate_result r;
		struct buf text = {0};
		all[0].snapshot.memory.known = true;
		all[0].memory =
		    (struct snapshot_memory){.peak_b = 6 * GIB, .peak_most_b = cases[i].most};
		assert_int_equal(gate_parse(cases[i].text, &g, NULL), 0);
		gate_judge(&g, &runs, NAN, NULL, &r);
		gate_sentence(&g, &r, "", &text);
		all[0].memory = (struct snapshot_memory){.known = false};
		all[0].snapshot.memory.known = false;
		assert_string_equal(buf_cstr(&text), cases[i].sentence);
		buf_free(&text);
	}
}

TEST(sentences)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
	    {"process_memory.max > 5GiB", "Peak memory (PSS) 6.00 GiB is above 5.00 GiB"},
	    {"process_memory.max > 6GiB", "Peak memory (PSS) 6.00 GiB is at most 6.00 GiB"},
	    {"process_memory.max<=6GiB", "Peak memory (PSS) 6.00 GiB is at most 6.00 GiB"},
	    {"process_memory.max > limit",
	     "Peak memory (PSS) 6.00 GiB is at most the limit 8.00 GiB"},
	    {"process_memory.max > 6442450943B",
	     "Peak memory (PSS) 6442450944 bytes is above 6442450943 bytes"},
	    {"process_memory.max / limit >= 75%",
	     "process_memory.max / limit (75%) is at least 75%"},
	    {"process_cpu_usage.mean / 2 < 1",
	     "process_cpu_usage.mean / 2 (0.75 cores) is below 1.00 core"},
	    {"process_cpu_usage.mean / limit < 50%",
	     "process_cpu_usage.mean / limit (75%) is at least 50%"},
	    {"process_cpu_usage.mean != 1", "Mean CPU usage 1.50 cores differs from 1.00 core"},
	    {"100s == duration", "1 min 40 s equals duration 1 min 40 s"},
	    {"duration >  history.min * 1.1 ",
	     "Duration 1 min 40 s is above history.min * 1.1 (1 min 28 s) (3 comparable runs)"},
	    {"duration > history",
	     "Duration 1 min 40 s is above the earlier runs' median 1 min 30 s (3 "
	     "comparable runs)"},
	    {"duration >= history.max",
	     "Duration 1 min 40 s is below the earlier runs' most 2 min 10 s (3 comparable runs)"},
	    {"duration / 50s > 1", "duration / 50s (200%) is above 100%"},
	    {"system_memory_used.max == 6GiB",
	     "system_memory_used.max == 6GiB: not judged, because it was not measured"},
	    {"cost > 0.05EUR", "Cost of the run 0.10 EUR is above 0.05 EUR"},
	    {"process_gpu_usage.max < 2", "Peak GPU usage 1.25 GPUs is below 2.00 GPUs"},
	    {"system_psi_cpu_some.mean > 10%",
	     "Mean waiting for CPU of the machine 25% is above 10%"},
	    {"process_threads.max >= 8", "Peak threads 12 is at least 8"},
	    {"duration > 110% * history",
	     "Duration 1 min 40 s is above 110% * history (1 min 39 s) (3 comparable runs)"},
	    {"(duration / history) * process_memory.max > 1GiB",
	     "(duration / history) * process_memory.max (6.67 GiB) is above 1.00 GiB (3 comparable runs)"},
	    {"process_memory.max < asked",
	     "Peak memory (PSS) 6.00 GiB is below what was asked for, 6.25 GiB"},
	    {"process_cpu_usage.mean < asked * 20%",
	     "Mean CPU usage 1.50 cores is at least asked * 20% (0.42 cores)"},
	    {"cpu_efficiency < 75%", "CPU efficiency 71.43% is below 75%"},
	    {"time_efficiency > 0.9", "Share of the time asked for 80% is at most 90%"},
	    {"gpu_efficiency < 0.5",
	     "gpu_efficiency < 0.5: not judged, because it is not known what was asked for"},
	    {"(duration / history) * 2 > 1",
	     "(duration / history) * 2 (222.22%) is above 100% (3 comparable runs)"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate g;
		struct gate_result r;
		struct buf text = {0};
		assert_int_equal(gate_parse(cases[i].text, &g, NULL), 0);
		gate_judge(&g, &runs, 3.6, NULL, &r);
		gate_sentence(&g, &r, "EUR", &text);
		assert_string_equal(buf_cstr(&text), cases[i].sentence);
		buf_free(&text);
	}
}

TEST(no_price)
{
	static const char *const texts[] = {"cost > 1USD", "cost > history", "1USD < cost"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct gate g;
		struct gate_result r;
		assert_int_equal(gate_parse(texts[i], &g, NULL), 0);
		gate_judge(&g, &runs, NAN, NULL, &r);
		assert_int_equal(r.answer, GATE_NOT_JUDGED);
		assert_string_equal(r.why, "no price is known");
	}
}

/* Every condition in the table of docs/gates.md, and in its commands. */
TEST(documented)
{
	char *doc = slurp("docs/gates.md"), *line, *rest = doc;
	size_t rows = 0, commands = 0;

	while ((line = strtok_r(rest, "\n", &rest))) {
		bool row = strncmp(line, "| `", 3) == 0 && strpbrk(line, "<>=!");
		char *at = row ? line + 3 : strstr(line, "--fail-if '"), *end;
		struct gate g;
		struct err e = {0};
		if (!at)
			continue;
		at += row ? 0 : strlen("--fail-if '");
		end = strchr(at, row ? '`' : '\'');
		assert_non_null(end);
		*end = '\0';
		if (strstr(at, "fleet.") ? gate_parse_fleet(at, &g, &e) : gate_parse(at, &g, &e))
			fail_msg("%s", e.msg);
		rows += row;
		commands += !row;
	}
	assert_true(rows >= 28);
	assert_true(commands >= 4);
	free(doc);
}

TEST(wrong)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
	    {"", "an operand is missing at byte 1"},
	    {"duration", "<, <=, >, >=, == or != is expected at byte 9"},
	    {"duration >", "an operand is missing at byte 11"},
	    {"duration > 5", "time (such as 90s, 5min) and a number can't be combined"},
	    {"process_memory.max > 8", "bytes (such as 8GiB) and a number"},
	    {"process_memory.max > 8Gib", "there is no unit \"Gib\"; did you mean GiB?"},
	    {"process_memory.max > 8gib", "did you mean GiB?"},
	    {"process_memory.max > 8s", "can't be combined"},
	    {"process_memory.max > 8MiB/h",
	     "bytes (such as 8GiB) and bytes an hour (such as 10MiB/h)"},
	    {"growth(process_memory) > 10MiB", "bytes an hour (such as 10MiB/h) and bytes"},
	    {"growth(process_memory) > 1", "bytes an hour (such as 10MiB/h) and a number"},
	    {"growth(process_memory) > 10s/h", "there is no statistic \"h\""},
	    {"growth(process_threads) > 1B/h",
	     "growth is of a level in bytes, such as process_memory"},
	    {"growth(process_read_bytes) > 1B/h", "growth is of a level in bytes"},
	    {"growth(process_memor) > 1B/h",
	     "there is no column \"process_memor\"; did you mean process_memory?"},
	    {"growth(process_memor.max) > 1B/h", "did you mean process_memory?"},
	    {"growth(process_memory.max) > 1B/h", "growth is of a column: growth(process_memory)"},
	    {"growth(process_cpu_usag) > 1B/h", "there is no column \"process_cpu_usag\""},
	    {"growth(duration) > 1B/h", "there is no column \"duration\""},
	    {"growth(process_memory) > 10MiB/hour", "growth is in bytes an hour, such as 10MiB/h"},
	    {"growth(process_memory) > 10MiB/min", "growth is in bytes an hour, such as 10MiB/h"},
	    {"growth(process_memory > 1B/h", "\")\" is missing"},
	    {"growth > 1B/h", "there is no statistic \"growth\""},
	    {"proces_memory.max > 8GiB", "did you mean process_memory.max?"},
	    {"process_memory.maximum > 8GiB", "did you mean process_memory.max?"},
	    {"process_memory > 8GiB", "did you mean process_memory.max?"},
	    {"memory.max > 8GiB", "did you mean process_memory.max?"},
	    {"memory > 8GiB", "did you mean process_memory.max?"},
	    {"cpu_usage.mean > 8", "did you mean process_cpu_usage.mean?"},
	    {"net_recv_bytes.sum > 8B", "did you mean system_net_recv_bytes.sum?"},
	    {"durations > 8s", "did you mean duration?"},
	    {"process_memory.max > 8GIB", "there is no unit \"GIB\"; did you mean GiB?"},
	    {"process_memory.max > 8 g", "did you mean G?"},
	    {"process_memory.max > 8 bytes", "did you mean B?"},
	    {"duration > 5mins", "did you mean min?"},
	    {"duration > 5 hours", "did you mean h?"},
	    {"duration > 5 seconds", "did you mean s?"},
	    {"process_cpu_usage.max > 3 cpus", "did you mean CPUs?"},
	    {"cost > 1USD + 1EUR", "USD and EUR can't be compared"},
	    {"cost > 1", "money (such as 0.5USD) and a number can't be combined"},
	    {"zzzzzzzzzzzzzzzz > 8GiB", "there is no statistic \"zzzzzzzzzzzzzzzz\""},
	    {"process_pid.max > 8", "there is no statistic"},
	    {"duration > history.p50", "history has only min, median, mean and max"},
	    {"1 > 2", "it names no statistic"},
	    {"limit > 2", "it names no statistic"},
	    {"asked > 2", "it names no statistic"},
	    {"cpu_eficiency < 20%", "did you mean cpu_efficiency?"},
	    {"memory_efficiency < 2GiB", "can't be combined"},
	    {"duration > asked.max", "there is no statistic"},
	    {"fleet.runs > 3", "fleet.runs is a statistic of many runs, and needs rtrack-fleet"},
	    {"duration > 1s > 2s", "unexpected text at byte 15"},
	    {"duration > -1s", "a number or a name is expected at byte 12"},
	    {"duration > nan", "there is no statistic \"nan\""},
	    {"duration > 0x10s", "there is no unit \"x10s\""},
	    {"duration > 1e999s", "the number is too large"},
	    {"duration > (1s", "\")\" is missing"},
	    {"duration > 1s;rm", "unexpected text"},
	    {"duration * duration > 1s", "can't be combined"},
	    {"duration > ((((((((((((((((((1s))))))))))))))))))", "too many brackets"},
	    {"cpu_efficiency < 20",
	     "1 is 100% of a share, and 20 would be 2000%; did you mean 20%?"},
	    {"wait_disk > 1.5", "did you mean 1.5%?"},
	    {"30 <= memory_efficiency", "did you mean 30%?"},
	    {"cpu_efficiency < 2 cores", "did you mean 2%?"},
	    {"system_gpu0_usage.mean > 80", "did you mean 80%?"},
	    {"system_psi_io_some.p95 > 5", "did you mean 5%?"},
	    {"cpu_efficiency < history - 10", "did you mean 10%?"},
	    {"process_threads.max > 50%", "a count can't be compared with a percentage"},
	    {"process_gpu_utilized.max < 50 %", "a count can't be compared with a percentage"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate g;
		struct err e = {0};
		assert_int_equal(gate_parse(cases[i].text, &g, &e), -1);
		if (!strstr(e.msg, cases[i].says))
			fail_msg("%s: %s", cases[i].text, e.msg);
	}
}

TEST(too_long)
{
	char text[GATE_TEXT_MAX + 2], sums[2 * GATE_STEPS + 32] = "duration > 1s";
	struct gate g;
	struct err e = {0};

	memset(text, ' ', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_int_equal(gate_parse(text, &g, &e), -1);
	memset(text, 'z', GATE_TEXT_MAX - 8);
	text[GATE_TEXT_MAX] = '\0';
	assert_int_equal(gate_parse(text, &g, &e), -1);
	assert_null(strstr(e.msg, "did you mean"));
	for (size_t n = strlen(sums); n + 3 < sizeof sums; n += 3)
		memcpy(sums + n, "+1s", 4);
	assert_int_equal(gate_parse(sums, &g, &e), -1);
	assert_non_null(strstr(e.msg, "the condition is too long"));
}
