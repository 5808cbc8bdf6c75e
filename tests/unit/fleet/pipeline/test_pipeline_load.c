/* pipeline_load: how many run at once; and the lanes that they need. */
#include "fleet/pipeline/pipeline.h"
#include "tests/unit/fleet/pipeline_made.h"

static double sum_of(const double *v)
{
	double sum = 0;

	for (size_t i = 0; i < PIPELINE_LOAD_POINTS; i++)
		sum += v[i];
	return sum;
}

/* a 0–80, b 80–160 and c 40–120 of 160 s: a part is a second. */
TEST(test_at_once)
{
	struct pipeline p;
	struct pipeline_load l;
	struct err e = {0};

	MADE_PIPELINE(&p, {.name = "a", .start = 0, .wall_s = 80, .cpu_s = 40, .asked_cpus = 2},
	              {.name = "a", .start = 80, .wall_s = 80, .cpu_s = 160, .asked_cpus = 2},
	              {.name = "c", .start = 40, .wall_s = 80, .memory_gib = 2});
	assert_int_equal(pipeline_load_make(&p, -1, &l, &e), 0);
	assert_true(l.most == 2 && l.most_at == MADE_EPOCH + 40); /* b took the place of a */
	assert_true(fabs(l.mean - 1.5) < 1e-9);
	assert_true(l.running[0] == 1 && l.running[79] == 2 && l.running[80] == 2);
	assert_true(l.running[120] == 1 && l.running[159] == 1);
	assert_true(l.asked_cores[10] == 2 && l.used_cores[10] == 0.5 && l.used_cores[90] == 2);
	assert_true(l.asked_cpus && l.used_cpus && !l.asked_memory && l.used_memory);
	assert_true(l.used_b[50] == MADE_GIB && l.used_b[10] == 0);
	assert_true(fabs(sum_of(l.running) - 240) < 1e-6); /* the seconds of all */
	assert_int_equal(pipeline_load_make(&p, 1, &l, &e), 0);
	assert_true(l.most == 1 && l.running[0] == 0 && l.running[50] == 1);
	pipeline_free(&p);
}

TEST(test_no_length)
{
	struct pipeline p;
	struct pipeline_load l;
	struct err e = {0};

	MADE_PIPELINE(&p, {.name = "a", .start = 5, .wall_s = 0}, {.name = "b", .no_start = true});
	assert_int_equal(pipeline_load_make(&p, -1, &l, &e), 0);
	assert_true(l.most == 0 && l.mean == 0 && isnan(l.most_at));
	pipeline_free(&p);
}

TEST(test_lanes)
{
	struct pipeline p;
	struct pipeline_lanes l;
	struct err e = {0};

	MADE_PIPELINE(
	    &p, {.name = "a", .start = 0, .wall_s = 10}, {.name = "a", .start = 5, .wall_s = 10},
	    {.name = "a", .start = 10, .wall_s = 10}, {.name = "b", .start = 12, .wall_s = 10});
	assert_int_equal(pipeline_lanes_make(&p, false, &l, &e), 0);
	assert_int_equal(l.n, 3);
	assert_true(l.lane[0] == 0 && l.lane[1] == 1 && l.lane[2] == 0 && l.lane[3] == 2);
	assert_true(l.first[0] == 0 && l.first[1] == 2 && l.first[2] == 3);
	pipeline_lanes_free(&l);
	assert_int_equal(pipeline_lanes_make(&p, true, &l, &e), 0);
	assert_int_equal(l.n, 3);
	assert_true(l.lane[3] == 2 && l.first[1] == 3);
	pipeline_lanes_free(&l);
	pipeline_free(&p);
}
