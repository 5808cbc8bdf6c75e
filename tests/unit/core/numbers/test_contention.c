/* contention: waits for others, and not for a quota or for the job's own threads. */
#include <math.h>

#include "core/head/time_at_rows.h"
#include "core/numbers/contention.h"
#include "tests/unit/unit.h"

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

TEST(waited)
{
	static const struct {
		struct contention_sample s;
		double expected;
	} cases[] = {
	    /* cpus, machine, used, waited, all_used, steal */
	    {{2, 2, 1, 0, 1.1, 0}, 0},         /* alone */
	    {{2, 2, 0.5, 0.5, 2, 0}, 0.5},     /* one thread, three burners */
	    {{2, 2, 2, 6, 2, 0}, 0},           /* eight threads of its own */
	    {{2, 2, 1.8, 6.2, 2, 0}, 0.1},     /* the same beside a little else */
	    {{64, 64, 63.2, 0.8, 64, 0}, 0.8}, /* a barrier waits for one thread */
	    {{8, 8, 7, 9, 8, 0}, 1 / 8.0},     /* 16 threads beside one burner */
	    {{1, 8, 1, 1, 8, 0}, 0},           /* pinned to one CPU that is its own */
	    {{1, 8, 0.5, 0.5, 8, 0}, 0.5},     /* pinned beside a burner */
	    {{8, 8, 0.5, 0.5, 3, 0}, 0},       /* CPUs are free: a hidden quota */
	    {{8, 8, 0.1, 9, 8, 0}, 1},         /* never more than the sample */
	    {{8, 64, 7.5, 0.4, 63.5, 0}, 0},   /* others on the CPUs that the job may not use */
	    {{8, 64, 7.5, 0.4, 63.8, 0}, 0.3}, /* one of them on the job's */
	    {{2, 2, 1.8, 0.2, 1.94, 0}, 0},    /* the kernel and the recorder */
	    {{2, 2, 0.5, NAN, 2, 0}, NAN},     /* not measured */
	    {{2, NAN, 0.5, 0.5, 2, 0}, NAN},   /* where others could run is not known */
	    {{NAN, 2, 0.5, 0.5, 2, 0}, NAN},   /* how many CPUs is not known */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double share = contention_waited(&cases[i].s);
		if (isnan(cases[i].expected))
			assert_true(isnan(share));
		else
			assert_true(is_near(share, cases[i].expected));
	}
}

TEST(stolen)
{
	struct contention_sample s = {2, 2, 1, 0, 1.9, 0.1};

	assert_true(is_near(contention_stolen(&s), 0.05));
	s.all_used = 0.2; /* a machine with little to do loses the steal alone */
	assert_true(is_near(contention_stolen(&s), 0.1));
	s.steal = NAN;
	assert_true(contention_stolen(&s) == 0);
}

TEST(is)
{
	assert_false(contention_is(5, 2, 100));
	assert_true(contention_is(5.01, 0, 100));
	assert_true(contention_is(0, 2.01, 100));
	assert_false(contention_is(NAN, NAN, 100));
	assert_false(contention_is(1, 1, NAN));
}

/* A thread that a quota stopped waits as well. */
TEST(quota)
{
	struct time_at_rows all = {.cpus = 2, .machine = 2, .states = true};
	double cell[TIME_AT_CELLS] = {[TIME_AT_CPU_USAGE] = 0.5,
	                              [TIME_AT_CPU_WAIT] = 0.5,
	                              [TIME_AT_STATE_CPU] = 0.5,
	                              [TIME_AT_THROTTLED] = 0.5,
	                              [TIME_AT_MACHINE_CPU_USAGE] = 2};
	struct time_at t = {0};
	struct time_at_sample sample = time_at_rows_sample(&all, cell, 1);

	assert_true(sample.contended == 0);
	cell[TIME_AT_THROTTLED] = 0;
	for (int i = 0; i < 10; i++) {
		sample = time_at_rows_sample(&all, cell, 2);
		time_at_add(&t, &sample);
	}
	assert_true(time_at_contention_known(&t));
	assert_true(is_near(t.contended_s, 5));
	cell[TIME_AT_CPU_WAIT] = NAN;
	for (int i = 0; i < 3; i++) {
		sample = time_at_rows_sample(&all, cell, 2);
		time_at_add(&t, &sample);
	}
	assert_false(time_at_contention_known(&t)); /* a fifth was not measured */
}

/* What the pressure of the cgroup adds is the job's own queue. */
TEST(pressure)
{
	struct time_at_rows all = {.cpus = 2, .machine = 2, .states = true, .more_wait = 0.5};
	double cell[TIME_AT_CELLS] = {[TIME_AT_CPU_USAGE] = 1.5,
	                              [TIME_AT_CPU_WAIT] = 0.02,
	                              [TIME_AT_STATE_CPU] = 1,
	                              [TIME_AT_MACHINE_CPU_USAGE] = 2};
	struct time_at_sample sample = time_at_rows_sample(&all, cell, 1);

	assert_true(is_near(sample.contended, 0.02));
	assert_true(is_near(sample.w, 0.77));
}
