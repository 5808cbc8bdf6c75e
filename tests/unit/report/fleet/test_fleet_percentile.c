/* fleet_percentile: the nearest rank, of values and of weights. */
#include <math.h>

#include "report/fleet/fleet_percentile.h"
#include "tests/unit/unit.h"

#define OF(...)                                                                                    \
	((struct fleet_weights){                                                                   \
	    (struct fleet_weight[]){__VA_ARGS__},                                                  \
	    sizeof((struct fleet_weight[]){__VA_ARGS__}) / sizeof(struct fleet_weight), 0})
#define RUNS(v, k)                                                                                 \
	{                                                                                          \
		.value = (v), .runs = (k)                                                          \
	}

TEST(test_nearest_rank)
{
	struct fleet_weights five =
	    OF(RUNS(10, 1), RUNS(20, 1), RUNS(30, 1), RUNS(40, 1), RUNS(50, 1));
	const struct {
		int percent;
		double value;
	} cases[] = {{1, 10},  {20, 10}, {21, 20}, {40, 20},
	             {50, 30}, {80, 40}, {81, 50}, {100, 50}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(fleet_percentile(&five, cases[i].percent) == cases[i].value);
}

TEST(test_weights)
{
	struct fleet_weights many = OF(RUNS(1, 94), RUNS(2, 0), RUNS(3, 1), RUNS(4, 4), RUNS(5, 1));

	assert_true(fleet_percentile_runs(&many) == 100);
	assert_true(fleet_percentile(&many, 94) == 1);
	assert_true(fleet_percentile(&many, 95) == 3); /* never a value without runs */
	assert_true(fleet_percentile(&many, 96) == 4);
	assert_true(fleet_percentile(&many, 99) == 4);
	assert_true(fleet_percentile(&many, 100) == 5);
}

/* 0.07 × 100 is more than 7 in binary. */
TEST(test_a_whole_rank_stays_whole)
{
	for (int percent = 1; percent < 100; percent++) {
		struct fleet_weights w = OF(RUNS(1, percent * 3), RUNS(2, (100 - percent) * 3));
		assert_true(fleet_percentile(&w, percent) == 1);
		assert_true(fleet_percentile(&w, percent + 1) == 2);
	}
}

TEST(test_none)
{
	struct fleet_weights none = {0}, empty = OF(RUNS(7, 0));

	assert_true(isnan(fleet_percentile(&none, 50)));
	assert_true(isnan(fleet_percentile(&empty, 50)));
	assert_true(fleet_percentile_runs(&none) == 0);
}
