/* fleet_round: what the order of adding changes is gone, and what is exact stays. */
#include <math.h>

#include "fleet/groups/fleet_round.h"
#include "tests/unit/unit.h"

TEST(digits)
{
	static const struct {
		double v;
		int digits;
		double rounded;
	} cases[] = {
	    {0, 9, 0},
	    {123456789, 9, 123456789},
	    {1234567894, 9, 1234567890},
	    {0.1 + 0.2, 9, 0.3},
	    {-0.1 - 0.2, 9, -0.3},
	    {63.99999999999999, 9, 64},
	    {1.23456789012e-10, 9, 1.23456789e-10},
	    {8589934592, 4, 8590000000},
	    {INFINITY, 9, INFINITY},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(fleet_round(cases[i].v, cases[i].digits) == cases[i].rounded);
	assert_true(isnan(fleet_round((double)NAN, 9)));
	/* Between two numbers of nine digits, as two engines may add them up. */
	assert_true(fleet_round(2403.1079749999999, 9) == fleet_round(2403.1079750000003, 9));
	assert_true(fleet_round(6.7740781249999996, 9) == fleet_round(6.7740781250000014, 9));
}

/* 48 GiB, and what its mean is after adding. */
TEST(asks)
{
	double days[FLEET_TREND_POINTS] = {51539607552.000008, (double)NAN};
	struct fleet_group g = {
	    .asked = {.cpus = 4.000000000000001, .memory_b = 51539607552.000008, .gpus = NAN},
	    .most = {.memory_b = 51539607553},
	    .memory = {.max = 51539607553},
	    .usage = {.cores = {100.00000000000001, 50, 50},
	              .money = 9.9999999999999982,
	              .recoverable = NAN,
	              .machine_h = 1e-30},
	    .trend = 0.12300000000000001,
	    .days = days};

	fleet_round_group(&g);
	assert_true(g.asked.cpus == 4);
	assert_true(g.asked.memory_b == 51539607552);
	assert_true(isnan(g.asked.gpus));
	assert_true(g.most.memory_b == 51539607553 && g.memory.max == 51539607553);
	assert_true(g.usage.cores.asked == 100 && g.usage.money == 10);
	assert_true(isnan(g.usage.recoverable) && g.usage.machine_h == 1e-30);
	assert_true(g.trend == 0.123);
	assert_true(days[0] == 51539607552 && isnan(days[1]));
}

TEST(days)
{
	struct catalog_day d = {.day = 20758,
	                        .run_s = 86400.000000000015,
	                        .asked_core_s = 0.30000000000000004,
	                        .started = 3};

	fleet_round_day(&d);
	assert_true(d.day == 20758 && d.run_s == 86400 && d.asked_core_s == 0.3 && d.started == 3);
}
