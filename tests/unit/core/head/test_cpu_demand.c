/* cpu_demand: what a run loses to waits for a CPU, and what it would have used without them. */
#include <math.h>

#include "core/head/cpu_demand.h"
#include "core/head/snapshot_head.h"
#include "core/numbers/time_at.h"
#include "core/recording/states.h"
#include "tests/unit/unit.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 0.005;
}

static void set(struct stats *stats, enum states_id state, double s)
{
	stats[states_metric(state)] = (struct stats){.n = 1, .sum = s};
}

/* Seconds of CPU time, of waits of all threads, of the whole; of the job's states: a thread on a
 * CPU, none and one could be. */
static double demand(double cpu_s, double waited, double wall_s, double ran_s, double stood_s)
{
	struct snapshot s = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	double lost;

	for (int i = 0; i < METRIC_COUNT; i++)
		stats[i] = stats_none();
	if (ran_s + stood_s > 0) {
		set(stats, STATES_CPU, ran_s);
		set(stats, STATES_CPU_WAIT, stood_s);
	}
	snapshot_head_defaults(&s);
	lost = cpu_demand_lost(&s, stats, cpu_s / wall_s, waited, wall_s);
	snapshot_free(&s);
	return cpu_demand_cores(cpu_s / wall_s, lost);
}

TEST(the_wait_that_goes_shortens_the_run)
{
	/* 0.3 s of CPU and a sleep of 2 s on a busy machine: 0.3 s of 2.3 s */
	assert_true(near(demand(0.3, 4.37, 6.67, 0.3, 4.37), 0.13));
	/* four threads on two CPUs: half as long on four; with a sleep as long as that */
	assert_true(near(demand(20, 20, 10, 10, 0), 4));
	assert_true(near(demand(20, 20, 20, 10, 0), 20 / 15.));
	/* sixty-four threads that wait for 20 ms once, at the same time */
	assert_true(near(demand(0.64, 1.28, 10, 0.02, 0.04), 0.064));
	/* one at a time */
	assert_true(near(demand(1, 1, 2, 1, 1), 1));
	/* without states: not more than with one thread at a time, or all at once */
	assert_true(near(demand(0.5, 8, 10, 0, 0), 0.25));
	assert_true(near(demand(20, 20, 10, 0, 0), 4));
	assert_true(near(demand(5, 0, 10, 0, 0), 0.5));
	/* no thread ran for most of the time, and one could have: more than the samples' sums say */
	assert_true(near(demand(1, 0, 10, 1, 8), 0.5));
	assert_true(isnan(demand(1, NAN, 10, 1, 8)));
	assert_true(demand(0, 0, 10, 0, 0) == 0);
}

/* Samples say when it waited: here not while eight threads ran. */
TEST(samples_decide)
{
	struct snapshot s = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	struct time_at samples = {0};

	for (int i = 0; i < METRIC_COUNT; i++)
		stats[i] = stats_none();
	snapshot_head_defaults(&s);
	s.time_at = &samples;
	for (int i = 0; i < 20; i++)
		time_at_add(&samples, &(struct time_at_sample){.h = 1,
		                                               .c = i < 10 ? 8 : 0.5,
		                                               .w = i < 10 ? 0 : 0.5,
		                                               .w_most = NAN,
		                                               .b = 1,
		                                               .b_least = NAN,
		                                               .b_most = NAN});
	assert_true(near(cpu_demand_lost(&s, stats, 4.25, 5, 20), 0.25));
	s.time_at = NULL;
	snapshot_free(&s);
}

TEST(short_of_cpu)
{
	assert_true(cpu_demand_starved(5, 5, 0.5) == 0.5);
	assert_true(cpu_demand_starved(5, 5, 0.04) == 0); /* not felt */
	assert_true(cpu_demand_starved(5, 1, 0.1) == 0);  /* hardly slower */
	assert_true(cpu_demand_starved(0, 0, 0) == 0);
	assert_true(cpu_demand_starved(5, NAN, NAN) == 0);
	assert_true(cpu_demand_starved_row(1, 2) == 0.5);
	assert_true(cpu_demand_starved_row(1, 1.2) == 0);
	assert_true(cpu_demand_starved_row(1, NAN) == 0);
}
