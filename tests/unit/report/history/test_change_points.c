/* change_points: the edges of the rule; tests/cli/change_points.sh holds it against a second
 * implementation. */
#include <math.h>
#include <string.h>

#include "report/history/change_points.h"
#include "tests/unit/unit.h"

/* Fills rows with values that go round 100 by a few percent, and are `by` times as large from `at`
 * on. */
static struct change_series series(struct change_row rows[CHANGE_RUNS], size_t n, size_t at,
                                   double by)
{
	static const double round[] = {100, 103, 98, 101, 97, 102, 99};

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct change_row){.value = round[i % 7] * (i < at ? 1 : by)};
	return (struct change_series){.rows = rows, .n = n};
}

TEST(steps)
{
	static const struct {
		size_t n, at;
		double by;
		bool found;
	} cases[] = {
	    {60, 60, 1, false},   {60, 30, 1.2, true}, {60, 52, 1.2, true},
	    {60, 56, 1.5, false}, {60, 30, 0.8, true}, {60, 30, 1.03, false},
	    {9, 4, 9, false},     {10, 5, 9, false},   {20, 10, 2, true},
	};
	struct change_row rows[CHANGE_RUNS];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct change_series s = series(rows, cases[i].n, cases[i].at, cases[i].by);
		change_points_find(&s, 1);
		assert_int_equal(s.points, cases[i].found);
		if (!cases[i].found)
			continue;
		assert_int_equal(s.point[0].at, cases[i].at);
		assert_true(fabs(s.point[0].step / (cases[i].by - 1) - 1) < 0.1);
		assert_true(s.point[0].least <= s.point[0].step &&
		            s.point[0].step <= s.point[0].most);
		assert_false(s.point[0].machine);
	}
}

/* The same measure beside others needs a smaller p; all answers are the same each time. */
TEST(together)
{
	struct change_row rows[3][CHANGE_RUNS];
	struct change_series s[3], again[3];

	for (int i = 0; i < 3; i++)
		s[i] = series(rows[i], 40, i == 1 ? 25 : 40, 1.3);
	memcpy(again, s, sizeof s);
	change_points_find(s, 3);
	change_points_find(again, 3);
	assert_int_equal(s[0].points + s[2].points, 0);
	assert_int_equal(s[1].points, 1);
	assert_true(s[1].point[0].p <= 1.0 / 6000 + 1e-12);
	assert_memory_equal(&s[1].point[0], &again[1].point[0], sizeof s[1].point[0]);
	change_points_find(s, 0);
	s[0] = (struct change_series){.n = 0};
	change_points_find(s, 1);
	assert_int_equal(s[0].points, 0);
}

/* Two machines that take turns are no change, and hide none; another machine is no verdict. */
TEST(machines)
{
	struct change_row rows[CHANGE_RUNS];
	struct change_series s = series(rows, 50, 35, 1.3);

	for (size_t i = 0; i < 50; i += 2) {
		rows[i].stratum = 1;
		rows[i].value *= 3;
	}
	change_points_find(&s, 1);
	assert_int_equal(s.points, 1);
	assert_int_equal(s.point[0].at, 35);
	s = series(rows, 50, 25, 3);
	for (size_t i = 25; i < 50; i++)
		rows[i].stratum = 1;
	change_points_find(&s, 1);
	assert_int_equal(s.points, 0);
	/* Half of the runs of the new machine are as before, the others not: two splits. */
	s = series(rows, 60, 40, 2);
	for (size_t i = 20; i < 60; i++)
		rows[i].stratum = 1;
	change_points_find(&s, 1);
	for (size_t i = 0; i < s.points; i++)
		assert_int_equal(s.point[i].machine, s.point[i].at == 20);
}

TEST(usual)
{
	double v[39], few[] = {3, 1, 2};
	struct change_usual u = change_points_usual(few, 3);

	assert_true(isnan(u.one_in) && u.low == 1 && u.high == 3);
	for (int i = 0; i < 39; i++)
		v[i] = i;
	u = change_points_usual(v, 39);
	assert_true(u.one_in == 20 && u.low == 0 && u.high == 38);
}
