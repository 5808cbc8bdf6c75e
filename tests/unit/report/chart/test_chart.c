/* chart: rows become points or buckets, joined by time; peaks and gaps stay. */
#include <math.h>

#include "report/chart/chart.h"
#include "report/units/model_json.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

static const cJSON *get(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

static const cJSON *chart(const cJSON *all, const char *id)
{
	const cJSON *c;

	cJSON_ArrayForEach (c, all)
		if (strcmp(cJSON_GetStringValue(get(c, "id")), id) == 0)
			return c;
	return NULL;
}

/* A part of a chart's data as JSON text; the caller frees it. */
static char *part(const cJSON *all, const char *id, const char *key)
{
	const cJSON *c = chart(all, id), *data = get(c, "data");
	struct json_write j = {0};

	model_json_write(&j, NULL, get(data, key) ? get(data, key) : get(c, key));
	assert_true(json_write_finish(&j));
	return buf_take(&j.b);
}

static void expect(const cJSON *all, const char *id, const char *key, const char *expected)
{
	char *got = part(all, id, key);

	assert_string_equal(got, expected);
	free(got);
}

/* x, and the means of the CPU chart's series; recordings and results as JSON. */
static const struct {
	const char *text, *x, *mean;
} small[] = {
    /* job and machine, slightly apart: joined by time */
    {"\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [10, 11.004, 12.001],"
     "\"cpu_usage\": [1, 2, 3]}, \"system_metrics\": {\"timestamp\": [10.003, 11, 12.4],"
     "\"cpu_usage\": [4, 5, 6]}",
     "[0,1,2.001]", "[[1,2,3],[4,5,6]]"},
    /* different numbers of rows: joined by time, not by row */
    {"\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [11, 12],"
     "\"cpu_usage\": [1, 2]}, \"system_metrics\": {\"timestamp\": [9.9, 10.9, 11.9, 12.9],"
     "\"cpu_usage\": [4, 5, 6, 7]}",
     "[0,1,2,3]", "[[null,1,2,null],[4,5,6,7]]"},
    /* a gap breaks the line; one late sample does not */
    {"\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [1, 2, 4, 10],"
     "\"cpu_usage\": [1, 2, 3, 4]}",
     "[0,1,3,4,9]", "[[1,2,3,null,4]]"},
    /* not measured */
    {"\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [1, 2, 3],"
     "\"cpu_usage\": [1, null, 3]}",
     "[0,1,2]", "[[1,null,3]]"},
    /* one row */
    {"\"process_metrics\": {\"timestamp\": [7], \"cpu_usage\": [0.25]}", "[0]", "[[0.25]]"},
    /* the first samples are closer than the interval */
    {"\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [1.05, 1.1, 1.2, 1.5],"
     "\"cpu_usage\": [1, 2, 3, 4]}, \"system_metrics\": {\"timestamp\": [1.05, 1.1, 1.2, 1.5],"
     "\"cpu_usage\": [5, 6, 7, 8]}",
     "[0,0.05,0.15,0.45]", "[[1,2,3,4],[5,6,7,8]]"},
    /* no metadata: the rows give the interval */
    {"\"process_metrics\": {\"timestamp\": [0, 60, 120], \"cpu_usage\": [1, 2, 3]}", "[0,60,120]",
     "[[1,2,3]]"},
    /* sampled less often than the interval */
    {"\"metadata\": {\"interval\": 0.01}, \"process_metrics\": {\"timestamp\": [0, 1, 2, 3],"
     "\"cpu_usage\": [1, 2, 3, 4]}",
     "[0,1,2,3]", "[[1,2,3,4]]"},
    /* times unordered, repeated or missing: as many buckets as rows */
    {"\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [4, 1, 3, 2],"
     "\"cpu_usage\": [40, 10, 30, 20]}",
     "[0.375,1.125,1.875,2.625]", "[[10,20,30,40]]"},
    {"\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [5, 5, 5],"
     "\"cpu_usage\": [1, 2, 6]}",
     "[0.5,1.5,2.5]", "[[3,null,null]]"},
    {"\"metadata\": {\"interval\": 1}, \"process_metrics\": {\"timestamp\": [1, null, 3],"
     "\"cpu_usage\": [1, 2, 3]}",
     "[0.333,1,1.667]", "[[1,null,3]]"},
    {"\"process_metrics\": {\"timestamp\": [1e308, -1e308, 3, 4], \"cpu_usage\": [1, 2, 3, 4]}",
     "[0.125,0.375,0.625,0.875]", "[[3,4,4,4]]"},
    /* only one scope */
    {"\"system_metrics\": {\"timestamp\": [1, 2], \"cpu_usage\": [4, 5]}", "[0,1]", "[[4,5]]"},
    {"\"process_metrics\": {\"timestamp\": [1, 2], \"cpu_usage\": [4, 5]}, \"system_metrics\": "
     "null",
     "[0,1]", "[[4,5]]"},
    /* no times at all */
    {"\"process_metrics\": {\"cpu_usage\": [1, 2]}", "[]", "[]"},
    {"\"process_metrics\": {\"timestamp\": [null, null], \"cpu_usage\": [1, 2]}", "[]", "[]"},
};

TEST_WITH(points, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
		char name[32], text[1024];
		struct run *run;
		cJSON *all;
		snprintf(name, sizeof name, "%zu.json", i);
		snprintf(text, sizeof text, "{%s}", small[i].text);
		run = recordings_load(t, name, text);
		assert_non_null(run);
		all = chart_all(run);
		assert_non_null(all);
		expect(all, "cpu", "x", small[i].x);
		expect(all, "cpu", "mean", small[i].mean);
		expect(all, "memory", "known", "false");
		expect(all, "memory", "summary", "\"Not measured.\"");
		cJSON_Delete(all);
		load_free(&t->runs);
	}
}

/* Amounts become rates, over the time since the previous sample. */
TEST_WITH(rates, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct run *run = recordings_load(
	    t, "a.json",
	    "{\"metadata\": {\"start_time\": 100, \"interval\": 2}, \"process_metrics\": {"
	    "\"timestamp\": [100.5, 102.5, 104.5, 108.5], \"read_bytes\": [1000, 4000, null, 2000],"
	    "\"write_bytes\": [0, 0, 0, 0]},"
	    "\"system_metrics\": {\"timestamp\": [100.5, 102.5, 104.5, 108.5],"
	    "\"net_recv_bytes\": [1, 2, 4, 8]}}");
	cJSON *all = chart_all(run);
	const cJSON *digest;

	expect(all, "disk_io", "x", "[0,2,4,8]");
	expect(all, "disk_io", "mean", "[[2000,2000,null,500],[0,0,0,0]]");
	expect(all, "disk_io", "unit", "\"bytes/s\"");
	expect(all, "network", "mean", "[[2,1,2,2]]");
	expect(all, "disk_io", "summary",
	       "\"Job: Disk read: mean 1.05 KiB/s, peak 1.95 KiB/s. "
	       "Job: Disk write: mean 0 B/s, peak 0 B/s.\"");
	/* total bytes over total measured time: 7000 in 0.5 + 2 + 4 s */
	digest = get(cJSON_GetArrayItem(get(chart(all, "disk_io"), "series"), 0), "digest");
	assert_true(fabs(get(get(digest, "mean"), "value")->valuedouble - 7000 / 6.5) < 1e-9);
	assert_true(get(get(digest, "max"), "value")->valuedouble == 2000);
	cJSON_Delete(all);
}

/* A long run of n samples about a second apart: CPU 1, one sample with a peak of 9, one with a dip
 * to 0, and a gap without samples. */
struct run_of {
	int n, peak, dip, hole_from, hole_to;
	double jitter;
};

static struct run *long_run(struct recordings *t, const struct run_of *w)
{
	struct buf b = {0};
	struct run *run;

	buf_str(&b,
	        "{\"metadata\": {\"interval\": 1, \"start_time\": 1000}, \"process_metrics\": [");
	for (int i = 0; i < w->n; i++)
		if (i < w->hole_from || i >= w->hole_to)
			buf_printf(&b, "%s{\"timestamp\": %.3f, \"cpu_usage\": %d, \"memory\": %d}",
			           i ? "," : "", 1001 + i + w->jitter * (i * 7 % 5 - 2) / 2,
			           i == w->peak  ? 9
			           : i == w->dip ? 0
			                         : 1,
			           i + 1);
	buf_str(&b, "]}");
	run = recordings_load(t, "long.json", buf_cstr(&b));
	assert_false(b.failed);
	buf_free(&b);
	assert_non_null(run);
	return run;
}

static int nulls(const cJSON *array)
{
	const cJSON *v;
	int n = 0;

	cJSON_ArrayForEach (v, array)
		n += cJSON_IsNull(v);
	return n;
}

/* The largest (sign 1) or smallest (-1) value. */
static double extreme(const cJSON *array, double sign)
{
	const cJSON *v;
	double best = -INFINITY;

	cJSON_ArrayForEach (v, array)
		if (!cJSON_IsNull(v) && v->valuedouble * sign > best)
			best = v->valuedouble * sign;
	return best * sign;
}

TEST_WITH(buckets, recordings_begin, recordings_end)
{
	static const struct {
		struct run_of run;
		int points, gaps; /* at least */
	} cases[] = {
	    {{CHART_POINTS_MAX, 5, 9, 0, 0, 0}, CHART_POINTS_MAX, 0},
	    {{CHART_POINTS_MAX, 5, 9, 0, 0, 0.2}, CHART_POINTS_MAX, 0},
	    /* buckets as long as the interval: one without a sample is not a gap */
	    {{CHART_POINTS_MAX + 1, 100, 200, 0, 0, 0.2}, CHART_POINTS_MAX, 0},
	    {{CHART_POINTS_MAX + 20, 100, 200, 0, 0, 0.4}, CHART_POINTS_MAX, 0},
	    {{1000, 999, 0, 0, 0, 0}, CHART_POINTS_MAX, 0},
	    {{1000, 0, 999, 0, 0, 0.4}, CHART_POINTS_MAX, 0},
	    {{10000, 7777, 1234, 0, 0, 0.1}, CHART_POINTS_MAX, 0},
	    /* 200 of 1000 seconds are missing */
	    {{1000, 100, 900, 400, 600, 0}, CHART_POINTS_MAX, CHART_POINTS_MAX / 5 - 3},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run *run = long_run(t, &cases[i].run);
		cJSON *all = chart_all(run);
		const cJSON *data = get(chart(all, "cpu"), "data"), *v;
		bool band = cases[i].run.n > CHART_POINTS_MAX;
		const cJSON *mean = cJSON_GetArrayItem(get(data, "mean"), 0);
		int gaps = nulls(mean);
		double last = -1;
		assert_int_equal(cJSON_GetArraySize(get(data, "x")), cases[i].points);
		assert_int_equal(cJSON_GetArraySize(mean), cases[i].points);
		assert_true(cases[i].gaps ? gaps >= cases[i].gaps && gaps <= cases[i].gaps + 3
		                          : !gaps);
		cJSON_ArrayForEach (v, get(data, "x")) {
			assert_true(v->valuedouble > last);
			last = v->valuedouble;
		}
		assert_true(last <= cases[i].run.n);
		assert_int_equal(cJSON_IsArray(get(data, "min")), band);
		assert_int_equal(cJSON_IsArray(get(data, "max")), band);
		assert_true(extreme(band ? cJSON_GetArrayItem(get(data, "max"), 0) : mean, 1) == 9);
		assert_true(extreme(band ? cJSON_GetArrayItem(get(data, "min"), 0) : mean, -1) ==
		            0);
		cJSON_Delete(all);
		load_free(&t->runs);
	}
}

/* The peak is in the bucket of its time, and in no other. */
TEST_WITH(place_of_peak, recordings_begin, recordings_end)
{
	struct run_of w = {.n = 2 * CHART_POINTS_MAX, .peak = 101, .dip = -1};
	cJSON *all = chart_all(long_run(*state, &w));
	const cJSON *data = get(chart(all, "cpu"), "data");
	const cJSON *max = cJSON_GetArrayItem(get(data, "max"), 0);
	double step = get(data, "step")->valuedouble;

	assert_true(get(data, "from")->valuedouble == 1001);
	assert_true(fabs(step - (2 * CHART_POINTS_MAX - 1.0) / CHART_POINTS_MAX) < 1e-9);
	for (int i = 0; i < CHART_POINTS_MAX; i++)
		assert_int_equal(cJSON_GetArrayItem(max, i)->valuedouble == 9,
		                 i == (int)(101 / step));
	cJSON_Delete(all);
}

/* Four significant digits. */
TEST_WITH(digits, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *all = chart_all(
	    recordings_load(t, "a.json",
	                    "{\"process_metrics\": {\"timestamp\": [1, 2, 3], \"cpu_usage\": "
	                    "[0.123456, 7.99996, 0], \"memory\": [123456789, 1, 0]}}"));

	expect(all, "cpu", "mean", "[[0.1235,8,0]]");
	expect(all, "memory", "mean", "[[126400000000,1024,0]]");
	expect(all, "cpu", "min", "null");
	expect(all, "cpu", "max", "null");
	cJSON_Delete(all);
}

TEST_WITH(which, recordings_begin, recordings_end)
{
	static const struct {
		const char *server, *vram, *ids;
	} cases[] = {
	    {"{}", "0", "cpu memory disk_io disk_space network"},
	    {"{\"gpu_count\": 0}", "null", "cpu memory disk_io disk_space network"},
	    {"{\"gpu_count\": 2}", "0", "cpu memory disk_io disk_space network gpu gpus vram"},
	    {"null", "5", "cpu memory disk_io disk_space network gpu gpus vram"},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[512];
		struct buf ids = {0};
		const cJSON *c;
		cJSON *all;
		snprintf(text, sizeof text,
		         "{\"server_info\": %s, \"process_metrics\": {\"timestamp\": [1], "
		         "\"gpu_vram\": [%s]}}",
		         cases[i].server, cases[i].vram);
		all = chart_all(recordings_load(t, "a.json", text));
		cJSON_ArrayForEach (c, all)
			buf_printf(&ids, "%s%s", ids.len ? " " : "",
			           cJSON_GetStringValue(get(c, "id")));
		assert_string_equal(buf_cstr(&ids), cases[i].ids);
		buf_free(&ids);
		cJSON_Delete(all);
		load_free(&t->runs);
	}
}
