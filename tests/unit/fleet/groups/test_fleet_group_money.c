/* fleet_group_money: shares of machines, prices, rates, and what is recoverable. */
#include <math.h>

#include "fleet/groups/fleet_group.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0

static const struct catalog_machine eight = {.vcpus = 8, .memory_b = 32 * GIB, .gpus = 2};

static void assert_near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 * fabs(b)))
		fail_msg("%.17g is not %.17g", a, b);
}

TEST(test_share)
{
	const struct {
		struct fleet_ask ask;
		double share;
	} cases[] = {
	    {{2, 4 * GIB, NAN, NAN}, 0.25}, {{2, 16 * GIB, NAN, NAN}, 0.5},
	    {{2, 16 * GIB, 2, NAN}, 1},     {{2, 16 * GIB, 1, NAN}, 0.5},
	    {{4, 1 * GIB, 0, NAN}, 0.5},    {{NAN, 8 * GIB, NAN, NAN}, 0.25},
	    {{12, 8 * GIB, NAN, NAN}, 1},   {{1, 64 * GIB, NAN, NAN}, 1},
	    {{NAN, NAN, 1, NAN}, 0.5},      {{NAN, NAN, NAN, 3600}, NAN},
	    {{NAN, NAN, 0, NAN}, 0},        {{0.5, NAN, NAN, NAN}, 0.0625},
	};
	struct catalog_machine unknown = {.vcpus = NAN, .memory_b = NAN, .gpus = NAN},
			       none = {.vcpus = 4};
	struct catalog_machine tiny = {.vcpus = 1, .memory_b = NAN, .gpus = NAN};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double share = fleet_group_money_share(&cases[i].ask, &eight);
		assert_true(share == cases[i].share || (isnan(share) && isnan(cases[i].share)));
	}
	assert_true(isnan(fleet_group_money_share(&cases[0].ask, &unknown)));
	assert_true(fleet_group_money_share(&cases[11].ask, &tiny) == 0.5);
	/* A GPU that a machine without GPUs was asked for is not a share of it. */
	assert_true(fleet_group_money_share(&cases[2].ask, &none) == 0.5);
}

static struct fleet_cell cell(void)
{
	return (struct fleet_cell){.machine = eight,
	                           .runs = 10,
	                           .wall_s = 36000,
	                           .paid_s = 18000,
	                           .asked_core_s = 4 * 36000.0,
	                           .asked_byte_s = 16 * GIB * 36000,
	                           .asked_gpu_s = 0,
	                           .most = {4, 16 * GIB, NAN, NAN},
	                           .again_b = 16 * GIB};
}

TEST(test_machine_seconds)
{
	struct fleet_ask ask = {1, 8 * GIB, NAN, 600};
	struct fleet_cell c = cell();

	assert_near(fleet_group_money_machine_s(&c, &ask), 9000);
	/* A run that fails is paid for, and run again with more memory. */
	c.memory_again_s = 3600;
	assert_near(fleet_group_money_machine_s(&c, &ask), 9000 + 1800);
	/* One that reaches its time is run again with the same. */
	c.time_again_s = 600;
	assert_near(fleet_group_money_machine_s(&c, &ask), 9000 + 1800 + 150);
	/* What is not proposed stays as it was. */
	c = cell();
	ask.memory_b = NAN;
	assert_near(fleet_group_money_machine_s(&c, &ask), 18000);
	ask = (struct fleet_ask){NAN, 1 * GIB, NAN, NAN};
	assert_near(fleet_group_money_machine_s(&c, &ask), 18000);
	c.most.gpus = 2;
	assert_near(fleet_group_money_machine_s(&c, &ask), 36000);
	ask.gpus = 0;
	assert_near(fleet_group_money_machine_s(&c, &ask), 18000);
	/* More than there is costs the whole machine. */
	ask.memory_b = 320 * GIB;
	assert_near(fleet_group_money_machine_s(&c, &ask), 36000);
	c.machine = (struct catalog_machine){.vcpus = NAN, .memory_b = NAN, .gpus = NAN};
	assert_true(isnan(fleet_group_money_machine_s(&c, &ask)));
}

TEST(test_rates)
{
	const struct fleet_rates r = {0.04, 0.005, 2}, cpu = {0.04, 0, 0}, memory = {0, 0.005, 0};
	struct fleet_ask ask = {1, 4 * GIB, NAN, NAN};
	struct fleet_cell c = cell();

	/* 10 core-hours are 0.40, 100 GiB-hours 0.50: the larger; GPUs beside them. */
	assert_near(fleet_group_money_at_rates(&r, 36000, 360000 * GIB, 0), 0.5);
	assert_near(fleet_group_money_at_rates(&r, 36000, 180000 * GIB, 0), 0.4);
	assert_near(fleet_group_money_at_rates(&r, 36000, 360000 * GIB, 7200), 4.5);
	assert_near(fleet_group_money_at_rates(&cpu, 36000, 360000 * GIB, 7200), 0.4);
	assert_near(fleet_group_money_at_rates(&memory, 36000, 360000 * GIB, 7200), 0.5);
	/* Asked: 40 core-hours are 1.60, 160 GiB-hours 0.80. Proposed: 0.40 and 0.20. */
	assert_near(fleet_group_money_asked(&r, &c), 1.6);
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 0.4);
	/* Again: 1 core-hour is 0.04, 16 GiB-hours are 0.08; 0.5 core-hours. */
	c.memory_again_s = 3600;
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 0.4 + 0.08);
	c.time_again_s = 1800;
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 0.4 + 0.08 + 0.02);
	/* What is not proposed costs what it did. */
	c = cell();
	ask = (struct fleet_ask){NAN, 4 * GIB, NAN, NAN};
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 1.6);
	ask = (struct fleet_ask){1, NAN, NAN, NAN};
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 0.8);
	c.asked_gpu_s = 7200;
	assert_near(fleet_group_money_asked(&r, &c), 1.6 + 4);
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 0.8 + 4);
	ask.gpus = 0;
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 0.8);
	ask.gpus = 1;
	c.memory_again_s = 3600;
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 0.8 + 20 + 0.08 + 2);
	c = (struct fleet_cell){.machine = eight, .most = c.most, .wall_s = 0.5, .asked_core_s = 2};
	ask = (struct fleet_ask){NAN, 0, 0, NAN};
	assert_near(fleet_group_money_proposed(&r, &c, &ask), 2 * 0.04 / 3600);
	c = (struct fleet_cell){.machine = eight, .most = c.most};
	ask = (struct fleet_ask){NAN, NAN, NAN, NAN};
	assert_true(fleet_group_money_proposed(&r, &c, &ask) == 0);
}

TEST(test_recoverable)
{
	assert_true(fleet_group_money_recoverable(10, 4) == 6);
	assert_true(fleet_group_money_recoverable(10, 10) == 0);
	assert_true(fleet_group_money_recoverable(10, 12) == 0);
	/* Rounding is nothing. */
	assert_true(fleet_group_money_recoverable(10, 10 - 1e-12) == 0);
	assert_true(fleet_group_money_recoverable(1e-6, 1e-6 - 1e-12) > 0);
	assert_true(fleet_group_money_recoverable(10, -1) == 10);
	assert_true(isnan(fleet_group_money_recoverable(NAN, 1)));
	assert_true(isnan(fleet_group_money_recoverable(1, NAN)));
}
