/* same_input: the choice between the runs as they are and as they would have been with one input;
 * tests/bench/history/truth.py tries it on many made-up histories. */
#include <math.h>
#include <string.h>

#include "report/history/same_input.h"
#include "tests/unit/unit.h"

#define N    40
#define STEP 31 /* the first run of a new level */

static struct change_row row[2][N], same[2][N];

/* A measure of values that go round 100 by a few percent, and are `by` times as large from STEP on.
 * slope: how much of it follows the input, of which 1 is the unit. */
static struct change_series series(int of, const double input[N], double slope, double by)
{
	static const double round[] = {100, 103, 98, 101, 97, 102, 99};

	for (size_t i = 0; i < N; i++)
		row[of][i] = (struct change_row){
		    .value = round[i % 7] * (1 - slope + slope * input[i]) * (i < STEP ? 1 : by),
		    .input = input[i]};
	return (struct change_series){.rows = row[of], .n = N};
}

static bool find(struct change_series *s)
{
	struct same_input v = {.s = s, .row = same[0]};

	same_input_find(&v, 1);
	return v.kept;
}

static void two_sizes(double input[N])
{
	for (size_t i = 0; i < N; i++)
		input[i] = i % 3 ? 1 : 3;
}

static void jump(double input[N])
{
	for (size_t i = 0; i < N; i++)
		input[i] = i < STEP ? 1 : 3;
}

TEST(step_among_two_sizes)
{
	double input[N];
	struct change_series s;

	two_sizes(input);
	s = series(0, input, 0.6, 1.2);
	change_points_find(&s, 1);
	assert_int_equal(s.points, 0);
	assert_true(find(&s));
	assert_int_equal(s.points, 1);
	assert_int_equal(s.point[0].at, STEP);
	assert_true(fabs(s.point[0].step - 0.2) < 0.02);
	/* The rows are those with the last run's input, which is 3. */
	assert_ptr_equal(s.rows, same[0]);
	for (size_t i = 0; i < N; i++)
		assert_true(fabs(s.rows[i].value / (i < STEP ? 1 : 1.2) / 220 - 1) < 0.08);
}

TEST(jump_of_the_size)
{
	double input[N];
	struct change_series s;

	jump(input);
	s = series(0, input, 0.6, 1);
	change_points_find(&s, 1);
	assert_int_equal(s.points, 1);
	assert_true(find(&s));
	assert_int_equal(s.points, 0);
	/* A measure that does not follow it keeps its step, and its rows. */
	two_sizes(input);
	s = series(0, input, 0, 1.2);
	assert_false(find(&s));
	assert_int_equal(s.points, 1);
	assert_ptr_equal(s.rows, row[0]);
}

/* Without the input of each run, changes are those of the runs as they are. */
TEST(unknown_input)
{
	double input[N];
	struct change_series s, alone;

	jump(input);
	input[3] = NAN;
	s = series(0, input, 0.6, 1);
	/* The value of the run is known. */
	row[0][3].value = row[0][4].value;
	alone = s;
	change_points_find(&alone, 1);
	assert_false(find(&s));
	assert_ptr_equal(s.rows, row[0]);
	assert_int_equal(s.points, 1);
	assert_int_equal(alone.points, 1);
	assert_memory_equal(s.point, alone.point, sizeof s.point[0]);
}

/* Each of several measures has its own choice. */
TEST(together)
{
	double input[N];
	struct change_series s[2];
	struct same_input v[2];

	two_sizes(input);
	for (int i = 0; i < 2; i++) {
		s[i] = series(i, input, i ? 0 : 0.6, 1.2);
		v[i] = (struct same_input){.s = &s[i], .row = same[i]};
	}
	same_input_find(v, 2);
	assert_true(v[0].kept && !v[1].kept);
	assert_int_equal(s[0].points, 1);
	assert_int_equal(s[1].points, 1);
}

TEST(empty)
{
	struct change_series s = {.n = 0};

	same_input_find(NULL, 0);
	assert_false(find(&s));
	assert_int_equal(s.points, 0);
	/* Too few for a change. */
	s = (struct change_series){.rows = row[0], .n = 2 * CHANGE_LEAST - 1};
	for (size_t i = 0; i < s.n; i++)
		row[0][i] = (struct change_row){.value = 1 + (double)i, .input = (double)i};
	assert_false(find(&s));
	assert_int_equal(s.points, 0);
	/* Inputs of nothing have no line. */
	s.n = N;
	for (size_t i = 0; i < N; i++)
		row[0][i] = (struct change_row){.value = 1, .input = 0};
	assert_false(find(&s));
	assert_int_equal(s.points, 0);
}
