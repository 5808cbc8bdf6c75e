/* model_array: what is shown of a job array; keys are documented; long lists are cut. */
#include "tests/unit/report/model_expect.h"
#include "tests/unit/report/scene.h"
#include "tests/unit/unit.h"

#define OK  "\"code\": 0, \"cause\": \"exited\""
#define BAD "\"code\": 2, \"cause\": \"exited\""

/* An element of two samples, with the memory in MiB. */
static void load_element(struct recordings *t, int index, int seconds, int mib, const char *end,
                         const char *asked)
{
	struct buf b = {0};
	char name[32];

	snprintf(name, sizeof name, "%d.json", index);
	buf_printf(&b,
	           "{\"metadata\": {\"interval\": 1, \"start_time\": %d, \"stop_time\": %d}, "
	           "\"rtrack\": {\"job\": {\"name\": \"j\"}, \"asked\": %s, \"part\": {\"job\": "
	           "\"k%d\", \"array\": {\"job\": \"k\", \"index\": %d}}, \"exit\": {%s}}, "
	           "\"process_metrics\": {\"timestamp\": [%d, %d], \"cpu_usage\": [1, 1], "
	           "\"memory\": [1, %d]}}",
	           1000 + index, 1000 + index + seconds, asked, index, index, end, 1001 + index,
	           1000 + index + seconds, mib * 1024);
	assert_non_null(recordings_load(t, name, buf_cstr(&b)));
	buf_free(&b);
}

#define ASKED                                                                                      \
	"{\"memory_bytes\": {\"value\": 4294967296, \"source\": \"option\", \"detail\": "          \
	"\"--asked\"}}"

TEST_WITH(sections, recordings_begin, recordings_end)
{
	static const struct expected cases[] = {
	    {"array.known", "true"},
	    {"array.job", "\"k\""},
	    {"array.index", "3"},
	    {"array.recorded", "4"},
	    {"array.finished", "2"},
	    {"array.summary",
	     "\"4 elements of this array were recorded (0-3): 2 finished, 2 failed (1,2). This "
	     "run is element 3.\""},
	    {"array.spread.0.id", "\"duration\""},
	    {"array.spread.0.min.value", "10"},
	    {"array.spread.0.median.value", "15"},
	    {"array.spread.0.max.value", "20"},
	    {"array.spread.0.now.value", "20"},
	    {"array.spread.2.p95.value", "838860800"},
	    {"array.histograms.0.id", "\"memory\""},
	    {"array.histograms.0.has_apart", "false"},
	    {"array.histograms.0.remark", "\"\""},
	    {"array.histograms.1.remark",
	     "\"The time asked for is unknown. No time is proposed: too few runs finished.\""},
	    {"array.failed.0.index", "1"},
	    {"array.failed.0.ended", "\"exit status 2\""},
	    {"array.failed.1.memory.text", "\"1.50 GiB\""},
	    {"array.failed_left_out", "0"},
	    {"array.has_outliers", "false"},
	    {"array.outliers_why",
	     "\"Outliers are looked for only if at least 8 elements finished.\""},
	};
	struct recordings *t = *state;
	char *doc = slurp("docs/model.md");
	cJSON *model;

	load_element(t, 0, 10, 800, OK, ASKED);
	load_element(t, 1, 10, 500, BAD, ASKED);
	load_element(t, 2, 10, 1536, BAD, ASKED);
	load_element(t, 3, 20, 800, OK, ASKED);
	model = model_of(&t->runs, NULL);
	EXPECT_ALL(model, cases);
	scene_expect(model, "array", "bad",
	             "Of 4 recorded elements of the array, 2 finished; elements 1,2 failed. The "
	             "largest element used 1.50 GiB of the 4.00 GiB asked for.");
	all_told(model_at(model, "array"), doc);
	cJSON_Delete(model);
	free(doc);
}

/* 60 that failed and 30 outliers among 200: lists end, and the rest is counted. The largest element
 * is this run, so the sentences on this run say what was used. */
TEST_WITH(long_lists, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	for (int i = 0; i < 200; i++)
		load_element(t, i, i % 7 == 6 ? 300 : 100, i == 199 ? 1000 : 900, i < 60 ? BAD : OK,
		             ASKED);
	model = model_of(&t->runs, NULL);
	assert_int_equal(cJSON_GetArraySize(model_at(model, "array.failed")), 50);
	expect(model, "array.failed_left_out", "10");
	assert_int_equal(cJSON_GetArraySize(model_at(model, "array.outliers")), 20);
	expect(model, "array.outliers.0.measures.0.factor", "\"3.0 × the median\"");
	/* Of 60 to 199, 20 took three times as long; element 199 had more memory: 1.1 times. */
	expect(model, "array.outliers.0.measures.2.factor", "\"\"");
	expect(model, "array.outliers_left_out", "1");
	expect(model, "usage.history_runs", "139");
	scene_expect(model, "array", "bad",
	             "Of 200 recorded elements of the array, 140 finished; elements 0-59 failed.");
	cJSON_Delete(model);
}

/* A failed and a killed one at a time. */
TEST_WITH(ends, recordings_begin, recordings_end)
{
	static const struct {
		const char *end, *level, *text;
	} cases[] = {
	    {OK, "info", "All 2 recorded elements of the array finished."},
	    {BAD, "bad",
	     "Of 2 recorded elements of the array, 1 finished; element 0 failed with exit status "
	     "2."},
	    {"\"signal\": \"TERM\", \"cause\": \"signal\"", "bad",
	     "Of 2 recorded elements of the array, 1 finished; element 0 was ended by signal "
	     "TERM."},
	    {"\"signal\": \"KILL\", \"cause\": \"oom\"", "bad",
	     "Of 2 recorded elements of the array, 1 finished; element 0 was killed because "
	     "memory ran out."},
	    {"\"code\": null, \"cause\": \"\"", "info",
	     "Of 2 recorded elements of the array, 1 finished; element 0 has an unknown end."},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cJSON *model;
		load_element(t, 0, 10, 100, cases[i].end, "null");
		load_element(t, 1, 10, 100, OK, "null");
		model = model_of(&t->runs, NULL);
		scene_expect(model, "array", cases[i].level, cases[i].text);
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}
