/* overview_packed: points come out as they went in, to a level, and nothing malformed does. */
#include <math.h>
#include <stdlib.h>

#include "core/head/overview_packed.h"
#include "tests/unit/unit.h"

/* 0, +5, gap, -2 (of the level before the gap), three times +1; extremes around them. */
TEST(by_hand)
{
	static const double mean[] = {0, 5, NAN, 3, 4, 5, 6};
	double v[3 * 7];

	assert_int_equal(overview_packed_read("AK.DC*C", OVERVIEW_PACKED_MEAN, v, 7, 1), 0);
	assert_int_equal(overview_packed_read("AC.BA*C", OVERVIEW_PACKED_MIN, v, 7, 1), 0);
	assert_int_equal(overview_packed_read("gBA.A*D", OVERVIEW_PACKED_MAX, v, 7, 2), 0);
	for (size_t i = 0; i < 7; i++)
		assert_true(isnan(mean[i]) ? isnan(v[i]) : v[i] == mean[i]);
	assert_true(v[7 + 1] == 3);
	assert_true(v[14] == 64);
	assert_true(v[14 + 6] == 6);
}

TEST(malformed)
{
	static const struct {
		const char *text;
		size_t n;
	} cases[] = {{"", 1},        {"A", 2},   {"AA", 1},       {"A*A*A", 1}, {"A*-----A", 2},
	             {"g", 1},       {"<", 1},   {"ggggggg", 1},  {"*A", 1},    {"A*", 1},
	             {"A*++++A", 9}, {".*C", 2}, {"A\xc3\xbc", 2}};
	double v[16];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (overview_packed_read(cases[i].text, OVERVIEW_PACKED_MEAN, v, cases[i].n, 1) !=
		    -1)
			fail_msg("%s", cases[i].text);
}

static struct bucket any_cell(unsigned *seed)
{
	double a[3];
	struct bucket c = {.n = 1, .seconds = 2};

	for (size_t i = 0; i < 3; i++) {
		*seed = *seed * 1103515245 + 12345;
		a[i] = *seed >> 8 & 3 ? (double)(*seed >> 16 & 1023) : 0;
	}
	if (a[0] == 17)
		return (struct bucket){.n = 0};
	c.min = fmin(a[0], fmin(a[1], a[2]));
	c.max = fmax(a[0], fmax(a[1], a[2]));
	c.sum = 2 * (a[0] + a[1] + a[2]) / 3;
	return c;
}

TEST(there_and_back)
{
	unsigned seed = 1;

	for (unsigned edge = 1; edge < 5; edge++) {
		struct bucket cells[500];
		double v[3 * 500], scale = 1023.0 / OVERVIEW_PACKED_LEVELS;
		for (size_t i = 0; i < 500; i++)
			cells[i] = i % 100 < 50 ? any_cell(&seed) : cells[i - 1];
		for (int of = OVERVIEW_PACKED_MEAN; of <= OVERVIEW_PACKED_MAX; of++) {
			struct buf text = {0};
			overview_packed_add(&text, (enum overview_packed)of, cells, 500, scale,
			                    edge);
			assert_int_equal(overview_packed_read(buf_cstr(&text),
			                                      (enum overview_packed)of, v, 500,
			                                      edge),
			                 0);
			buf_free(&text);
		}
		for (size_t i = 0; i < 500; i++) {
			if (!cells[i].n) {
				assert_true(isnan(v[i]) && isnan(v[500 + i]) && isnan(v[1000 + i]));
				continue;
			}
			/* A level, because what is nearly 0 is one. */
			assert_true(fabs(v[i] * scale - buckets_mean(&cells[i])) <= scale);
			assert_true((v[i] == 0) == (cells[i].sum == 0));
			assert_true(fabs(v[500 + i] * scale - cells[i].min) <= scale * edge);
			assert_true(fabs(v[1000 + i] * scale - cells[i].max) <= scale * edge);
		}
	}
}
