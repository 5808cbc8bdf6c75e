/* memory_fit: lines over the input against worked numbers. */
#include <math.h>

#include "report/history/memory_fit.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

static const struct memory_point worked[] = {
    {100, 620, false},  {200, 1190, false}, {300, 1830, false},
    {400, 2380, false}, {500, 3010, false}, {600, 3570, false},
};
#define WORKED (sizeof worked / sizeof *worked)

TEST(the_line)
{
	struct memory_fit f;

	memory_fit_make(worked, WORKED, &f);
	assert_true(f.usable);
	assert_near(f.n, 6, 0);
	assert_near(f.a, 24, 1e-9);
	assert_near(f.b, 5.9314285714285715, 1e-12);
	assert_near(f.r2, 0.9996789727126806, 1e-12);
	assert_near(f.bound, 32.44186046511612, 1e-9);
}

TEST(asks)
{
	static const struct {
		double x, ask;
	} cases[] = {
	    {0, 620}, /* at least the smallest */
	    {50, 620},
	    {350, 2348.5453356655303},
	    {600, 3985.1946693320356},
	    {1200, 7938.004247492893},
	};
	struct memory_fit f;

	memory_fit_make(worked, WORKED, &f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_near(memory_fit_ask(&f, cases[i].x), cases[i].ask, 1e-8);
	assert_false(memory_fit_is_guess(&f, 1200));
	assert_true(memory_fit_is_guess(&f, 1201));
}

/* Within the range, no point is a reason to ask for more than 1.2 times the largest. */
TEST(at_most_within_the_range)
{
	struct memory_point v[WORKED + 1];
	struct memory_fit f;

	for (size_t i = 0; i < WORKED; i++)
		v[i] = worked[i];
	v[WORKED] = (struct memory_point){150, 2500, false};
	memory_fit_make(v, WORKED + 1, &f);
	assert_true(f.usable);
	assert_near(memory_fit_ask(&f, 600), 1.2 * 3570, 1e-9);
	assert_true(memory_fit_ask(&f, 601) > 1.3 * 3570);
}

TEST(from_sums)
{
	struct memory_fit_sums s = {0};
	struct memory_fit f, exact;

	for (size_t i = 0; i < WORKED; i++) {
		double x = worked[i].x * 1e9, y = worked[i].y * 1e9;
		s.n++;
		s.x += x;
		s.y += y;
		s.xx += x * x;
		s.xy += x * y;
		s.yy += y * y;
	}
	memory_fit_of_sums(&s, 100e9, 600e9, 620e9, 3570e9, &f);
	memory_fit_make(worked, WORKED, &exact);
	assert_true(f.usable);
	assert_near(f.a / 1e9, exact.a, 1e-8);
	assert_near(f.b, exact.b, 1e-12);
	assert_near(f.r2, exact.r2, 1e-12);
	for (size_t i = 0; i < WORKED; i++)
		f.bound = fmax(f.bound, memory_fit_missed_by(
					    &f, &(struct memory_point){worked[i].x * 1e9,
		                                                       worked[i].y * 1e9, false}));
	assert_near(memory_fit_ask(&f, 350e9) / 1e9, 2348.5453356655303, 1e-7);
}

TEST(no_fit)
{
	static const struct memory_point same[] = {
	    {5, 1, false}, {5, 2, false}, {5, 3, false}, {5, 4, false}, {5, 5, false}};
	/* Nothing is left to predict the last one from. */
	static const struct memory_point alone[] = {
	    {5, 1, false}, {5, 2, false}, {5, 3, false}, {5, 4, false}, {9, 50, false}};
	static const struct memory_point falling[] = {
	    {1, 9, false}, {2, 8, false}, {3, 6, false}, {4, 5, false}, {5, 4, false}};
	static const struct memory_point loose[] = {
	    {1, 9, false}, {2, 1, false}, {3, 8, false}, {4, 2, false}, {5, 9, false}};
	static const struct memory_point constant[] = {
	    {1, 9, false}, {2, 9, false}, {3, 9, false}, {4, 9, false}, {5, 9, false}};
	static const struct memory_point *all[] = {same, alone, falling, loose, constant};
	struct memory_fit f;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		memory_fit_make(all[i], 5, &f);
		assert_false(f.usable);
	}
	memory_fit_make(worked, 4, &f);
	assert_false(f.usable);
	memory_fit_make(NULL, 0, &f);
	assert_false(f.usable);
}

/* A run that was killed with 3000 at 300 needed more than that. */
TEST(killed_runs_lift_the_bound)
{
	struct memory_point v[WORKED + 2];
	struct memory_fit f;

	for (size_t i = 0; i < WORKED; i++)
		v[i] = worked[i];
	v[WORKED] = (struct memory_point){300, 3000, true};
	v[WORKED + 1] = (struct memory_point){300, NAN, false};
	memory_fit_make(v, WORKED + 2, &f);
	assert_near(f.n, 6, 0);
	assert_near(f.a, 24, 1e-9);
	assert_near(f.bound * sqrt(1 + 1.0 / 6 + 2500.0 / 175000) + 24 + 300 * f.b, 3000, 1e-6);
	/* Nor is that cut down to 1.2 times what others needed. */
	v[WORKED].y = 4500;
	memory_fit_make(v, WORKED + 2, &f);
	assert_true(memory_fit_ask(&f, 300) > 4500);
	/* Killed below the line: nothing is learnt. */
	v[WORKED].y = 500;
	memory_fit_make(v, WORKED + 2, &f);
	assert_near(f.bound, 32.44186046511612, 1e-9);
}

TEST(each_from_the_others)
{
	struct memory_trial t;

	memory_fit_try(worked, WORKED, &t);
	assert_int_equal(t.runs, 6);
	assert_int_equal(t.failed, 0);
	assert_near(t.unused, 1996.559592572178, 1e-8);
	assert_near(t.wasted, t.unused, 1e-9);
}

/* The square of the input: at twice the largest the ask is 0.7 of the need, and a guess. */
TEST(bends)
{
	struct memory_point v[12];
	struct memory_fit f;

	for (size_t i = 0; i < 12; i++)
		v[i] = (struct memory_point){(double)(i + 1), (double)((i + 1) * (i + 1)), false};
	memory_fit_make(v, 12, &f);
	assert_true(f.usable && f.bends);
	assert_false(memory_fit_is_guess(&f, 12));
	assert_true(memory_fit_is_guess(&f, 12.1));
	assert_true(memory_fit_ask(&f, 24) < 24 * 24 * 0.8);
	/* The largest is on a line through the others, or below it. */
	v[11].y = 115;
	memory_fit_make(v, 12, &f);
	assert_false(f.bends);
	assert_false(memory_fit_is_guess(&f, 24));
	/* A straight line, but for what rounding leaves. */
	for (size_t i = 0; i < 12; i++)
		v[i].y = 0.1 + 0.3 * v[i].x;
	memory_fit_make(v, 12, &f);
	assert_false(f.bends);
}
