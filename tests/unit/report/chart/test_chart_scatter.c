/* chart_scatter: axes, places and sizes of dots. */
#include <math.h>

#include "report/chart/chart_scatter.h"
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

#define MIB 1048576.0

static cJSON *made(const struct chart_scatter *s)
{
	cJSON *parent = cJSON_CreateObject();

	chart_scatter_add(parent, s);
	return parent;
}

TEST(linear)
{
	static const struct chart_scatter_dot dots[] = {
	    {50, 50 * MIB, 1, false}, {100, 100 * MIB, 4, false}, {10, 25 * MIB, 1, true}};
	static const struct expected cases[] = {
	    {"svg.log_x", "false"},
	    {"svg.log_y", "false"},
	    /* the axis of seconds ends at 100 × 1.06; the largest dot comes first */
	    {"svg.dots.0", "{\"share\":94.34,\"y\":107.8,\"r\":9,\"oom\":false}"},
	    {"svg.dots.1.share", "9.43"},
	    {"svg.dots.1.oom", "true"},
	    {"svg.dots.1.r", "4.5"},
	    {"svg.dots.2.share", "47.17"},
	    {"svg.ticks_x.0", "{\"text\":\"0\",\"share\":0}"},
	    {"svg.ticks_x.1.text", "\"20 s\""},
	    {"svg.ticks_y.0.line", "null"},
	    {"svg.ticks_y.1.text", "\"64 MiB\""},
	    {"svg.lines.0",
	     "{\"text\":\"Asked 200 MiB\",\"y\":27.6,\"label\":23.6,\"dash\":\"8 4\"}"},
	};
	cJSON *p = made(&(struct chart_scatter){.unit_x = UNIT_SECONDS,
	                                        .unit_y = UNIT_BYTES,
	                                        .dot = dots,
	                                        .n = 3,
	                                        .line = {{"Asked", 200 * MIB}},
	                                        .n_lines = 1});

	EXPECT_ALL(p, cases);
	cJSON_Delete(p);
}

/* Values that differ by more than a factor of 50 would lie on each other at the left. */
TEST(logarithmic)
{
	static const struct {
		double least, most;
		const char *log;
	} cases[] = {{1, 50, "false"}, {1, 50.1, "true"}, {0.001, 1e7, "true"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct chart_scatter_dot dots[] = {{cases[i].least, 1024, 1, false},
		                                         {cases[i].most, 1024 * MIB, 1, false}};
		cJSON *p = made(&(struct chart_scatter){
		    .unit_x = UNIT_SECONDS, .unit_y = UNIT_BYTES, .dot = dots, .n = 2});
		const cJSON *tick;
		double before = -1;
		expect(p, "svg.log_x", cases[i].log);
		expect(p, "svg.log_y", "true");
		cJSON_ArrayForEach (tick, model_at(p, "svg.ticks_x")) {
			double share = model_at(tick, "share")->valuedouble;
			assert_true(share > before && share <= 100);
			before = share;
		}
		assert_true(cJSON_GetArraySize(model_at(p, "svg.ticks_y")) >= 3);
		assert_true(cJSON_GetArraySize(model_at(p, "svg.ticks_y")) <= 7);
		cJSON_Delete(p);
	}
}

/* To compare ratios, an axis begins where the values do, and is logarithmic from a factor of 8 on. */
TEST(ratios)
{
	static const struct chart_scatter_dot dots[] = {
	    {490, 0.006, 1, false}, {600, 0.067, 1, true}, {1550, 0.13, 1, false}};
	static const struct expected cases[] = {
	    {"svg.log_x", "false"},
	    {"svg.log_y", "true"},
	    {"svg.ticks_x.0", "{\"text\":\"5 min\",\"share\":0}"},
	    {"svg.ticks_x.1.text", "\"10 min\""},
	    {"svg.ticks_y.0.text", "\"$0.01\""},
	    {"svg.ticks_y.3.text", "\"$0.10\""},
	    {"svg.ticks_y.4", "null"},
	};
	cJSON *p = made(&(struct chart_scatter){
	    .unit_x = UNIT_SECONDS, .unit_y = UNIT_MONEY, .ratios = true, .dot = dots, .n = 3});

	EXPECT_ALL(p, cases);
	cJSON_Delete(p);
}

TEST(edges)
{
	static const struct chart_scatter_dot odd[] = {
	    {0, 0, 1, false}, {NAN, 1e300, 1, false}, {1, 1, 0, false}, {1e300, NAN, 5, true}};
	cJSON *p = made(&(struct chart_scatter){.unit_x = UNIT_SECONDS, .unit_y = UNIT_BYTES});
	char *text;

	expect(p, "svg", "null");
	cJSON_Delete(p);
	p = made(&(struct chart_scatter){
	    .unit_x = UNIT_SECONDS, .unit_y = UNIT_BYTES, .dot = odd, .n = 4});
	text = model_text(p, "svg.dots");
	assert_null(strstr(text, "null"));
	free(text);
	cJSON_Delete(p);
}

/* Further dots with a line through them, in money; the names of dots. */
TEST(joined)
{
	static const struct chart_scatter_dot joined[] = {
	    {100, 5, 1, false}, {400, 2, 1, false}, {900, 1, 1, false}};
	static const struct expected cases[] = {
	    {"svg.dots", "[]"},
	    {"svg.joined.0", "{\"share\":10.48,\"y\":27.6,\"share_to\":41.93,\"y_to\":123.8}"},
	    {"svg.joined.2", "{\"share\":94.34,\"y\":155.9,\"share_to\":94.34,\"y_to\":155.9}"},
	    {"svg.ticks_y.1.text", "\"2.00 EUR\""},
	    {"svg.marks.0", "{\"text\":\"fast\",\"share\":10.48,\"y\":18.6,\"anchor\":\"start\"}"},
	    {"svg.marks.1", "{\"text\":\"cheap\",\"share\":94.34,\"y\":146.9,\"anchor\":\"end\"}"},
	    /* beside the first it would hide it: below its dot; then there is no room */
	    {"svg.marks.2", "{\"text\":\"near\",\"share\":12.58,\"y\":42.6,\"anchor\":\"start\"}"},
	    {"svg.marks.3", "null"},
	};
	static const struct chart_scatter_point ends[] = {{100, 5}, {900, 1}};
	static const struct chart_scatter_curve curve = {ends, 2, "8 4"};
	static const struct expected below[] = {
	    {"svg.marks.0",
	     "{\"text\":\"least\",\"share\":41.93,\"y\":138.8,\"anchor\":\"start\"}"},
	    {"svg.curves", "[{\"points\":\"10.48,27.6 94.34,155.9\",\"dash\":\"8 4\"}]"},
	    /* there it would leave the plot */
	    {"svg.marks.1", "{\"text\":\"last\",\"share\":94.34,\"y\":172.6,\"anchor\":\"end\"}"},
	};
	cJSON *q = made(
	    &(struct chart_scatter){.unit_x = UNIT_SECONDS,
	                            .unit_y = UNIT_MONEY,
	                            .joined = joined,
	                            .n_joined = 3,
	                            .curve = &curve,
	                            .n_curves = 1,
	                            .mark = {{"least", 400, 2, true}, {"last", 900, 0.2, true}},
	                            .n_marks = 2});
	cJSON *p = made(&(struct chart_scatter){.unit_x = UNIT_SECONDS,
	                                        .unit_y = UNIT_MONEY,
	                                        .currency = "EUR",
	                                        .joined = joined,
	                                        .n_joined = 3,
	                                        .mark = {{"fast", 100, 5, false},
	                                                 {"cheap", 900, 1, false},
	                                                 {"near", 120, 5, false},
	                                                 {"hidden", 130, 5, false}},
	                                        .n_marks = 4});

	EXPECT_ALL(p, cases);
	EXPECT_ALL(q, below);
	cJSON_Delete(q);
	cJSON_Delete(p);
}

/* Two lines from 0 to 100 pixels apart, the upper one anywhere, either of the two: their texts of 12
 * pixels (11 above the baseline, 3 below it) never meet, and stay in the picture. */
TEST(texts_of_lines)
{
	const double plot = 170, top = 1024;

	for (int upper = 0; upper <= 160; upper += 5) {
		for (int distance = 0; distance <= 100 && upper + distance <= 170; distance++) {
			for (int first = 0; first < 2; first++) {
				const struct chart_scatter_dot dot = {1, top, 1, false};
				double v[2] = {top * (1 - upper / plot),
				               top * (1 - (upper + distance) / plot)};
				cJSON *p = made(&(struct chart_scatter){
				    .unit_x = UNIT_SECONDS,
				    .unit_y = UNIT_COUNT,
				    .dot = &dot,
				    .n = 1,
				    .line = {{"Asked", v[first]}, {"Proposed", v[!first]}},
				    .n_lines = 2});
				double height = model_at(p, "svg.height")->valuedouble;
				double a = model_at(p, "svg.lines.0.label")->valuedouble;
				double b = model_at(p, "svg.lines.1.label")->valuedouble;
				double y0 = model_at(p, "svg.lines.0.y")->valuedouble;
				double y1 = model_at(p, "svg.lines.1.y")->valuedouble;
				assert_true(fabs(a - b) >= 14);
				assert_true(fmin(a, b) - 11 >= 0 && fmax(a, b) + 3 <= height);
				/* the text of the upper line is the upper one */
				if (fabs(y0 - y1) > 0.1)
					assert_int_equal(a < b, y0 < y1);
				cJSON_Delete(p);
			}
		}
	}
}
