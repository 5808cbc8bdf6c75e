/* timing: deadlines, early samples, skipped slots. */
#include "collect/schedule.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define MS 1000000ll
#define S  1000000000ll

/* Monotonic 7 s after boot. */
static struct schedule started(double interval_s, int64_t real)
{
	struct schedule t;

	schedule_start(&t, interval_s, 7 * S, real);
	return t;
}

/* Whatever the time of day: all rows are equally long. */
TEST(slots_are_multiples_of_the_interval_since_the_start)
{
	static const struct {
		double interval_s;
		int64_t real, interval;
	} cases[] = {
	    {1, 100 * S + 300 * MS, 1000 * MS},  {1, 100 * S + 950 * MS, 1000 * MS},
	    {0.5, 100 * S + 300 * MS, 500 * MS}, {2.5, 101 * S, 2500 * MS},
	    {3600, 3600 * S + 10 * S, 3600 * S}, {0.01, 100 * S + 4 * MS, 10 * MS},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct schedule t = started(cases[i].interval_s, cases[i].real);
		for (int64_t k = 1; k <= 20; k++) {
			assert_int_equal(t.next - t.start, k * cases[i].interval);
			while (schedule_wake(&t, schedule_deadline(&t)) != SCHEDULE_REGULAR)
				;
		}
	}
}

TEST(early_samples_within_two_intervals)
{
	static const struct {
		double interval_s;
		int n;
	} cases[] = {{10, 4}, {1, 4}, {0.25, 3}, {0.1, 2}, {0.04, 1}, {0.01, 0}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct schedule t = started(cases[i].interval_s, 100 * S);
		int early = 0, regular = 0;
		while (schedule_deadline(&t) < t.start + 2 * S) {
			enum schedule_due due = schedule_wake(&t, schedule_deadline(&t));
			early += due == SCHEDULE_EARLY;
			regular += due == SCHEDULE_REGULAR;
		}
		/* Those that fall onto a regular one are it. */
		if (cases[i].interval_s >= 1)
			assert_int_equal(early, cases[i].n);
		else
			assert_true(early <= cases[i].n);
		assert_int_equal(t.skipped, 0);
		assert_true(cases[i].interval_s > 1 || regular > 0);
	}
}

TEST(early_samples_keep_away_from_regular_ones)
{
	/* The first slot is 195 ms after the start: the early sample at 200 ms is left out. */
	struct schedule t = started(0.195, 100 * S + 805 * MS);
	const int64_t at[] = {50, 100, 195, 390, 585};

	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		assert_int_equal((schedule_deadline(&t) - t.start) / MS, at[i]);
		schedule_wake(&t, schedule_deadline(&t));
	}
}

TEST(nothing_is_due_before_its_time)
{
	struct schedule t = started(1, 100 * S + 300 * MS);

	assert_int_equal(schedule_wake(&t, t.start + 49 * MS), SCHEDULE_NOTHING);
	assert_int_equal(schedule_wake(&t, t.start + 50 * MS), SCHEDULE_EARLY);
	assert_int_equal(schedule_wake(&t, t.start + 51 * MS), SCHEDULE_NOTHING);
}

TEST(a_late_wake_up_skips_and_never_bunches)
{
	static const struct {
		int64_t late; /* ms after the first slot */
		unsigned skipped;
		int64_t next; /* ms after the start */
	} cases[] = {
	    {0, 0, 2000},    {400, 0, 2000},  {899, 0, 2000},  {901, 1, 3000},
	    {1000, 1, 3000}, {3300, 3, 5000}, {3950, 4, 6000},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct schedule t = started(1, 100 * S + 300 * MS);
		assert_int_equal(schedule_wake(&t, t.start + (1000 + cases[i].late) * MS),
		                 SCHEDULE_REGULAR);
		assert_int_equal(t.skipped, cases[i].skipped);
		assert_int_equal((t.next - t.start) / MS, cases[i].next);
		assert_int_equal(schedule_wake(&t, t.start + (1001 + cases[i].late) * MS),
		                 SCHEDULE_NOTHING);
	}
}

TEST(there_is_no_drift)
{
	struct schedule t = started(0.1, 100 * S + 30 * MS);

	for (int i = 0; i < 36000;) /* an hour, each time 3 ms late */
		i += schedule_wake(&t, schedule_deadline(&t) + 3 * MS) == SCHEDULE_REGULAR;
	assert_int_equal((t.next - t.start) / MS, 100 + 3600 * 1000);
	assert_int_equal(t.skipped, 0);
}

TEST(time_of_a_sample)
{
	struct schedule t = started(1, 1795242711 * S + 250 * MS);

	assert_near(schedule_unix(&t, t.start + 750 * MS), 1795242712.0, 1e-6);
	assert_false(schedule_grown(&t, t.start + 1999 * MS));
	assert_true(schedule_grown(&t, t.start + 2000 * MS));
}

/* Three hours, which CLOCK_MONOTONIC does not count: rows of equal time awake go on. */
TEST(a_suspension_is_a_gap_and_no_skip)
{
	static const struct {
		int64_t late, next; /* next: after the start, as CLOCK_MONOTONIC has it */
		uint64_t skipped;
	} cases[] = {{0, 4000 * MS, 0}, {333 * MS, 4000 * MS, 0}, {2000 * MS, 6000 * MS, 2}};
	const int64_t slept = 10800 * S + 333 * MS;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct schedule t = started(1, 100 * S);
		const int64_t now = t.start + 3 * S + cases[i].late;
		while (t.next < t.start + 3 * S)
			schedule_wake(&t, schedule_deadline(&t));
		schedule_slept(&t, slept);
		assert_int_equal(schedule_deadline(&t), t.start + 3 * S);
		assert_int_equal(schedule_wake(&t, now), SCHEDULE_REGULAR);
		assert_int_equal(t.next - t.start, cases[i].next);
		assert_int_equal(t.skipped, cases[i].skipped);
		assert_near(schedule_lasted(&t, now), (double)(slept + now - t.start) / 1e9, 1e-9);
		assert_near(schedule_unix(&t, now) - schedule_lasted(&t, now), 100, 1e-6);
	}
}

TEST(a_stop_of_ours_is_a_gap_and_no_skip)
{
	static const struct {
		int64_t stopped_ms, next; /* next: after the start */
		bool due;
	} cases[] = {{20000 + 300, 24000 * MS, true},
	             {20000 + 950, 25000 * MS, true}, /* 50 ms would be under a tenth */
	             {200, 4000 * MS, false}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct schedule t = started(1, 100 * S);
		const int64_t now = t.start + 3 * S + cases[i].stopped_ms * MS;
		while (t.next <= t.start + 3 * S)
			schedule_wake(&t, schedule_deadline(&t));
		schedule_stopped(&t, now);
		assert_int_equal(schedule_wake(&t, now),
		                 cases[i].due ? SCHEDULE_REGULAR : SCHEDULE_NOTHING);
		assert_int_equal(t.next - t.start, cases[i].next);
		assert_int_equal(t.skipped, 0);
	}
}
