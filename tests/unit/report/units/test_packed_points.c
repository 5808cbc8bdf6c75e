/* packed_points: what the page has comes out as the model's data, and nothing malformed does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/units/packed_points.h"
#include "tests/unit/unit.h"

static int read_text(const char *text, struct packed_points *p)
{
	cJSON *packed = cJSON_Parse(text);
	int failed;

	assert_non_null(packed);
	failed = packed_points_read(packed, p);
	cJSON_Delete(packed);
	return failed;
}

/* 0, +5, gap, -2 (of the level before the gap), three times +1; extremes around them. */
TEST(by_hand)
{
	static const double mean[] = {0, 5, NAN, 3, 4, 5, 6};
	struct packed_points p;

	assert_int_equal(read_text("{\"from\":100,\"step\":2,\"n\":7,\"series\":"
	                           "[[0.5,\"AK.DC*C\",\"AC.BA*C\",\"gBA.A*D\"]]}",
	                           &p),
	                 0);
	assert_int_equal(p.n, 7);
	assert_true(p.band);
	assert_true(p.x[0] == 1 && p.x[6] == 13);
	for (size_t i = 0; i < 7; i++) {
		double v = packed_points_cells(&p, 0, PACKED_POINTS_MEAN)[i];
		assert_true(isnan(mean[i]) ? isnan(v) : v == mean[i] / 2);
	}
	assert_true(packed_points_cells(&p, 0, PACKED_POINTS_MIN)[1] == 1.5);
	assert_true(packed_points_cells(&p, 0, PACKED_POINTS_MAXIMUM)[0] == 16);
	assert_true(packed_points_cells(&p, 0, PACKED_POINTS_MAXIMUM)[6] == 3);
	packed_points_free(&p);
}

TEST(malformed)
{
	static const char *const cases[] = {
	    "[]",
	    "{}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[]}",
	    "{\"from\":1,\"step\":0,\"n\":1,\"series\":[[1,\"A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1.5,\"series\":[[1,\"A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1e9,\"series\":[[1,\"A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":2,\"series\":[[1,\"A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,\"AA\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,\"A*A*A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":2,\"series\":[[1,\"A*-----A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,\"g\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,\"ggggggg\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,\"<\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,7]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[-1,\"A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,\"A\",\"A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,\"A\"],[1,\"A\",\"A\",\"A\"]]}",
	    "{\"from\":1,\"step\":1,\"n\":1,\"series\":{\"a\":1,\"b\":\"A\"}}",
	    "{\"from\":1,\"step\":1,\"x\":[2,1],\"series\":[[1,\"AA\"]]}",
	    "{\"from\":1,\"step\":1,\"x\":[\"1\"],\"series\":[[1,\"A\"]]}",
	    "{\"from\":1,\"step\":1,\"x\":[],\"series\":[[1,\"\"]]}",
	};
	struct packed_points p;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (read_text(cases[i], &p) != -1)
			fail_msg("%s", cases[i]);
		packed_points_free(&p);
	}
}

TEST(data_has_its_keys)
{
	cJSON *packed =
	    cJSON_Parse("{\"from\":1,\"step\":2,\"x\":[0,2.5],\"series\":[[0.1234567,\"CC\"]],"
	                "\"limits\":[[4,\"4 CPUs\"]]}");
	size_t room = 4;
	cJSON *data = packed_points_data(packed, &room);
	char *text = cJSON_PrintUnformatted(data);

	assert_int_equal(room, 0);
	assert_null(packed_points_data(packed, &room));
	assert_string_equal(text, "{\"from\":1,\"step\":2,\"x\":[0,2.5],\"mean\":[[0.1235,0.2469]],"
	                          "\"min\":null,\"max\":null,\"limits\":[[4,\"4 CPUs\"]]}");
	free(text);
	cJSON_Delete(data);
	cJSON_Delete(packed);
}
