/* model_phases: statistics of each phase, against numbers worked out by hand. */
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

/* From 1000 to 1010, with a sample each second: in the one at 1000 + i, i cores were busy, and
 * i KiB were read. */
#define TIMES "[1001,1002,1003,1004,1005,1006,1007,1008,1009,1010]"
#define COLUMNS                                                                                    \
	"{\"timestamp\":" TIMES ",\"cpu_usage\":[1,2,3,4,5,6,7,8,9,10],"                           \
	"\"read_bytes\":[1024,2048,3072,4096,5120,6144,7168,8192,9216,10240]}"
#define META "\"metadata\":{\"interval\":1,\"start_time\":1000,\"stop_time\":1010}"

static cJSON *of_text(struct recordings *t, const char *text)
{
	cJSON *model;

	assert_non_null(recordings_load(t, "run.json", text));
	model = model_of(&t->runs, NULL);
	assert_non_null(model);
	return model;
}

static cJSON *of(struct recordings *t, const char *phases)
{
	struct buf b = {0};
	cJSON *model;

	buf_printf(&b, "{" META ",\"rtrack\":{\"phases\":%s},\"process_metrics\":" COLUMNS "}",
	           phases);
	model = of_text(t, buf_cstr(&b));
	buf_free(&b);
	return model;
}

static void near(const cJSON *model, const char *path, double expected)
{
	double got = cJSON_GetNumberValue(model_at(model, path));

	if (!(fabs(got - expected) < 1e-5))
		fail_msg("%s is %.9g, not %.9g", path, got, expected);
}

static const char marked[] = "[{\"name\":\"load\",\"start\":1000,\"end\":1002.5},"
			     "{\"name\":\"fit\",\"start\":1002.5,\"end\":1004},"
			     "{\"name\":\"load\",\"start\":1004,\"end\":1006},"
			     "{\"name\":\"blink\",\"start\":1006.125,\"end\":1006.375},"
			     "{\"name\":\"fit <it>\",\"start\":1007,\"end\":null}]";

TEST_WITH(by_hand, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"phases.known", "true"},
	    {"phases.left_out", "0"},
	    {"phases.measures", "[{\"id\":\"cpu\",\"label\":\"CPU usage\"},"
	                        "{\"id\":\"read\",\"label\":\"Disk read\"}]"},
	    {"phases.rows.0.name", "\"load\""},
	    {"phases.rows.0.index", "0"},
	    {"phases.rows.0.count.value", "2"},
	    {"phases.rows.0.total", "{\"value\":4.5,\"text\":\"4.50 s\",\"unit\":\"s\"}"},
	    {"phases.rows.0.mean.value", "2.25"},
	    {"phases.rows.0.times", "\"2 times, 2.25 s on average\""},
	    {"phases.rows.0.share.text", "\"45%\""},
	    {"phases.rows.0.measures.0.id", "\"cpu\""},
	    {"phases.rows.0.measures.0.min",
	     "{\"value\":1,\"text\":\"1.00 core\",\"unit\":\"cores\"}"},
	    {"phases.rows.0.measures.0.max.value", "6"},
	    {"phases.rows.0.measures.1.max.text", "\"6.00 KiB/s\""},
	    {"phases.rows.1.times", "\"once\""},
	    {"phases.rows.1.measures.0.min.value", "3"},
	    {"phases.rows.1.measures.0.max.value", "4"},
	    {"phases.rows.2.name", "\"blink\""},
	    {"phases.rows.2.measures.0.mean.value", "7"},
	    {"phases.rows.2.measures.0.sd.value", "null"},
	    {"phases.rows.3.total.value", "3"},
	    {"phases.rows.3.measures.0.mean.value", "9"},
	    {"phases.rows.3.measures.0.min.value", "8"},
	    {"phases.rows.3.measures.0.max.value", "10"},
	    {"phases.rows.4", "null"},
	    {"phases.data",
	     "{\"names\":[\"load\",\"fit\",\"blink\",\"fit \\u003cit\\u003e\"],\"bands\":[[0,1000,"
	     "1002.5],[1,1002.5,1004],[0,1004,1006],[2,1006.125,1006.375],[3,1007,1010]]}"},
	};
	cJSON *model = of(*state, marked);
	char *doc = slurp("docs/model.md");

	EXPECT_ALL(model, cases);
	/* 1, 2, half of 3, 5, 6: the sum of weights 4.5, of values 15.5, of squares 70.5; the
	 * squares of deviations 70.5 - 15.5^2 / 4.5 = 17.1111. */
	near(model, "phases.rows.0.measures.0.mean.value", 15.5 / 4.5);
	near(model, "phases.rows.0.measures.0.sd.value", sqrt(17.111111 / 4.5 * 5 / 4));
	/* Half of 3, and 4. */
	near(model, "phases.rows.1.measures.0.mean.value", 5.5 / 1.5);
	near(model, "phases.rows.3.measures.0.sd.value", 1);
	near(model, "phases.rows.3.measures.1.mean.value", 9 * 1024);
	all_told(model_at(model, "phases"), doc);
	free(doc);
	cJSON_Delete(model);
}

static const struct {
	const char *phases;
	struct expected cases[6];
} odd[] = {
    {"[]", {{"phases", "{\"known\":false,\"left_out\":0}"}}},
    {"null", {{"phases.known", "false"}}},
    /* A phase ends where the next begins, whatever the file says; the order is that of time. */
    {"[{\"name\":\"b\",\"start\":1004,\"end\":2000},{\"name\":\"a\",\"start\":1002,\"end\":1009}]",
     {{"phases.data.bands", "[[0,1002,1004],[1,1004,1010]]"},
      {"phases.data.names", "[\"a\",\"b\"]"},
      {"phases.rows.0.measures.0.max.value", "4"},
      {"phases.rows.1.measures.0.min.value", "5"}}},
    /* Without a time, before 1970, after the end, and two that are not phases. */
    {"[{\"name\":\"a\"},{\"name\":\"b\",\"start\":-5},{\"name\":\"c\",\"start\":1e300},"
     "{\"name\":\"d\",\"start\":\"1001\",\"end\":\"x\"},7,null]",
     {{"phases.left_out", "5"},
      {"phases.data.bands", "[[0,1001,1010]]"},
      {"phases.rows.0.name", "\"d\""}}},
    /* Before the first sample's time, and one that ends before it begins. */
    {"[{\"name\":\"early\",\"start\":10,\"end\":20},{\"name\":\"back\",\"start\":1005,"
     "\"end\":1001}]",
     {{"phases.rows.0.measures.0.mean",
       "{\"value\":null,\"text\":\"not measured\",\"unit\":\"cores\"}"},
      {"phases.rows.0.share.value", "100"},
      {"phases.rows.1.total.value", "0"},
      {"phases.data.bands", "[[0,10,20]]"}}},
};

TEST_WITH(odd_phases, recordings_begin, recordings_end)
{
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		cJSON *model;
		recordings_end(state);
		recordings_begin(state);
		model = of(*state, odd[i].phases);
		for (const struct expected *c = odd[i].cases; c < odd[i].cases + 6 && c->path; c++)
			expect(model, c->path, c->value);
		cJSON_Delete(model);
	}
}

/* Samples that are not in order, or have no time or no value, or no finite sum. */
TEST_WITH(odd_samples, recordings_begin, recordings_end)
{
	cJSON *model = of_text(
	    *state, "{" META ",\"rtrack\":{\"phases\":[{\"name\":\"a\",\"start\":1000,"
		    "\"end\":null}]},\"process_metrics\":{\"timestamp\":[1001,1003,1002,null,1005],"
		    "\"cpu_usage\":[1,2,100,200,4],\"memory\":[1e300,null,5,6,1e300]}}");

	expect(model, "phases.rows.0.measures.0.max.value", "4");
	/* 1 for 1 s, 2 for 2 s, 4 for 2 s. */
	near(model, "phases.rows.0.measures.0.mean.value", 13 / 5.);
	expect(model, "phases.rows.0.measures.1.sd.value", "0");
	cJSON_Delete(model);
}

/* Where no tree was tracked it is the machine; and GPUs where there are some. */
TEST_WITH(of_the_machine, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"phases.measures.0.id", "\"cpu\""},
	    {"phases.measures.1.id", "\"memory\""},
	    {"phases.measures.2.id", "\"gpu\""},
	    {"phases.measures.3", "null"},
	    {"phases.rows.0.measures.0.mean.value", "2"},
	    {"phases.rows.0.measures.1.max.value", "3072"},
	    {"phases.rows.0.measures.2.mean.text", "\"0.50 GPUs\""},
	};
	cJSON *model = of_text(
	    *state, "{" META ",\"server_info\":{\"gpu_count\":1},\"rtrack\":{\"phases\":[{\"name\":"
		    "\"a\",\"start\":1000,\"end\":null}]},\"system_metrics\":{\"timestamp\":[1001,"
		    "1002],\"cpu_usage\":[1,3],\"memory_used\":[1,3],\"gpu_usage\":[0.5,0.5]}}");

	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* 4000 phases of 100 names. */
TEST_WITH(bounded, recordings_begin, recordings_end)
{
	struct buf b = {0};
	cJSON *model;

	buf_char(&b, '[');
	for (int i = 0; i < 4000; i++)
		buf_printf(&b, "%s{\"name\":\"n%d\",\"start\":%.4f,\"end\":null}", i ? "," : "",
		           i % 100, 1000 + i / 400.);
	buf_char(&b, ']');
	model = of(*state, buf_cstr(&b));
	assert_int_equal(cJSON_GetArraySize(model_at(model, "phases.rows")), 40);
	assert_int_equal(cJSON_GetArraySize(model_at(model, "phases.data.names")), 40);
	assert_int_equal(cJSON_GetArraySize(model_at(model, "phases.data.bands")), 300);
	expect(model, "phases.left_out", "2400");
	expect(model, "phases.rows.39.count.value", "40");
	near(model, "phases.rows.39.total.value", 0.1);
	buf_free(&b);
	cJSON_Delete(model);
}

/* The peak of a phase is that of its rows' intervals, as the run's peak is. */
TEST_WITH(peaks_between_samples, recordings_begin, recordings_end)
{
	static const char text[] =
	    "{" META ",\"rtrack\":{\"memory\":{\"peak_bytes\":307200},\"phases\":%s},"
	    "\"process_metrics\":{\"timestamp\":" TIMES ",\"cpu_usage\":[1,1,1,1,1,1,1,1,1,1],"
	    "\"memory\":[100,110,120,130,140,130,120,110,100,90],"
	    "\"memory_peak\":[100,110,120,300,140,130,120,110,100,90]}}";
	struct buf b = {0};
	cJSON *model;

	buf_printf(&b, text, marked);
	model = of_text(*state, buf_cstr(&b));
	near(model, "phases.rows.0.measures.1.max.value", 140 * 1024);
	near(model, "phases.rows.1.measures.1.max.value", 300 * 1024);
	near(model, "phases.rows.1.measures.1.min.value", 120 * 1024);
	cJSON_Delete(model);
	buf_free(&b);
}
