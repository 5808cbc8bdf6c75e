/* Tests of collect/events/perf_cost.c. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/events/perf_cost.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

/* Looks once a second at a job that uses so much CPU time on two CPUs, until it loses too much.
 * Seconds, at most 60; 0: never. */
static int lasts_of(double used_ns, double forks, double switches, int events,
                    enum perf_cost_why expected)
{
	struct perf_cost c;
	double per_s;

	perf_cost_begin(&c, 7 * S);
	for (int s = 1; s <= 60; s++) {
		enum perf_cost_why why;
		c.forks = forks;
		c.switches = switches;
		why = perf_cost_charge(&c, &(struct perf_cost_use){(7 + s) * S, used_ns, 2, events},
		                       &per_s);
		if (why == PERF_COST_FINE)
			continue;
		assert_int_equal(why, expected);
		assert_true(per_s == (why == PERF_COST_FORKS ? forks : switches));
		return s;
	}
	return 0;
}

/* A job of one core. */
static int lasts(double forks, double switches, int events, enum perf_cost_why expected)
{
	return lasts_of(1e9, forks, switches, events, expected);
}

TEST(a_build_goes_on)
{
	assert_int_equal(lasts(40, 1000, 4, PERF_COST_FINE), 0);
	/* What it costs grows with the events. */
	assert_int_equal(lasts(80, 1000, 4, PERF_COST_FINE), 0);
	assert_in_range(lasts(80, 1000, 32, PERF_COST_FORKS), 2, 6);
}

TEST(a_storm_ends_soon)
{
	assert_in_range(lasts(1000, 5000, 4, PERF_COST_FORKS), 1, 2);
}

TEST(switches_end_soon_or_later)
{
	assert_int_equal(lasts(1, 300000, 4, PERF_COST_SWITCHES), 1);
	/* They cost less than a hundredth, and yet … */
	assert_int_equal(lasts(1, 2 * PERF_COST_RATE + 1, 4, PERF_COST_SWITCHES), PERF_COST_S);
	/* … beside forks that cost more, which are not the reason. */
	assert_int_equal(lasts(150, 2 * PERF_COST_RATE + 1, 4, PERF_COST_SWITCHES), PERF_COST_S);
	assert_int_equal(lasts(1, 2 * PERF_COST_RATE - 1, 4, PERF_COST_SWITCHES), 0);
}

TEST(what_a_switch_costs_grows_with_the_events)
{
	assert_int_equal(lasts_of(5e8, 1, 3900, 4, PERF_COST_SWITCHES), 0);
	assert_in_range(lasts_of(5e8, 1, 3900, 32, PERF_COST_SWITCHES), 3, 10);
}

TEST(looks_come_sooner_while_it_is_near)
{
	struct perf_cost c;
	struct perf_cost_use u = {.now = 7 * S + 250 * MS, .cpus = 2, .events = 4};
	double per_s;

	perf_cost_begin(&c, 7 * S);
	assert_true(c.due == 7 * S + 250 * MS);
	assert_int_equal(perf_cost_charge(&c, &u, &per_s), PERF_COST_FINE);
	assert_true(c.due == u.now + 500 * MS);
	c.forks = 400;
	assert_true(perf_cost_is_worth(&c, 4));
	assert_int_equal(perf_cost_charge(&c, &u, &per_s), PERF_COST_FINE);
	assert_true(c.due == u.now + 250 * MS);
}

static void write_slices(const char *dir, int tid, int slices)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/proc/9/task/%d", dir, tid);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/proc/9/task/%d/schedstat", dir, tid);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "1000 2000 %d\n", slices);
	fclose(f);
}

/* Of two threads that live on, and one that has begun. */
TEST(counts_the_switches_of_threads_that_live)
{
	char dir[] = "/tmp/test_perf_cost.XXXXXX", path[256];
	struct perf_cost c;
	struct root r;
	double per_s;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/proc", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/proc/9", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/proc/9/task", dir);
	mkdir(path, 0700);
	write_slices(dir, 9, 100);
	write_slices(dir, 10, 1000);
	r = open_root(dir);
	perf_cost_begin(&c, 7 * S);
	assert_true(perf_cost_count(&c, &r, 9));
	assert_true(c.switches == 1100);
	(void)perf_cost_charge(&c, &(struct perf_cost_use){8 * S, 0, 2, 4}, &per_s);
	write_slices(dir, 9, 150);
	write_slices(dir, 11, 3);
	assert_true(perf_cost_count(&c, &r, 9) && !(c.switches < 53) && !(c.switches > 53));
	root_close(&r);
	snprintf(path, sizeof path, "rm -r %s", dir);
	assert_int_equal(system(path), 0);
}
