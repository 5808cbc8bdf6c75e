/* Tests of collect/process/reaped_totals.c. */
#include <math.h>
#include <string.h>

#include "collect/process/reaped_totals.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

TEST(they_add_up)
{
	const struct rusage a = {
	    .ru_utime = {1, 500000}, .ru_maxrss = 10, .ru_minflt = 3, .ru_nvcsw = 4};
	const struct rusage b = {
	    .ru_stime = {0, 250000}, .ru_maxrss = 7, .ru_majflt = 1, .ru_nivcsw = 5};
	struct snapshot_totals t = {.cgroup_cpu_s = NAN};
	struct json_write j = {.b = {.s = NULL}};

	reaped_totals_add(&t, &a);
	reaped_totals_add(&t, &b);
	assert_near(t.utime_s, 1.5, 1e-9);
	assert_near(t.stime_s, 0.25, 1e-9);
	assert_near(t.peak_rss_b, 10240, 1e-9);
	assert_near(t.minor_faults + t.major_faults, 4, 1e-9);
	assert_near(t.ctx_voluntary + t.ctx_involuntary, 9, 1e-9);
	t.sampled_cpu_s = 1.75;
	json_write_object(&j, NULL);
	reaped_totals_write(&t, &j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_non_null(strstr(buf_cstr(&j.b), "\"exact_cpu_s\":1.75,\"sampled_cpu_s\":1.75,"
	                                       "\"sampled_cpu_difference\":0"));
	json_write_free(&j);
}

TEST(a_difference_is_said)
{
	static const struct {
		double exact, sampled, difference;
		int notes;
	} cases[] = {{10, 10, 0, 0}, {10, 10.05, 0.005, 0}, {10, 9.8, -0.02, 1}, {0.05, 4, 0, 1},
	             {0, 0, 0, 0},   {0.001, 0.01, 0, 0},   {0, 1, 0, 1}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot_totals t = {.utime_s = cases[i].exact,
		                            .sampled_cpu_s = cases[i].sampled,
		                            .counted_cpu_s = NAN,
		                            .cgroup_cpu_s = NAN};
		struct snapshot s = {.unfinished = false};
		assert_near(reaped_totals_difference(&t), cases[i].difference, 1e-9);
		reaped_totals_notes(&t, &s);
		assert_int_equal(s.notes.n, cases[i].notes);
		snapshot_free(&s);
	}
}

/* The cgroup also has processes that nobody waited for. */
TEST(the_cgroup_knows_better)
{
	struct snapshot_totals t = {.utime_s = 0.05, .sampled_cpu_s = 3.9, .cgroup_cpu_s = 4};

	assert_near(reaped_totals_exact(&t), 4, 1e-9);
	assert_near(reaped_totals_difference(&t), -0.025, 1e-9);
}

/* Their CPU time is the job's, although wait4(2) does not have it. */
TEST(some_that_nobody_waited_for)
{
	static const struct {
		double reaped, sampled, counted, exact;
		const char *note;
	} cases[] = {
	    {0.05, 3.9, NAN, 3.9,
	     "have 0.05 s of CPU time. The total is 3.90 s, which samples saw."},
	    {0.05, 3.9, 4, 4, "The total is 4.00 s, which the kernel's events counted."},
	    /* Stolen time is in what events count. */
	    {3.9, 3.9, 4, 3.9, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot_totals t = {.stime_s = cases[i].reaped,
		                            .sampled_cpu_s = cases[i].sampled,
		                            .counted_cpu_s = cases[i].counted,
		                            .cgroup_cpu_s = NAN};
		struct snapshot s = {.unfinished = false};
		assert_near(reaped_totals_exact(&t), cases[i].exact, 1e-9);
		reaped_totals_notes(&t, &s);
		assert_int_equal(s.notes.n, cases[i].note != NULL);
		if (cases[i].note)
			assert_non_null(strstr(s.notes.v[0], cases[i].note));
		snapshot_free(&s);
	}
}
