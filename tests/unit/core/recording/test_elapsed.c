/* elapsed: the time that each row of a recording represents. */
#include <math.h>
#include <stdlib.h>

#include "core/recording/elapsed.h"
#include "tests/unit/unit.h"

#define MAX 8

static void add(struct snapshot *s, enum metric_id id, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(frame_push(&s->rows[metrics[id].scope], id, v[i], NULL), 0);
}

/* An interval of 1 s everywhere. start NAN: not told. */
TEST(rows)
{
	static const struct {
		bool own;
		double start, t[MAX];
		size_t n;
		double want[MAX];
	} cases[] = {
	    /* Our own: the early rows of a short run, and a slot that was skipped. */
	    {true, 100, {100.05, 100.1, 100.2, 100.5, 101.5}, 5, {0.05, 0.05, 0.1, 0.3, 1}},
	    {true, 100, {101, 102, 104, 104.5}, 4, {1, 1, 2, 0.5}},
	    {true, 100, {104, 105}, 2, {4, 1}},
	    {true, NAN, {101, 102}, 2, {1, 1}},
	    /* Time stamps that do not say it: the interval. */
	    {true, 100, {101, NAN, 103, 103, 102}, 5, {1, 1, 1, 1, 1}},
	    {true, 200, {101, 102}, 2, {1, 1}},
	    /* Other tools': their jitter is not a row's length, nor is their start. */
	    {false, 100, {101, 102.05, 103.0, 104}, 4, {1, 1, 1, 1}},
	    {false, 100, {100.3, 101.3}, 2, {0.3, 1}},
	    {false, 100, {101, 102, 105, 105.5}, 4, {1, 1, 3, 0.5}},
	    {false, 50, {101, 102}, 2, {1, 1}},
	    {false, 101, {101, 102}, 2, {1, 1}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s = {.meta = {.start_time = cases[i].start, .interval = 1},
		                     .job.known = cases[i].own};
		struct elapsed_rows r;
		double *all;
		add(&s, METRIC_PROCESS_TIMESTAMP, cases[i].t, cases[i].n);
		assert_int_equal(frame_square(&s.rows[METRIC_SCOPE_PROCESS], NULL), 0);
		r = elapsed_rows(&s, METRIC_SCOPE_PROCESS);
		all = elapsed_all(&r, NULL);
		assert_non_null(all);
		for (size_t k = 0; k < cases[i].n; k++)
			if (fabs(all[k] - cases[i].want[k]) > 1e-9)
				fail_msg("case %zu, row %zu: %g", i, k, all[k]);
		free(all);
		snapshot_free(&s);
	}
}

/* 3,600 s of sleep and one awake; in the row after it an hour in which nothing slept. */
TEST(a_suspension)
{
	static const double t[] = {101, 3702, 7302}, utime[] = {0.2, 0.2, 720},
			    stime[] = {0.05, 0.05, 180}, cores[] = {0.25, 0.25, 0.25};
	struct snapshot s = {.meta = {.start_time = 100, .interval = 1}, .job.known = true};
	struct elapsed_rows r;

	add(&s, METRIC_PROCESS_TIMESTAMP, t, 3);
	add(&s, METRIC_SYSTEM_TIMESTAMP, t, 3);
	add(&s, METRIC_SYSTEM_UTIME, utime, 3);
	add(&s, METRIC_SYSTEM_STIME, stime, 3);
	add(&s, METRIC_SYSTEM_CPU_USAGE, cores, 3);
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		assert_int_equal(frame_square(&s.rows[scope], NULL), 0);
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		r = elapsed_rows(&s, (enum metric_scope)scope);
		assert_true(fabs(elapsed_at(&r, 0) - 1) < 1e-9);
		assert_true(fabs(elapsed_at(&r, 1) - 1) < 1e-3);
		assert_true(fabs(elapsed_at(&r, 2) - 3600) < 1e-9);
	}
	/* Another tool's CPU usage may be over the whole gap. */
	s.job.known = false;
	r = elapsed_rows(&s, METRIC_SCOPE_SYSTEM);
	assert_true(fabs(elapsed_at(&r, 1) - 3601) < 1e-9);
	snapshot_free(&s);
}

TEST(without_anything)
{
	static const double t[] = {10, 12, 14, 20}, cores[] = {1, 2};
	struct snapshot s = {.meta = {.start_time = NAN, .interval = NAN}};
	struct elapsed_rows r;

	/* No interval is given: the mean distance, 10 / 3 s. */
	add(&s, METRIC_PROCESS_TIMESTAMP, t, 4);
	add(&s, METRIC_SYSTEM_CPU_USAGE, cores, 2);
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		assert_int_equal(frame_square(&s.rows[scope], NULL), 0);
	r = elapsed_rows(&s, METRIC_SCOPE_PROCESS);
	assert_true(fabs(elapsed_at(&r, 0) - 10 / 3.0) < 1e-9);
	assert_true(fabs(elapsed_at(&r, 1) - 2) < 1e-9);
	assert_true(fabs(elapsed_at(&r, 3) - 6) < 1e-9);
	/* No time stamps at all: rows are alike. */
	r = elapsed_rows(&s, METRIC_SCOPE_SYSTEM);
	assert_true(elapsed_at(&r, 0) == elapsed_at(&r, 1));
	snapshot_free(&s);
}
