/* trend: runs held beside each other, in the model and as a picture; worked out by hand. */
#include "report/chart/chart_trend.h"
#include "report/stats/trend.h"
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

/* A run of so many seconds that began at start. */
static void load_run(struct recordings *t, int start, double seconds, const char *name, int code,
                     double read)
{
	char text[512], file[32];

	snprintf(text, sizeof text,
	         "{\"metadata\": {\"start_time\": %d, \"stop_time\": %.1f}, \"rtrack\": {\"job\": "
	         "{\"name\": \"%s\"}, \"exit\": {\"code\": %d}}, \"process_metrics\": "
	         "{\"cpu_usage\": [2], \"memory\": [1024], \"read_bytes\": [%.0f], "
	         "\"write_bytes\": [24]}}",
	         start, start + seconds, name, code, read);
	snprintf(file, sizeof file, "%s-%d.json", name, start);
	assert_non_null(recordings_load(t, file, text));
}

/* Four earlier ones of 100, 110, 110 and 120 s; at 1.44 EUR an hour, 0.04 ct a second. */
static void load_job(struct recordings *t, double now)
{
	load_run(t, 1000, 100, "job", 0, 1000);
	load_run(t, 2000, 110, "job", 0, 1000);
	load_run(t, 2500, 500, "job", 1, 1000);
	load_run(t, 2600, 1, "other", 0, 1000);
	load_run(t, 3000, 110, "job", 0, 1000);
	load_run(t, 4000, 120, "job", 0, 1000);
	load_run(t, 5000, now, "job", 0, 3000);
}

static const struct expected cases[] = {
    {"trend.known", "true"},
    {"trend.group", "\"name job\""},
    {"trend.runs", "5"},
    {"trend.contended", "0"},
    {"trend.listing",
     "\"6 earlier runs: 4 compared with; left out: another job (1), it failed (1).\""},
    {"trend.rest", "\"\""},
    {"trend.price_hour.value", "1.44"},
    {"trend.changes", "[]"},
    {"trend.cannot_tell",
     "\"Whether they changed cannot be told: 5 more comparable runs are needed.\""},
    {"trend.measures.0.id", "\"duration\""},
    {"trend.measures.0.runs", "6"},
    {"trend.measures.0.compared", "4"},
    {"trend.measures.0.now.value", "160"},
    {"trend.measures.0.median.value", "110"},
    {"trend.measures.0.lowest.value", "100"},
    {"trend.measures.0.lowest.this", "false"},
    {"trend.measures.0.lowest.anchor", "\"run-1000\""},
    {"trend.measures.0.highest.value", "160"},
    {"trend.measures.0.highest.this", "true"},
    {"trend.measures.0.highest.anchor", "null"},
    {"trend.measures.0.changed", "false"},
    {"trend.measures.0.word", "\"cannot tell\""},
    {"trend.measures.0.judged", "false"},
    {"trend.measures.0.level", "null"},
    {"trend.measures.0.text", "\"5 more comparable runs are needed.\""},
    {"trend.measures.0.distance", "\"45% above the median, 1 min 50 s\""},
    /* six runs of 6 … 474; the failed one is crossed, and outside of the scale of 100 to 160 s */
    {"trend.measures.0.svg.points.0.x", "6"},
    {"trend.measures.0.svg.points.0.y", "90"},
    {"trend.measures.0.svg.points.0.crossed", "false"},
    {"trend.measures.0.svg.points.2.crossed", "true"},
    {"trend.measures.0.svg.points.2.y", "14"},
    {"trend.measures.0.svg.points.2.anchor", "\"run-2500\""},
    {"trend.measures.0.svg.points.5.y", "14"},
    {"trend.measures.0.svg.points.5.anchor", "\"\""},
    {"trend.measures.0.svg.now", "{\"x\":474,\"y\":14}"},
    /* one level: the median of 100, 110, 110, 120, 160; 90 − 76 × 10 / 60 */
    {"trend.measures.0.svg.parts.0.y", "77.3"},
    {"trend.measures.0.svg.parts.1", "null"},
    {"trend.measures.1.id", "\"cpu\""},
    {"trend.measures.1.distance", "\"at the median\""},
    {"trend.measures.2.now.value", "1048576"},
    {"trend.measures.3.id", "\"bytes\""},
    {"trend.measures.3.now.value", "3024"},
    {"trend.measures.3.median.value", "1024"},
    {"trend.measures.3.distance", "\"195% above the median, 1.00 KiB\""},
    {"trend.measures.4.id", "\"cost\""},
    {"trend.measures.4.now.value", "0.064"},
    {"trend.measures.4.lowest.text", "\"0.04 EUR\""},
    {"trend.measures.4.now.text", "\"0.064 EUR\""},
    {"trend.measures.4.word", "\"follows the duration\""},
    {"trend.measures.4.judged", "true"},
    {"trend.measures.5", "null"},
    {"history.0.anchor", "\"run-4000\""},
    {"history.2.anchor", "\"run-2600\""},
    {"history.2.why", "\"another job\""},
    {"history.3.why", "\"it failed\""},
};

TEST_WITH(values, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct keeper_result *k = calloc(1, sizeof *k);
	cJSON *model;

	assert_non_null(k);
	model_prices_of(k);
	load_job(t, 160);
	model = model_of(&t->runs, k);
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
	free(k);
}

/* An earlier run is compared with what was before it; runs of one second have anchors of their own.
 */
TEST_WITH(earlier_current, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	cJSON *model;

	load_run(t, 1000, 10, "job", 0, 0);
	load_run(t, 3000, 30, "job", 0, 0);
	load_run(t, 2000, 20, "job", 0, 0);
	t->runs.current = NULL;
	for (size_t i = 0; i < t->runs.n; i++)
		if (strstr(t->runs.v[i].file, "job-2000"))
			t->runs.current = t->runs.v[i].file;
	model = model_of(&t->runs, NULL);
	/* The one of 30 s began later: it is listed, and not compared with. */
	expect(model, "trend.measures.0.svg.now", "{\"x\":474,\"y\":14}");
	expect(model, "trend.measures.0.svg.points.2", "null");
	expect(model, "trend.measures.0.median.value", "10");
	expect(model, "history.0.why", "\"it began later\"");
	cJSON_Delete(model);
	load_free(&t->runs);
	t->runs.current = NULL;
	load_run(t, 9000, 1, "job", 0, 0);
	load_run(t, 7000, 1, "job", 0, 0);
	recordings_load(t, "x.json",
	                "{\"metadata\": {\"start_time\": 7000.5, \"stop_time\": 7001},"
	                "\"process_metrics\": {\"cpu_usage\": [1]}}");
	model = model_of(&t->runs, NULL);
	expect(model, "history.0.anchor", "\"run-7000\"");
	expect(model, "history.1.anchor", "\"run-7000-2\"");
	expect(model, "history.2", "null");
	cJSON_Delete(model);
}

/* A picture of one point, and of values whose distance is no number: no division by 0. */
TEST(edges)
{
	const struct trend_point one = {.v = 3, .text = "", .place = ""};
	const struct trend_point huge[] = {{.v = -1e308, .text = "", .place = ""},
	                                   {.v = 1e308, .text = "", .place = ""}};
	const struct trend_part part = {.first = 0, .last = 1, .median = 0, .label = "a1b2c3d"};
	cJSON *parent = cJSON_CreateObject(), *other = cJSON_CreateObject();

	chart_trend_add(parent, &(struct trend_line){&one, 1, 1, NULL, 0});
	expect(parent, "svg.points.0.x", "240");
	expect(parent, "svg.points.0.y", "52");
	expect(parent, "svg.now", "null");
	expect(parent, "svg.parts", "[]");
	chart_trend_add(other, &(struct trend_line){huge, 2, 1, &part, 1});
	expect(other, "svg.points.0.y", "52");
	expect(
	    other, "svg.parts.0",
	    "{\"from\":6,\"to\":474,\"y\":52,\"label\":\"a1b2c3d\",\"covered\":false,\"align\":\"start\"}");
	expect(other, "svg.now", "{\"x\":474,\"y\":52}");
	cJSON_Delete(parent);
	cJSON_Delete(other);
}

/* Of labels that would lie on each other the newest is shown; the fourth stands at the right edge. */
TEST(labels_of_changes)
{
	static const char *const covered = "ffttf"; /* of parts that begin at 0, 20, 60, 65, 69 */
	struct trend_part part[] = {{0, 19, 1, ""},
	                            {20, 59, 1, "aaaaaaa"},
	                            {60, 64, 1, "bbbbbbb"},
	                            {65, 68, 1, "ccccccc"},
	                            {69, 79, 1, "ddddddd"}};
	struct trend_point v[80];
	cJSON *parent = cJSON_CreateObject();
	const cJSON *parts;

	for (size_t i = 0; i < 80; i++)
		v[i] = (struct trend_point){.v = 1, .text = "", .place = ""};
	chart_trend_add(parent, &(struct trend_line){v, 80, 79, part, 5});
	parts = cJSON_GetObjectItem(cJSON_GetObjectItem(parent, "svg"), "parts");
	for (int i = 0; i < 5; i++) {
		const cJSON *one = cJSON_GetArrayItem(parts, i);
		assert_true(cJSON_IsTrue(cJSON_GetObjectItem(one, "covered")) ==
		            (covered[i] == 't'));
	}
	cJSON_Delete(parent);
}
