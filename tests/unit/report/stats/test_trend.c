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
    {"trend.listing", "\"6 earlier runs: 4 used in averages; not used: another job (1), it "
                      "failed (1).\""},
    {"trend.rest", "\"\""},
    {"trend.price_hour.value", "1.44"},
    {"trend.measures.0.id", "\"duration\""},
    {"trend.measures.0.runs", "5"},
    {"trend.measures.0.now.value", "160"},
    {"trend.measures.0.median.value", "110"},
    {"trend.measures.0.lowest.value", "100"},
    {"trend.measures.0.lowest.this", "false"},
    {"trend.measures.0.lowest.anchor", "\"run-1000\""},
    {"trend.measures.0.highest.value", "160"},
    {"trend.measures.0.highest.this", "true"},
    {"trend.measures.0.highest.anchor", "null"},
    /* distances 10, 0, 0, 10: 3 × 1.4826 × 5 = 22.239 */
    {"trend.measures.0.changed", "true"},
    {"trend.measures.0.word", "\"higher than usual, beyond noise\""},
    {"trend.measures.0.level", "\"warn\""},
    {"trend.measures.0.text", "\"45% above the median of 4 runs, 1 min 50 s\""},
    /* from 87.761 (the median less the noise) to 160; y = 59 - 54 (v - 87.761) / 72.239 */
    {"trend.measures.0.svg.points", "\"5,49.9 82.5,42.4 160,42.4 237.5,34.9 315,5\""},
    {"trend.measures.0.svg.band", "{\"y\":25.8,\"height\":33.2}"},
    {"trend.measures.0.svg.median", "42.4"},
    {"trend.measures.0.svg.now", "{\"x\":315,\"y\":5}"},
    {"trend.measures.1.id", "\"cpu\""},
    {"trend.measures.1.changed", "false"},
    {"trend.measures.1.word", "\"within the usual noise\""},
    {"trend.measures.1.text", "\"at the median of 4 runs, 2.00 cores\""},
    {"trend.measures.2.now.value", "1048576"},
    {"trend.measures.3.id", "\"bytes\""},
    {"trend.measures.3.now.value", "3024"},
    {"trend.measures.3.median.value", "1024"},
    {"trend.measures.3.text", "\"195% above the median of 4 runs, 1.00 KiB\""},
    {"trend.measures.4.id", "\"cost\""},
    {"trend.measures.4.now.value", "0.064"},
    {"trend.measures.4.lowest.text", "\"0.04 EUR\""},
    {"trend.measures.4.now.text", "\"0.064 EUR\""},
    {"trend.measures.4.changed", "true"},
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

/* Less is good of the duration; what is within the noise is not reported. */
TEST_WITH(other_ways, recordings_begin, recordings_end)
{
	static const struct {
		double now;
		const char *changed, *word, *level;
	} ways[] = {
	    {132, "false", "\"within the usual noise\"", "null"},
	    {133, "true", "\"higher than usual, beyond noise\"", "\"warn\""},
	    {88, "false", "\"within the usual noise\"", "null"},
	    {87, "true", "\"lower than usual, beyond noise\"", "\"good\""},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		cJSON *model;
		load_job(t, ways[i].now);
		model = model_of(&t->runs, NULL);
		expect(model, "trend.measures.0.changed", ways[i].changed);
		expect(model, "trend.measures.0.word", ways[i].word);
		expect(model, "trend.measures.0.level", ways[i].level);
		expect(model, "trend.measures.4", "null"); /* no price is known */
		cJSON_Delete(model);
		load_free(&t->runs);
	}
}

/* In its place in time, though it is not the newest; runs of one second have anchors of their own.
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
	/* 20 between 10 and 30: the middle of 5 … 59, and of 5 … 315 */
	expect(model, "trend.measures.0.svg.points", "\"5,59 160,32 315,5\"");
	expect(model, "trend.measures.0.svg.now", "{\"x\":160,\"y\":32}");
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

/* Of more runs than points, each part keeps its extremes: one peak among 3,000 is seen. */
TEST(many)
{
	static double v[3000];
	struct trend_line line = {v, 3000, 2999, NAN, NAN};
	cJSON *parent = cJSON_CreateObject();
	const char *points;
	size_t n = 1;

	for (size_t i = 0; i < 3000; i++)
		v[i] = 10 + (double)(i % 2);
	v[1501] = 100;
	v[77] = 1;
	chart_trend_add(parent, &line);
	points = cJSON_GetStringValue(model_at(parent, "svg.points"));
	for (const char *p = points; *p; p++)
		n += *p == ' ';
	assert_int_equal(n, CHART_TREND_POINTS);
	/* x = 5 + 310 × 1501 / 2999, 5 + 310 × 77 / 2999 */
	assert_non_null(strstr(points, " 160.2,5 "));
	assert_non_null(strstr(points, " 13,59 "));
	cJSON_Delete(parent);
}

/* Numbers whose distance is none make a flat line, and no text that is not a number. */
TEST(huge)
{
	const double v[] = {-1e308, 1e308, 0};
	struct trend_line line = {v, 3, 2, 1e308, 1e308};
	cJSON *parent = cJSON_CreateObject();

	chart_trend_add(parent, &line);
	expect(parent, "svg.points", "\"5,32 160,32 315,32\"");
	expect(parent, "svg.band", "null");
	expect(parent, "svg.now", "{\"x\":315,\"y\":32}");
	cJSON_Delete(parent);
}

/* -- when a value is beyond the noise of earlier ones; worked out by hand ------------------------ */

static const struct {
	double v[6];
	size_t n;
	double mean, median, margin;
	double inside, outside;
} noises[] = {
    /* distances 2, 0, 2: 3 × 1.4826 × 2 = 8.8956, less than a tenth of the median */
    {{104, 100, 102}, 3, 102, 102, 10.2, 112, 91.7},
    /* distances 10, 0, 10: 3 × 1.4826 × 10 */
    {{110, 120, 100}, 3, 110, 110, 44.478, 154, 155},
    /* an even number: the median is between the two; distances 15, 5, 5, 15: 3 × 1.4826 × 10 */
    {{130, 100, 120, 110}, 4, 115, 115, 44.478, 71, 70},
    /* one that is far off does not widen the noise: distances 1, 0, 0, 0, 899 */
    {{99, 100, 100, 100, 999}, 5, 279.6, 100, 10, 109.9, 110.1},
    /* where all were 0, anything is news */
    {{0, 0, 0}, 3, 0, 0, 0, 0, 1},
};

TEST(noise)
{
	for (size_t i = 0; i < sizeof noises / sizeof *noises; i++) {
		double v[6];
		struct trend_noise noise;
		memcpy(v, noises[i].v, sizeof v);
		noise = trend_noise_of(v, noises[i].n);
		assert_int_equal(noise.n, noises[i].n);
		assert_true(fabs(noise.mean - noises[i].mean) < 1e-9);
		assert_true(fabs(noise.median - noises[i].median) < 1e-9);
		assert_true(fabs(noise.margin - noises[i].margin) < 1e-9);
		assert_false(trend_beyond(&noise, noises[i].inside));
		assert_true(trend_beyond(&noise, noises[i].outside));
		assert_false(trend_beyond(&noise, NAN));
	}
}

/* Of two runs nobody knows how much they differ. */
TEST(noise_of_too_few)
{
	double two[] = {1, 3};
	struct trend_noise noise = trend_noise_of(two, 2);

	assert_true(fabs(noise.median - 2) < 1e-9);
	assert_true(isnan(noise.margin));
	assert_false(trend_beyond(&noise, 1e9));
	noise = trend_noise_of(NULL, 0);
	assert_int_equal(noise.n, 0);
	assert_true(isnan(noise.mean) && isnan(noise.median));
	assert_false(trend_beyond(&noise, 1));
}
