/* chart_histogram: round edges, every value in one bar, labels that no line crosses. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart/chart_axis.h"
#include "report/chart/chart_histogram.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0

static double number(const cJSON *o, const char *key)
{
	return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(o, key));
}

static const char *string(const cJSON *o, const char *key)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, key));
}

static const cJSON *items(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

TEST(steps)
{
	static const struct {
		enum unit unit;
		double largest, width, step;
	} cases[] = {
	    {UNIT_BYTES, 2 * GIB, 0, GIB / 8},  {UNIT_BYTES, 2 * GIB, GIB / 3, GIB / 4},
	    {UNIT_BYTES, 2 * GIB, 1, GIB / 16}, {UNIT_SECONDS, 600, 0, 60},
	    {UNIT_SECONDS, 600, 1, 20},         {UNIT_SECONDS, 86400, 9e9, 10800},
	    {UNIT_SECONDS, 0.35, 0, 0.02},      {UNIT_CORES, 3.9, 0, 0.5},
	    {UNIT_COUNT, 5, 0.001, 1},          {UNIT_BYTES, 0, 0, 64},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct chart_histogram h = {.unit = cases[i].unit};
		chart_histogram_begin(&h, cases[i].largest, cases[i].width);
		assert_true(fabs(h.step - cases[i].step) < 1e-9 * h.step);
		assert_true(h.n >= 1 && h.n <= CHART_HISTOGRAM_BARS);
		assert_true((double)h.n * h.step >= h.top * (1 - 1e-9));
	}
}

TEST(widths)
{
	static const double v[] = {1, 2, 3, 4, 5, 6, 7, 8}, same[] = {3, 3, 3};

	assert_true(chart_histogram_width(v, 8) == 3.5);
	assert_true(chart_histogram_width(same, 3) == 0);
	assert_true(chart_histogram_width(v, 1) == 0);
	assert_true(chart_histogram_width(NULL, 0) == 0);
}

/* Sums of the rows: each value is counted once, whatever it is; wild ones are not. */
TEST(counts)
{
	static const double largest[] = {0, 1e-9, 0.5, 1, 59.9, 3600, 1e9, 1e300, DBL_MAX};
	static const enum unit units[] = {UNIT_SECONDS, UNIT_BYTES, UNIT_CORES, UNIT_COUNT};

	for (size_t k = 0; k < sizeof largest / sizeof *largest * 4; k++) {
		double top = largest[k / 4], sum = 0, apart = 0;
		struct chart_histogram h = {.unit = units[k % 4]};
		cJSON *o = cJSON_CreateObject();
		const cJSON *one;
		chart_histogram_begin(&h, top, 0);
		for (int i = 0; i <= 100; i++)
			chart_histogram_count(&h, top / 100 * i, 1, false);
		chart_histogram_count(&h, top, 7, true);
		chart_histogram_count(&h, NAN, 1, false);
		chart_histogram_count(&h, -1, 1, false);
		chart_histogram_count(&h, INFINITY, 1, false);
		chart_histogram_add(o, &h);
		cJSON_ArrayForEach (one, items(o, "rows")) {
			sum += number(one, "count");
			apart += number(one, "apart");
			assert_true(number(one, "from") < number(one, "to"));
		}
		assert_true(sum == 101 && apart == 7);
		cJSON_ArrayForEach (one, items(items(o, "svg"), "bars")) {
			assert_true(number(one, "share") >= 0 && number(one, "width") > 0);
			assert_true(number(one, "share") + number(one, "width") <= 100.5);
			assert_true(number(one, "height") >= 2 && number(one, "y") >= 0);
		}
		cJSON_Delete(o);
	}
}

/* A value at an edge is in the bar that begins there; one of thousands can be seen. */
TEST(edges)
{
	struct chart_histogram h = {.unit = UNIT_BYTES};
	cJSON *o = cJSON_CreateObject();
	const cJSON *bars;

	chart_histogram_begin(&h, 2 * GIB, GIB / 4);
	chart_histogram_count(&h, GIB, 1, false);
	chart_histogram_count(&h, 2 * GIB, 5000, false);
	chart_histogram_add(o, &h);
	assert_string_equal(string(cJSON_GetArrayItem(items(o, "rows"), 0), "text"),
	                    "1.00 GiB to 1.25 GiB");
	bars = items(items(o, "svg"), "bars");
	assert_int_equal(cJSON_GetArraySize(bars), 2);
	assert_true(number(cJSON_GetArrayItem(bars, 0), "height") == 2);
	cJSON_Delete(o);
}

TEST(lines)
{
	/* From the top down; those on the right first. */
	static const struct {
		double asked, proposed;
		const char *text[2], *anchor[2];
	} cases[] = {
	    {4, 2, {"Asked 4.00 GiB", "Proposed 2.00 GiB"}, {"end", "end"}},
	    {2, 4, {"Proposed 4.00 GiB", "Asked 2.00 GiB"}, {"end", "end"}},
	    {0.25, 2, {"Asked 256 MiB", "Proposed 2.00 GiB"}, {"start", "end"}},
	    {0.5, 0.25, {"Proposed 256 MiB", "Asked 512 MiB"}, {"start", "start"}},
	    {64, 2, {"Asked 64.0 GiB →", "Proposed 2.00 GiB"}, {"end", "end"}},
	    {64, 128, {"Proposed 128 GiB →", "Asked 64.0 GiB →"}, {"end", "end"}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct chart_histogram h = {
		    .unit = UNIT_BYTES,
		    .line = {{"Asked", "", cases[i].asked * GIB},
		             {"Proposed", "", cases[i].proposed * GIB}},
		    .n_lines = 2,
		};
		cJSON *o = cJSON_CreateObject();
		chart_histogram_begin(&h, 2.5 * GIB, 0);
		chart_histogram_count(&h, 2.5 * GIB, 1, false);
		chart_histogram_add(o, &h);
		for (int k = 0; k < 2; k++) {
			const cJSON *one = cJSON_GetArrayItem(items(items(o, "svg"), "lines"), k);
			assert_string_equal(string(one, "text"), cases[i].text[k]);
			assert_string_equal(string(one, "anchor"), cases[i].anchor[k]);
			assert_int_equal(cJSON_IsTrue(items(one, "beyond")),
			                 strstr(cases[i].text[k], "→") != NULL);
			assert_true(number(one, "share") > 0 && number(one, "share") <= 100);
		}
		cJSON_Delete(o);
	}
}
