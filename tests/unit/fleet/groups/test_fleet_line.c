/* fleet_line: memory over the input, from buckets. */
#include <math.h>

#include "fleet/groups/fleet_line.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0
#define N   40

static struct catalog_input bucket[N];

/* 1 GiB and so many times the input of 1, 2 … GiB, give or take a fifth of a GiB. */
static struct catalog_detail inputs(double times)
{
	for (int i = 0; i < N; i++)
		bucket[i] = (struct catalog_input){
		    .input_b = (i + 1) * GIB,
		    .memory_b = (1 + times * (i + 1) + (i % 3 - 1) * 0.2) * GIB,
		    .runs = 2};
	return (struct catalog_detail){.input = bucket, .n_inputs = N};
}

TEST(a_line)
{
	struct catalog_detail v = inputs(3);
	struct advice_line to_paste = {ADVICE_LINE_NONE};
	struct fleet_line l;

	fleet_line_make(&v, 2 * N, 150 * GIB, &l);
	assert_true(l.known == 2 * N && l.fit.n == 2 * N);
	assert_true(fabs(l.fit.b - 3) < 0.01 && fabs(l.fit.a / GIB - 1) < 0.1);
	assert_true(l.fit.bound > 0.15 * GIB && l.fit.bound < 0.3 * GIB);
	assert_true(l.trial.runs == 2 * N && l.trial.failed == 0);
	assert_true(l.trial.wasted < l.fixed_wasted_b / 5);
	fleet_line_advice(&l, &to_paste);
	assert_int_equal(to_paste.of, ADVICE_LINE_ALL);
	assert_true(to_paste.mib_per_byte * 1048576 > 3.2);
}

TEST(no_line)
{
	struct catalog_detail v = inputs(3);
	struct advice_line to_paste = {ADVICE_LINE_NONE};
	struct fleet_line l;

	fleet_line_make(&v, 2 * N + 5, 150 * GIB, &l); /* known of 94 % */
	assert_true(l.known == 0);
	fleet_line_advice(&l, &to_paste);
	assert_int_equal(to_paste.of, ADVICE_LINE_NONE);
	v = inputs(0); /* memory does not follow it */
	fleet_line_make(&v, 2 * N, 1.25 * GIB, &l);
	assert_true(l.known == 0);
	v = inputs(0.001); /* nor is anything gained by it */
	fleet_line_make(&v, 2 * N, 1.25 * GIB, &l);
	assert_true(l.known == 0);
	v.n_inputs = 0;
	fleet_line_make(&v, 0, 1.25 * GIB, &l);
	assert_true(l.known == 0);
}

/* Of a million runs each point stands for many; those that were killed are so. */
TEST(many_runs)
{
	struct catalog_detail v = inputs(2);
	struct fleet_line l;

	for (int i = 0; i < N; i++)
		bucket[i].runs = 25000;
	bucket[7].oom = 25000;
	fleet_line_make(&v, 25000.0 * N, 90 * GIB, &l);
	assert_true(l.known == 1e6 && l.fit.n > 1900 && l.fit.n < 2000);
	assert_true(l.trial.runs > 90 && l.trial.runs <= FLEET_LINE_TRIED);
	assert_true(fabs(l.fit.b - 2) < 0.01);
}
