/* time_at: jobs of known shape, worked out by hand. */
#include <math.h>
#include <stdbool.h>

#include "core/numbers/time_at.h"
#include "tests/unit/unit.h"

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void add(struct time_at *t, int n, double c, double w, double b)
{
	struct time_at_sample s = {.h = 1, .c = c, .w = w, .b = b, .b_least = b, .b_most = b};

	for (int i = 0; i < n; i++)
		time_at_add(t, &s);
}

/* One thread: as long with any number of CPUs, and longer with half of one. */
TEST(serial)
{
	struct time_at t = {0};

	add(&t, 10, 1, 0, 1);
	assert_true(near(time_at_free_cpus(&t, 8).s, 10));
	assert_true(near(time_at_free_cpus(&t, 1).s, 10));
	assert_true(near(time_at_free_cpus(&t, 0.5).s, 20));
	assert_true(near(time_at_widest(&t), 1));
	assert_true(time_at_fewest(&t, 10) == 1);
}

/* Ten seconds with eight threads, ten with one, ten asleep. */
TEST(phases)
{
	struct time_at t = {0};

	add(&t, 10, 8, 0, 1);
	add(&t, 10, 1, 0, 1);
	add(&t, 10, 0, 0, 0);
	assert_true(near(time_at_free_cpus(&t, 16).s, 30));
	assert_true(near(time_at_free_cpus(&t, 8).s, 30));
	assert_true(near(time_at_free_cpus(&t, 4).s, 40));
	assert_true(near(time_at_free_cpus(&t, 1).s, 100));
	assert_true(near(t.of[TIME_AT_ESTIMATE].idle_s, 10));
	assert_true(near(t.cpu_s, 90));
	assert_true(near(time_at_widest(&t), 8));
	assert_true(time_at_fewest(&t, 33) == 7); /* 20 + 80/7 = 31.4, the 6 is 33.3 */
	assert_true(time_at_fewest(&t, 30) == 8);
}

/* Four threads had one CPU: with four it takes a quarter. Half of the time nothing could run. */
TEST(waiting)
{
	struct time_at t = {0};

	add(&t, 20, 0.5, 1.5, 0.5);
	assert_true(near(time_at_free_cpus(&t, 1).s, 20));
	assert_true(near(time_at_free_cpus(&t, 2).s, 15));
	assert_true(near(time_at_free_cpus(&t, 4).s, 12.5));
	assert_true(near(time_at_free_cpus(&t, 64).s, 12.5));
	assert_true(near(time_at_widest(&t), 4));
}

/* Two threads in all, at once or one after the other: the range has both. */
TEST(bounds)
{
	struct time_at_sample s = {.h = 1, .c = 1, .w = 0, .b = NAN, .b_least = 0.5, .b_most = NAN};
	struct time_at_range at;
	struct time_at t = {0};

	time_at_add(&t, &s);
	time_at_add(&t, &s);
	at = time_at_free_cpus(&t, 1);
	assert_true(near(at.s, 2) && near(at.least, 1.8) && near(at.most, 3.2));
	at = time_at_free_cpus(&t, 2);
	assert_true(near(at.s, 2) && near(at.least, 1.8) && near(at.most, 2.1));
}

/* Waits that threads took with them: who was ready and did not run waited. */
TEST(lost_waits)
{
	struct time_at t = {0};

	add(&t, 10, 0.5, 0, 1);
	assert_true(near(time_at_free_cpus(&t, 1).s, 5) && near(time_at_free_cpus(&t, 4).s, 5));
	assert_true(near(time_at_free_cpus(&t, 0.5).s, 10) && near(time_at_widest(&t), 1));
}

TEST(not_known)
{
	struct time_at t = {0};

	assert_true(isnan(time_at_free_cpus(&t, 2).s) && time_at_widest(&t) == 0);
	add(&t, 1, 1, 0, 1);
	assert_true(!time_at_known(&t) && time_at_fewest(&t, 5) == 0);
	add(&t, 1, 1, 0, 1);
	assert_true(time_at_known(&t) && isnan(time_at_free_cpus(&t, 0).s));
	add(&t, 1, NAN, 0, 1);
	assert_true(!time_at_known(&t) && near(t.unknown_s, 1));
	t = (struct time_at){0};
	add(&t, 5, 0, 0, 0);
	assert_true(!time_at_known(&t));
}

/* At the bounds of classes times are exact, whatever widths there were. */
TEST(classes)
{
	struct time_at t = {0};
	double want[12] = {0};

	for (int i = 1; i <= 2000; i++) {
		double c = 0.5 + i * 0.77, b = c < 1 ? c : 1;
		add(&t, 1, c, 0, b);
		for (int k = 0; k < 12; k++) {
			double n = (double)(1 << k), width = c / b;
			want[k] += 1 - b + c / (n < width ? n : width);
		}
	}
	for (int k = 0; k <= 10; k++)
		assert_true(near(time_at_free_cpus(&t, (double)(1 << k)).s, want[k]));
}

TEST(join)
{
	struct time_at a = {0}, b = {0}, all = {0};

	add(&a, 5, 3, 0, 1);
	add(&b, 5, 1, 1, 0.7);
	add(&all, 5, 3, 0, 1);
	add(&all, 5, 1, 1, 0.7);
	time_at_join(&a, &b);
	assert_true(a.samples == all.samples);
	for (double n = 0.5; n < 5; n += 0.5)
		assert_true(near(time_at_free_cpus(&a, n).s, time_at_free_cpus(&all, n).s));
}
