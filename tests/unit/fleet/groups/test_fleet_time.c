/* fleet_time: how long runs take with other CPUs, and the fewest that do. */
#include <math.h>

#include "fleet/groups/fleet_time.h"
#include "tests/unit/unit.h"

/* 100 s, of which 10 without a CPU, and the rest on so many threads; asked: with how many CPUs. */
static struct fleet_times threads(double n, double asked)
{
	struct fleet_times t = {.known_s = 100, .asked_s = 10 + 90 * fmax(1, n / asked)};

	for (int i = 0; i < CATALOG_TIMES; i++)
		t.at[i] = 10 + 90 * fmax(1, n / (1 << i));
	return t;
}

TEST(between_two_that_are_known)
{
	struct fleet_times t = threads(16, 16);

	assert_true(fleet_time_at(&t, 1) == 10 + 90 * 16 && fleet_time_at(&t, 16) == 100);
	assert_true(fabs(fleet_time_at(&t, 3) - (10 + 90 * 16 / 3.)) < 1e-9);
	assert_true(fabs(fleet_time_at(&t, 12) - 130) < 1e-9);
	assert_true(fleet_time_at(&t, 256) == 100 && fleet_time_at(&t, 1000) == 100);
	assert_true(isnan(fleet_time_at(&t, 0.5)) && isnan(fleet_time_at(&t, NAN)));
	/* Never below: with 3 threads, 3 CPUs are enough, which nobody knows of 2 and 4. */
	t = threads(3, 3);
	assert_true(fleet_time_at(&t, 3) > 100 && fleet_time_at(&t, 4) == 100);
}

TEST(fewest)
{
	struct fleet_times t = threads(16, 16), none = {0};

	assert_true(fleet_time_fewest(&t, 0) == 16);
	assert_true(fleet_time_fewest(&t, 0.1) == 15); /* 10 + 90 × 16 / 15 = 106 */
	assert_true(fleet_time_fewest(&t, 1) == 8);
	assert_true(fabs(fleet_time_longer(&t, 8) - 1.9) < 1e-9);
	t = threads(1, 64);
	assert_true(fleet_time_fewest(&t, 0.1) == 1 && fleet_time_longer(&t, 1) == 1);
	/* It was short of CPU: it would be faster with more, and keeps what it had. */
	t = threads(16, 4);
	assert_true(fleet_time_fewest(&t, 0) == 4);
	assert_true(fleet_time_longer(&t, 16) < 0.3);
	assert_true(isnan(fleet_time_fewest(&none, 0.1)) && fleet_time_longer(&none, 4) == 1);
	t.asked_s = 1; /* no number of CPUs does */
	assert_true(isnan(fleet_time_fewest(&t, 0.1)));
}

TEST(from_sums)
{
	double sums[CATALOG_SUMS];
	struct fleet_times t;

	for (int i = 0; i < CATALOG_SUMS; i++)
		sums[i] = i;
	t = fleet_time_of_sums(sums);
	assert_true(t.known_s == CATALOG_SUM_TIME_KNOWN_S && t.at[0] == CATALOG_SUM_TIME_S);
	assert_true(t.asked_s == CATALOG_SUM_TIME_ASKED_S &&
	            t.at[CATALOG_TIMES - 1] == CATALOG_SUM_TIME_LAST_S);
}
