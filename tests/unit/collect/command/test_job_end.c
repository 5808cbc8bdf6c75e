/* Tests of collect/command/job_end.c. */
#include <math.h>
#include <string.h>

#include "collect/command/job_end.h"
#include "tests/unit/unit.h"

TEST(lines)
{
	static const struct {
		const char *text;
		bool known;
		enum job_end_id id;
		double v; /* NAN: not known */
	} cases[] = {
	    {"status=256 oom_kills=1\n", true, JOB_END_OOM_KILLS, 1},
	    {"status=256 oom_kills=1\n", true, JOB_END_STATUS, 256},
	    {"oom_kills=1 new=3 status=9", true, JOB_END_STATUS, 9},
	    {"256\n", true, JOB_END_STATUS, 256},
	    {"0", true, JOB_END_STATUS, 0},
	    {"utime_us=1500000\n", true, JOB_END_UTIME, 1.5},
	    {"utime_us=1500000\n", true, JOB_END_STATUS, NAN},
	    {"max_rss=4096\nstatus=1\n", true, JOB_END_STATUS, NAN},
	    {"status=65536\n", false, JOB_END_STATUS, NAN},
	    {"status=-1\n", false, JOB_END_STATUS, NAN},
	    {"status=1x\n", false, JOB_END_STATUS, NAN},
	    {"status=\n", false, JOB_END_STATUS, NAN},
	    {"statuses=1\n", false, JOB_END_STATUS, NAN},
	    {"max_rss=18446744073709551615\n", false, JOB_END_MAX_RSS, NAN},
	    {"\nstatus=1\n", false, JOB_END_STATUS, NAN},
	    {"", false, JOB_END_STATUS, NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct job_end e;
		double v;
		assert_int_equal(job_end_read(cases[i].text, strlen(cases[i].text), &e),
		                 cases[i].known);
		v = e.of[cases[i].id];
		assert_true(isnan(cases[i].v) ? isnan(v) : v == cases[i].v);
	}
}

TEST(there_and_back)
{
	struct job_end e = job_end_none(), back;
	char line[JOB_END_MAX];
	size_t n;

	assert_int_equal(job_end_write(&e, line, sizeof line), 1); /* an empty line: the end */
	for (int i = 0; i < JOB_END_COUNT; i++)
		e.of[i] = 1000000.5 * (i == JOB_END_STATUS ? 0 : 1);
	n = job_end_write(&e, line, sizeof line);
	assert_true(n > 0 && line[n - 1] == '\n');
	assert_true(job_end_read(line, n, &back));
	for (int i = 0; i < JOB_END_COUNT; i++)
		assert_true(fabs(back.of[i] - e.of[i]) <= 1);
	assert_true(back.of[JOB_END_UTIME] == 1000000.5);
	for (size_t size = 1; size <= n; size++)
		assert_int_equal(job_end_write(&e, line, size), 0);
	/* The largest of all fits. */
	for (int i = 0; i < JOB_END_COUNT; i++)
		e.of[i] = 1e9;
	e.of[JOB_END_STATUS] = 65535;
	assert_true(job_end_write(&e, line, sizeof line) > 0);
	/* What cannot be is left out. */
	e = job_end_none();
	e.of[JOB_END_UTIME] = -1;
	e.of[JOB_END_OOM_KILLS] = 2;
	assert_int_equal(job_end_write(&e, line, sizeof line), sizeof "oom_kills=2\n" - 1);
}

TEST(over_memory)
{
	static const struct {
		double status, peak_b, max_rss, above;
		bool is;
	} cases[] = {
	    {9, 101, NAN, 100, true},        {9, 0, 100, 100, true},      {9, 99, 99, 100, false},
	    {9, 101, 101, NAN, false},       {15, 101, 101, 100, false},  {0, 101, 101, 100, false},
	    {137 << 8, 101, NAN, 100, true}, {NAN, 101, 101, 100, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct job_end e = job_end_none();
		e.of[JOB_END_STATUS] = cases[i].status;
		e.of[JOB_END_MAX_RSS] = cases[i].max_rss;
		e.of[JOB_END_KILL_ABOVE] = cases[i].above;
		assert_int_equal(job_end_over_memory(&e, cases[i].peak_b), cases[i].is);
	}
}
