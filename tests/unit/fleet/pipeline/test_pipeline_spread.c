/* pipeline_spread: percentiles and shares with numbers by hand, and the proposed ask. */
#include "fleet/pipeline/pipeline_spread.h"
#include "tests/unit/fleet/pipeline_made.h"

#define NEAR 1e-9

/* NumPy: percentile([10, 20, 30, 40], [5, 25, 50, 75, 95]) = 11.5, 17.5, 25, 32.5, 38.5. */
TEST(test_percentiles)
{
	double v[] = {40, 10, 30, 20}, one[] = {7};
	struct pipeline_spread s;

	assert_int_equal(pipeline_spread_of(v, 4, &s), 0);
	assert_int_equal(s.n, 4);
	assert_true(fabs(s.p5 - 11.5) < NEAR && fabs(s.p25 - 17.5) < NEAR);
	assert_true(fabs(s.p50 - 25) < NEAR && fabs(s.p75 - 32.5) < NEAR);
	assert_true(fabs(s.p95 - 38.5) < NEAR && s.min == 10 && s.max == 40);
	assert_int_equal(pipeline_spread_of(one, 1, &s), 0);
	assert_true(s.p5 == 7 && s.p50 == 7 && s.p95 == 7);
	assert_int_equal(pipeline_spread_of(NULL, 0, &s), -1);
	assert_true(s.n == 0 && isnan(s.p50));
}

static void make_use(const struct pipeline *p, size_t process, struct pipeline_use *u)
{
	struct err e = {0};

	assert_int_equal(pipeline_spread_use(p, process, &(struct fleet_policy){0}, u, &e), 0);
}

/* 450 of 4 × 300 CPU seconds, 2 of 8 GiB, 300 of 1,200 s. */
TEST(test_shares)
{
	struct pipeline p;
	struct pipeline_use u;

	MADE_PIPELINE(&p,
	              {.name = "a",
	               .start = 1,
	               .wall_s = 300,
	               .cpu_s = 450,
	               .asked_cpus = 4,
	               .memory_gib = 2,
	               .asked_gib = 8,
	               .asked_time_s = 1200},
	              {.name = "a",
	               .start = 2,
	               .wall_s = 100,
	               .cpu_s = 100,
	               .asked_cpus = 2,
	               .code = 1,
	               .class = CATALOG_FAILED});
	make_use(&p, 0, &u);
	assert_int_equal(u.of[PIPELINE_WALL].n, 1); /* the one that failed is not in it */
	assert_true(fabs(u.of[PIPELINE_CPU_SHARE].p50 - 0.375) < NEAR);
	assert_true(fabs(u.of[PIPELINE_CORES].p50 - 1.5) < NEAR);
	assert_true(fabs(u.of[PIPELINE_MEMORY_SHARE].p50 - 0.25) < NEAR);
	assert_true(fabs(u.of[PIPELINE_TIME_SHARE].p50 - 0.25) < NEAR);
	assert_int_equal(u.of[PIPELINE_READ].n, 0);
	assert_true(u.cpus.least == 2 && u.cpus.most == 4);
	assert_int_equal(u.counted, 1);
	pipeline_free(&p);
}

/* Two cores and 3 GiB each time: the fleet's rule asks for 2 CPUs, and for 3 GiB or more. */
TEST(test_proposal)
{
	struct pipeline p = {0};
	struct pipeline_use u;
	struct err e = {0};

	for (int i = 0; i < 40; i++)
		made_add(&p, &(struct pipeline_made){.name = "a",
		                                     .start = i,
		                                     .wall_s = 600,
		                                     .cpu_s = 1200,
		                                     .asked_cpus = 8,
		                                     .memory_gib = 3,
		                                     .asked_gib = 32});
	assert_int_equal(pipeline_make(&p, &e), 0);
	make_use(&p, 0, &u);
	assert_int_equal(u.counted, 40);
	assert_true(u.proposal.ask.cpus == 2);
	assert_true(u.proposal.ask.memory_b >= 3 * MADE_GIB &&
	            u.proposal.ask.memory_b <= 4 * MADE_GIB);
	assert_true(u.proposal.ask.time_s == 720);
	pipeline_free(&p);
}

/* The latest run was killed at 4 GiB: twice as much. */
TEST(test_killed)
{
	struct pipeline p;
	struct pipeline_use u;

	MADE_PIPELINE(&p, {.name = "a", .start = 1, .wall_s = 60, .memory_gib = 3, .asked_gib = 4},
	              {.name = "a",
	               .start = 2,
	               .wall_s = 60,
	               .memory_gib = 4,
	               .asked_gib = 4,
	               .oom = 1,
	               .code = 137});
	make_use(&p, 0, &u);
	assert_true(u.proposal.ask.memory_b >= 8 * MADE_GIB);
	pipeline_free(&p);
}

/* Nothing is known: nothing is proposed. */
TEST(test_unknown)
{
	struct pipeline p;
	struct pipeline_use u;

	MADE_PIPELINE(&p, {.name = "a", .start = 1, .wall_s = 5, .class = CATALOG_SHORT});
	make_use(&p, 0, &u);
	assert_int_equal(u.counted, 0);
	assert_true(isnan(u.proposal.ask.cpus) && isnan(u.proposal.ask.memory_b) &&
	            isnan(u.proposal.ask.time_s));
	pipeline_free(&p);
}
