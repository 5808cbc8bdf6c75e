/* bottleneck: causes as shares of the run's time, and which one is the largest. */
#include <math.h>

#include "report/stats/bottleneck.h"
#include "tests/unit/unit.h"

/* Ten seconds of a job that used one core on average, on a machine of 4 CPUs and 8 GiB. */
static struct run job_of_ten_seconds(void)
{
	static struct stats stats[METRIC_COUNT];
	struct run run = {.duration = 10, .samples = 10, .stats = stats};

	for (int id = 0; id < METRIC_COUNT; id++)
		run.stats[id] = stats_none();
	run.stats[METRIC_PROCESS_CPU_USAGE] = (struct stats){.n = 10, .mean = 1, .max = 1};
	run.stats[METRIC_SYSTEM_CPU_USAGE] = (struct stats){.n = 10, .mean = 1, .max = 1};
	run.snapshot.server.known = true;
	run.snapshot.server.vcpus = 4;
	run.snapshot.server.memory_b = 8589934592.0;
	return run;
}

TEST(test_nothing)
{
	struct run run = job_of_ten_seconds();

	for (int cause = 0; cause < BOTTLENECK_NONE; cause++)
		assert_true(bottleneck_share((enum bottleneck)cause, &run) == 0);
	assert_int_equal(bottleneck_largest(&run, BOTTLENECK_QUOTA, BOTTLENECK_NONE),
	                 BOTTLENECK_NONE);
}

TEST(test_quota)
{
	struct run run = job_of_ten_seconds();

	run.stats[METRIC_SYSTEM_THROTTLED] = (struct stats){.n = 10, .sum = 0.4};
	assert_true(bottleneck_throttled_s(&run) == 0); /* not felt */
	run.stats[METRIC_SYSTEM_THROTTLED].sum = 4;
	assert_true(bottleneck_throttled_s(&run) == 4);
	assert_true(bottleneck_share(BOTTLENECK_QUOTA, &run) == 0.4);
	run.stats[METRIC_SYSTEM_THROTTLED].sum = 40; /* on several CPUs */
	assert_true(bottleneck_share(BOTTLENECK_QUOTA, &run) == 1);
}

/* Two accounts of one wait are one number; threads that wait at the same time are not. */
TEST(one_wait)
{
	struct run run = job_of_ten_seconds();

	run.snapshot.totals.known = true;
	run.snapshot.totals.cpu_wait_s = 1.15;
	run.snapshot.totals.cgroup_cpu_some_s = NAN;
	assert_true(bottleneck_waited_least_s(&run) == 1.15);
	run.snapshot.states.known = true;
	run.snapshot.states.of[STATES_CPU].value = 8.86;
	run.snapshot.states.of[STATES_CPU_WAIT].value = 1.14;
	assert_true(bottleneck_waited_least_s(&run) == 1.14);
	run.snapshot.totals.cpu_wait_s = 5;
	assert_true(bottleneck_waited_least_s(&run) == 5);
}

/* A wait is an effect of the quota; and the largest cause wins. */
TEST(test_largest)
{
	struct run run = job_of_ten_seconds();

	run.snapshot.totals.known = true;
	run.snapshot.totals.cpu_wait_s = 10;
	run.snapshot.totals.cgroup_cpu_some_s = NAN;
	assert_true(bottleneck_starved(&run) == 0.5);
	assert_true(bottleneck_wanted_cores(&run) == 2);
	assert_true(bottleneck_cpus_short(&run));
	/* A tenth of a second of an idle job. */
	run.stats[METRIC_PROCESS_CPU_USAGE].mean = 0.001;
	run.duration = 2;
	run.snapshot.totals.cpu_wait_s = 0.12;
	assert_true(bottleneck_starved(&run) == 0);
	run.snapshot.totals.cpu_wait_s = 1.2;
	assert_true(bottleneck_starved(&run) > 0.9);
	run.stats[METRIC_PROCESS_CPU_USAGE].mean = 1;
	run.duration = 10;
	run.snapshot.totals.cpu_wait_s = 10;
	run.stats[METRIC_SYSTEM_CPU_STEAL] = (struct stats){.n = 10, .mean = 0.25};
	assert_true(bottleneck_share(BOTTLENECK_STOLEN, &run) == 0.2);
	assert_int_equal(bottleneck_largest(&run, BOTTLENECK_QUOTA, BOTTLENECK_NONE),
	                 BOTTLENECK_CPU_WAIT);
	run.stats[METRIC_SYSTEM_THROTTLED] = (struct stats){.n = 10, .sum = 1};
	assert_true(bottleneck_share(BOTTLENECK_CPU_WAIT, &run) == 0);
	assert_int_equal(bottleneck_largest(&run, BOTTLENECK_QUOTA, BOTTLENECK_NONE),
	                 BOTTLENECK_STOLEN);
}
