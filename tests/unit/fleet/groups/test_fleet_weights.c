/* fleet_weights: the nearest rank, of values and of weights; halves of the days, and points. */
#include <math.h>

#include "fleet/groups/fleet_weights.h"
#include "tests/unit/unit.h"

#define OF(...)                                                                                    \
	((struct fleet_weights){.v = (struct fleet_weight[]){__VA_ARGS__},                         \
	                        .n = sizeof((struct fleet_weight[]){__VA_ARGS__}) /                \
	                             sizeof(struct fleet_weight)})
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
		assert_true(fleet_weights_percentile(&five, cases[i].percent) == cases[i].value);
}

TEST(test_weights)
{
	struct fleet_weights many = OF(RUNS(1, 94), RUNS(2, 0), RUNS(3, 1), RUNS(4, 4), RUNS(5, 1));

	assert_true(fleet_weights_runs(&many) == 100);
	assert_true(fleet_weights_percentile(&many, 94) == 1);
	assert_true(fleet_weights_percentile(&many, 95) == 3); /* never a value without runs */
	assert_true(fleet_weights_percentile(&many, 96) == 4);
	assert_true(fleet_weights_percentile(&many, 99) == 4);
	assert_true(fleet_weights_percentile(&many, 100) == 5);
}

/* 0.07 × 100 is more than 7 in binary. */
TEST(test_a_whole_rank_stays_whole)
{
	for (int percent = 1; percent < 100; percent++) {
		struct fleet_weights w = OF(RUNS(1, percent * 3), RUNS(2, (100 - percent) * 3));
		assert_true(fleet_weights_percentile(&w, percent) == 1);
		assert_true(fleet_weights_percentile(&w, percent + 1) == 2);
	}
}

TEST(test_none)
{
	struct fleet_weights none = {0}, empty = OF(RUNS(7, 0));

	assert_true(isnan(fleet_weights_percentile(&none, 50)));
	assert_true(isnan(fleet_weights_percentile(&empty, 50)));
	assert_true(fleet_weights_runs(&none) == 0);
}

/* -- over days -------------------------------------------------------------------------------- */

/* Runs with so much memory each. */
static struct fleet_weight day(double day, double runs, double each)
{
	return (struct fleet_weight){
	    .value = day, .low = day, .high = day, .runs = runs, .sum = runs * each};
}

static struct fleet_weights list(struct fleet_weight *v, size_t n)
{
	return (struct fleet_weights){.v = v, .n = n};
}
#define LIST(...)                                                                                  \
	list((struct fleet_weight[]){__VA_ARGS__},                                                 \
	     sizeof((struct fleet_weight[]){__VA_ARGS__}) / sizeof(struct fleet_weight))

TEST(test_change)
{
	struct fleet_weights two = LIST(day(100, 3, 10), day(101, 2, 15));
	/* The day in the middle is in the second half; of four days, two and two. */
	struct fleet_weights three = LIST(day(100, 3, 10), day(105, 2, 20), day(300, 2, 40));
	struct fleet_weights four = LIST(day(1, 1, 10), day(2, 1, 30), day(3, 3, 5), day(4, 1, 25));
	/* Two types of machines on one day are one day. */
	struct fleet_weights same = LIST(day(7, 5, 10), day(7, 5, 20));
	struct fleet_weights both = LIST(day(7, 4, 10), day(7, 4, 20), day(8, 8, 30));
	struct fleet_weights none = {0};

	assert_true(fleet_weights_trend(&two) == 0.5);
	assert_true(fleet_weights_trend(&three) == 2);
	assert_true(fleet_weights_trend(&four) == -0.5);
	assert_true(isnan(fleet_weights_trend(&same)));
	assert_true(fleet_weights_trend(&both) == 1);
	assert_true(isnan(fleet_weights_trend(&none)));
	two.v[0].runs = 2; /* 4 runs */
	assert_true(isnan(fleet_weights_trend(&two)));
	two = LIST(day(100, 3, 0), day(101, 2, 15));
	assert_true(isnan(fleet_weights_trend(&two)));
}

TEST(test_points)
{
	double v[FLEET_TREND_POINTS] = {-1};
	struct fleet_weights one = LIST(day(7, 1, 10), day(7, 5, 20));
	struct fleet_weights two = LIST(day(7, 1, 10), day(8, 5, 20));
	struct fleet_weights year =
	    LIST(day(1000, 1, 10), day(1030, 3, 20), day(1031, 1, 30), day(1364, 1, 40));
	struct fleet_weights dozen =
	    LIST(day(0, 1, 10), day(1, 1, 11), day(10, 1, 12), day(11, 1, 13));

	assert_int_equal(fleet_weights_points(&one, v), 0);
	assert_true(v[0] == -1);
	assert_int_equal(fleet_weights_points(&two, v), 1);
	for (int i = 0; i < FLEET_TREND_POINTS; i++)
		assert_true(i == 0 ? v[i] == 10 : i == 6 ? v[i] == 20 : isnan(v[i]));
	/* 365 days in 12 parts: day 30 is in the first, day 31 in the second. */
	assert_int_equal(fleet_weights_points(&year, v), 1);
	assert_true(v[0] == 17.5 && v[1] == 30 && isnan(v[2]) && isnan(v[10]) && v[11] == 40);
	assert_int_equal(fleet_weights_points(&dozen, v), 1);
	assert_true(v[0] == 10 && v[1] == 11 && isnan(v[2]) && v[10] == 12 && v[11] == 13);
}
