/* fleet_ask: what the next runs should ask for, at each threshold. */
#include <math.h>
#include <string.h>

#include "fleet/groups/fleet_ask.h"
#include "tests/unit/unit.h"

#define MIB 1048576.0
#define GIB 1073741824.0

/* Exact values, each of so many runs and so many seconds in all. */
static struct fleet_weight one(double value, double runs, double seconds)
{
	return (struct fleet_weight){
	    .value = value, .low = value, .high = value, .runs = runs, .sum = seconds};
}

static struct fleet_weights list(struct fleet_weight *v, size_t n)
{
	return (struct fleet_weights){.v = v, .n = n};
}
#define LIST(...)                                                                                  \
	list((struct fleet_weight[]){__VA_ARGS__},                                                 \
	     sizeof((struct fleet_weight[]){__VA_ARGS__}) / sizeof(struct fleet_weight))

static struct fleet_proposal proposal(struct fleet_needs in)
{
	struct fleet_proposal p;

	if (!(in.counted > 0))
		in.counted = fleet_weights_runs(&in.memory);
	fleet_ask_propose(&in, &(struct fleet_policy){0}, &p);
	return p;
}

TEST(test_memory)
{
	const struct {
		struct fleet_weight v[3];
		double most, killed, ask, fails, again, decided;
	} cases[] = {
	    /* ten that are alike: at least the next step */
	    {{one(GIB, 10, 1000)}, 8 * GIB, NAN, 2 * GIB, 0, 8 * GIB, NAN},
	    /* fewer than five: × 1.2, just a step, and just above one */
	    {{one(1024 / 1.2 * MIB, 3, 30)}, 8 * GIB, NAN, GIB, 0, 8 * GIB, NAN},
	    {{one(1024.1 / 1.2 * MIB, 3, 30)}, 8 * GIB, NAN, 2 * GIB, 0, 8 * GIB, NAN},
	    /* one of 200 fails, however long it is */
	    {{one(10 * GIB, 199, 1990), one(30 * GIB, 1, 4000)},
	     64 * GIB,
	     NAN,
	     11 * GIB,
	     1,
	     64 * GIB,
	     NAN},
	    /* killed at 8 GiB of 8, and others finished since: more than was ever asked for */
	    {{one(5 * GIB, 90, 90), one(8 * GIB, 10, 10)}, 8 * GIB, NAN, 9 * GIB, 0, 9 * GIB, NAN},
	    /* the latest were killed there: twice as much */
	    {{one(5 * GIB, 90, 90), one(8 * GIB, 10, 10)},
	     8 * GIB,
	     8 * GIB,
	     16 * GIB,
	     0,
	     16 * GIB,
	     8 * GIB},
	    /* twice is less than what others need */
	    {{one(4 * GIB, 1, 1), one(20 * GIB, 5, 5)},
	     32 * GIB,
	     4 * GIB,
	     23 * GIB,
	     0,
	     32 * GIB,
	     NAN},
	    /* more used than asked for: a repeated run needs at least that */
	    {{one(1 * GIB, 999, 199), one(7 * GIB, 1, 1)}, 2 * GIB, NAN, 2 * GIB, 1, 7 * GIB, NAN},
	    /* nobody knows what was asked for */
	    {{one(1 * GIB, 999, 199), one(7 * GIB, 1, 1)}, NAN, NAN, 2 * GIB, 1, 7 * GIB, NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fleet_weight v[3];
		struct fleet_needs in = {.memory = {v, 0, 0},
		                         .most_memory_b = cases[i].most,
		                         .today_memory_b = NAN,
		                         .killed_b = cases[i].killed};
		struct fleet_proposal p;
		memcpy(v, cases[i].v, sizeof v);
		while (in.memory.n < 3 && v[in.memory.n].runs > 0)
			in.memory.n++;
		p = proposal(in);
		assert_true(p.ask.memory_b == cases[i].ask);
		assert_true(p.fail_memory == cases[i].fails);
		assert_true(p.again_b == cases[i].again);
		assert_true(isnan(cases[i].decided) ? p.memory.killed_b == 0
		                                    : p.memory.killed_b == cases[i].decided);
		assert_true(isnan(p.ask.cpus) && isnan(p.ask.gpus) && isnan(p.ask.time_s));
	}
}

/* Killed with less than the ask: nobody knows, so they count as failed. One of 20 that was killed calls
 * for twice the largest limit. */
TEST(test_unknown)
{
	struct fleet_weight v[] = {one(4 * GIB, 6, 6), one(8 * GIB, 3, 3)};
	struct fleet_needs in = {.memory = {v, 2, 0},
	                         .most_memory_b = 8 * GIB,
	                         .killed_b = NAN,
	                         .killed_most_b = 8 * GIB};
	struct advice a;
	struct fleet_proposal p;

	v[0].killed = 2;
	v[1].killed = 3;
	p = proposal(in);
	assert_true(p.unknown == 5 && p.fail_memory == 5 && p.ask.memory_b == 16 * GIB);
	fleet_ask_advice(&p, &a);
	assert_string_equal(a.memory_formula,
	                    "step(8192.00 MiB, the largest limit that killed 5 of 9 runs, × 2 = "
	                    "16384.00 MiB) = 16384 MiB");
	v[0].runs = 96; /* 5 of 99 are one of 20 */
	assert_true(proposal(in).ask.memory_b == 16 * GIB);
	v[0].runs = 98;
	assert_true(proposal(in).ask.memory_b < 8 * GIB);
	assert_true(proposal(in).unknown == 2 && proposal(in).fail_memory == 5);
}

/* Where the rule did worse on the later half than the largest need × 1.2, that is proposed. */
TEST(test_lost)
{
	struct fleet_weight q[4][2] = {{one(4 * GIB, 16, 16), one(20 * GIB, 2, 2)},
	                               {one(4 * GIB, 16, 16), one(20 * GIB, 2, 2)},
	                               {one(4 * GIB, 16, 16), one(20 * GIB, 2, 2)},
	                               {one(4 * GIB, 16, 16), one(20 * GIB, 2, 2)}};
	struct fleet_needs in = {.memory = LIST(one(4 * GIB, 64, 64), one(20 * GIB, 8, 8)),
	                         .today_memory_b = 64 * GIB,
	                         .most_memory_b = 64 * GIB,
	                         .killed_b = NAN,
	                         .killed_most_b = NAN};
	struct fleet_proposal p;
	struct advice a;

	for (int i = 0; i < FLEET_QUARTERS; i++)
		in.quarters.of[i] = (struct fleet_weights){.v = q[i], .n = 2};
	p = proposal(in);
	assert_true(p.backtest.lost && p.memory.plain);
	assert_true(p.ask.memory_b == 24 * GIB && p.backtest.ask_b == 24 * GIB);
	fleet_ask_advice(&p, &a);
	assert_string_equal(
	    a.memory_formula,
	    "step(20480.00 MiB, the largest of 72 runs, × 1.2) = 24576 MiB: weighing "
	    "waste against failures did worse in the back-test");
	/* Who asks with care pays for failures that no history has shown. */
	fleet_ask_propose(&in, &(struct fleet_policy){.lambda = MEMORY_RULE_CAREFUL}, &p);
	assert_true(!p.backtest.lost && p.ask.memory_b > 24 * GIB);
}

/* A need of just the ask fits; a bucket that reaches beyond it does not. */
TEST(test_what_fails)
{
	struct fleet_weight exact = one(2 * GIB, 1, 1), bucket = exact;

	bucket.high = 2.01 * GIB;
	assert_false(fleet_weights_fails(&exact, 2 * GIB));
	assert_true(fleet_weights_fails(&exact, 1.999 * GIB));
	assert_true(fleet_weights_fails(&bucket, 2 * GIB));
	assert_false(fleet_weights_fails(&bucket, 2.01 * GIB));
	assert_false(fleet_weights_fails(&exact, NAN));
}

TEST(test_cpus)
{
	const struct {
		double low, high, n_high, cpus;
	} cases[] = {
	    {0.1, 0.2, 0, 1}, {1, 1.4999, 6, 1}, {1, 1.5, 6, 2}, {1, 2.5, 6, 3},     {1, 7, 5, 1},
	    {1, 7, 6, 7},     {3.4, 9, 5, 3},    {0, 0, 0, 1},   {2e7, 3e7, 0, 1e6},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fleet_needs in = {
		    .memory = LIST(one(GIB, 100, 100)),
		    .cores = LIST(one(cases[i].low, 100 - cases[i].n_high, 0),
		                  one(cases[i].high, cases[i].n_high, 0)),
		};
		assert_true(proposal(in).ask.cpus == cases[i].cpus);
	}
}

TEST(test_gpus)
{
	const struct {
		double low, high, n_high, gpus;
	} cases[] = {
	    {0, 0, 0, 0},      {0, 0.3, 1, 1}, /* used by one run of 100 */
	    {0.4, 0.4, 50, 1}, {1, 1, 50, 1},  {1, 1.01, 5, 1},
	    {1, 1.01, 6, 2},   {3, 8, 6, 8},   {2e7, 2e7, 50, 1e6},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fleet_needs in = {
		    .memory = LIST(one(GIB, 100, 100)),
		    .gpus = LIST(one(cases[i].low, 100 - cases[i].n_high, 0),
		                 one(cases[i].high, cases[i].n_high, 0)),
		};
		if (!(cases[i].n_high > 0))
			in.gpus.n = 1;
		assert_true(proposal(in).ask.gpus == cases[i].gpus);
	}
}

/* What is known of fewer than 95 % of the runs says nothing of the others. */
TEST(test_enough_is_known)
{
	struct fleet_needs in = {.memory = LIST(one(GIB, 100, 100)),
	                         .cores = LIST(one(3, 95, 0)),
	                         .gpus = LIST(one(1, 94, 0)),
	                         .counted = 100};
	struct fleet_proposal p = proposal(in);

	assert_true(p.ask.cpus == 3);
	assert_true(isnan(p.ask.gpus));
	in.gpus.n = 0;
	assert_true(isnan(proposal(in).ask.gpus));
	in.counted = 10000;
	in.cores.v[0].runs = 9499;
	assert_true(isnan(proposal(in).ask.cpus));
	in.cores.v[0].runs = 9500;
	assert_true(proposal(in).ask.cpus == 3);
}

TEST(test_time)
{
	const struct {
		double p99, max, time, fails;
	} cases[] = {
	    {50, 50, 60, 0},    {50.1, 50.1, 120, 0}, {1, 1, 60, 0},
	    {100, 120, 120, 0}, {100, 121, 120, 1},   {1e12, 1e12, 315360000, 200},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fleet_needs in = {
		    .memory = LIST(one(GIB, 200, 200)),
		    .wall = LIST(one(cases[i].p99, 199, 0), one(cases[i].max, 1, 0)),
		};
		struct fleet_proposal p = proposal(in);
		assert_true(p.ask.time_s == cases[i].time);
		assert_true(p.fail_time == cases[i].fails);
		assert_true(p.wall_p99_s == cases[i].p99);
	}
}

/* By the time with other CPUs; but not where runs needed more than they had asked for, and only if it
 * is known of nearly all hours. */
TEST(test_cpus_by_time)
{
	struct fleet_needs in = {.cores = LIST(one(3.2, 20, 0)),
	                         .wall = LIST(one(100, 20, 0)),
	                         .counted = 20,
	                         .wall_s = 1000,
	                         .today_cpus = 8,
	                         .times = {.known_s = 960, .asked_s = 960},
	                         .most_memory_b = NAN,
	                         .killed_b = NAN};
	struct fleet_proposal p;
	struct advice a;

	for (int i = 0; i < CATALOG_TIMES; i++)
		in.times.at[i] = 960 * (i < 2 ? 2 - 0.5 * i : 1);
	p = proposal(in); /* 1.5 × as long with 2, 1 with 4, and 1 + 1/6 on the line with 3 */
	assert_true(p.ask.cpus == 4 && p.slowdown == FLEET_TIME_SLOWDOWN && p.longer == 1);
	assert_true(p.ask.time_s == 120);
	fleet_ask_advice(&p, &a);
	assert_string_equal(a.cpu_formula, "the fewest with which the runs take at most 10% longer "
	                                   "than with those asked for: 4 CPUs, 1 × as long");
	fleet_ask_propose(&in, &(struct fleet_policy){.slowdown = 0.2}, &p);
	assert_true(p.ask.cpus == 3 && fabs(p.longer - 7 / 6.) < 1e-9);
	assert_true(p.ask.time_s == 180); /* 100 s × 1.17 × 1.2 */
	in.today_cpus = 2;
	p = proposal(in);
	assert_true(p.ask.cpus == 3 && isnan(p.slowdown) && p.longer > 1);
	in.today_cpus = 8;
	in.times.known_s = 940;
	p = proposal(in);
	assert_true(p.ask.cpus == 3 && isnan(p.slowdown) && isnan(p.longer));
}

/* Of most runs the peak is a lower bound, which is in no list. */
TEST(test_bounds)
{
	struct fleet_proposal p = proposal((struct fleet_needs){
	    .counted = 100, .memory = LIST(one(GIB, 94, 94)), .most_memory_b = 8 * GIB});

	assert_true(isnan(p.ask.memory_b) && p.fail_memory == 0 && p.unknown == 0);
	p = proposal((struct fleet_needs){.counted = 100, .memory = LIST(one(GIB, 95, 95))});
	assert_true(p.ask.memory_b == 2 * GIB);
}

/* Runs that were mostly short of CPU lose none that they asked for and would have used. */
TEST(test_cpus_of_starved_runs)
{
	struct fleet_needs in = {.cores = LIST(one(0.5, 9, 0), one(4, 11, 0)),
	                         .counted = 20,
	                         .wall_s = 960,
	                         .today_cpus = 8,
	                         .used_cores = 1.2,
	                         .times = {.known_s = 960, .asked_s = 960},
	                         .most_memory_b = NAN,
	                         .killed_b = NAN};
	struct fleet_proposal p;
	struct advice a;

	for (int i = 0; i < CATALOG_TIMES; i++)
		in.times.at[i] = 960;
	p = proposal(in);
	assert_true(p.ask.cpus == 4 && p.kept);
	fleet_ask_advice(&p, &a);
	assert_string_equal(a.cpu_formula,
	                    "the fewest with which the runs take at most 5% longer than with those "
	                    "asked for, but no fewer than most of them would have used: 4 CPUs, 1 "
	                    "× as long");
	in.today_cpus = 2; /* what they needed is more than was asked for */
	in.cores = LIST(one(1.9, 20, 0));
	p = proposal(in);
	assert_true(p.ask.cpus == 2 && p.kept);
	in.used_cores = 1.8; /* they had nearly all of it */
	p = proposal(in);
	assert_true(p.ask.cpus == 1 && !p.kept);
	in.times.at[0] = 1018; /* 6 % longer with 1: less than --slowdown, and felt */
	p = proposal(in);
	assert_true(p.ask.cpus == 1 && !p.kept && p.slowdown == 0.1);
	in.cores = LIST(one(0.9, 20, 0));
	in.used_cores = 0.2;
	p = proposal(in);
	assert_true(p.ask.cpus == 2 && !p.kept && p.slowdown == 0.05 && p.longer == 1);
}

TEST(test_nothing_is_known)
{
	struct fleet_proposal p =
	    proposal((struct fleet_needs){.most_memory_b = NAN, .killed_b = NAN});
	struct advice a;

	assert_true(isnan(p.ask.memory_b) && isnan(p.ask.cpus) && isnan(p.ask.time_s) &&
	            isnan(p.ask.gpus));
	assert_true(p.fail_memory == 0 && p.fail_time == 0);
	fleet_ask_advice(&p, &a);
	assert_false(advice_known(a.memory_formula) || advice_known(a.cpu_formula) ||
	             advice_known(a.gpu_formula) || advice_known(a.time_formula) ||
	             advice_known(a.vram_formula));
}

TEST(test_advice)
{
	struct fleet_needs in = {.memory = LIST(one(10 * GIB, 199, 1990), one(30 * GIB, 1, 4000)),
	                         .wall = LIST(one(100, 200, 0)),
	                         .cores = LIST(one(0.7, 200, 0)),
	                         .gpus = LIST(one(1.5, 200, 0)),
	                         .most_memory_b = 64 * GIB,
	                         .killed_b = 10 * GIB};
	struct fleet_proposal p = proposal(in);
	struct advice a;

	fleet_ask_advice(&p, &a);
	assert_int_equal(a.memory_mib, 20480);
	assert_string_equal(
	    a.memory_formula,
	    "step(10240.00 MiB, the limit that killed the latest runs, × 2 = 20480.00 MiB) = 20480 MiB");
	assert_int_equal(a.cpu, 1);
	assert_string_equal(a.cpu_formula,
	                    "max(1, round(0.70 cores, the p95 of runs)) = 1 CPU; the time with "
	                    "other CPUs is unknown");
	assert_int_equal(a.gpu, 2);
	assert_string_equal(a.gpu_formula,
	                    "max(1, 1.50 GPUs at the peak, the p95 of runs, rounded up) = 2 GPUs");
	assert_int_equal(a.time_min, 2);
	assert_string_equal(
	    a.time_formula,
	    "whole minutes of (100.00 s, the p99 of runs, × 1.2 = 120.00 s) = 2 min");
	assert_int_equal(a.nodes, 0);
	in.killed_b = NAN;
	in.gpus.v[0].value = 0;
	p = proposal(in);
	fleet_ask_advice(&p, &a);
	assert_string_equal(
	    a.memory_formula,
	    "of 200 runs, of which the largest needs 30720.00 MiB, a run needs more than 11264 MiB with "
	    "a chance of 0.6%: what costs least if a failed run is worth 20 runs; too few runs to try "
	    "that on their later half, as the report of one job does run by run");
	assert_int_equal(a.gpu, 0);
	assert_true(advice_known(a.gpu_formula));
	assert_string_equal(a.gpu_formula, "no run used any GPU: 0 GPUs");
}
