/* Tests of collect/events/event_budget.c. */
#include "collect/events/event_budget.h"
#include "tests/unit/unit.h"

#define MS INT64_C(1000000)
#define S  (1000 * MS)

TEST(a_quiet_job_is_read_at_once)
{
	struct event_budget b = event_budget_full();
	int64_t now = 7 * S;

	for (int i = 0; i < 100; i++, now += S) {
		event_budget_charge(&b, now, MS, 10, true);
		assert_true(b.pause <= now && !b.hurries);
	}
}

TEST(events_of_others_come_together)
{
	struct event_budget b = event_budget_full();

	event_budget_charge(&b, 7 * S, 10000, 10, false);
	assert_true(b.pause == 7 * S + 20 * MS);
	/* Before the socket is full. */
	event_budget_charge(&b, 8 * S, 10000, 200, false);
	assert_true(b.pause == 8 * S + 4 * MS);
}

/* 10 ms of each 40 ms: far more than its share. */
TEST(a_busy_one_waits_and_hurries)
{
	struct event_budget b = event_budget_full();
	int64_t now = 7 * S;
	int n = 0;

	for (; n < 10 && !b.hurries; n++, now += 40 * MS) {
		event_budget_charge(&b, now, 10 * MS, 50, true);
		assert_true(b.pause <= now + 40 * MS);
	}
	assert_true(n > 1 && b.hurries && b.pause >= now - 40 * MS + 10 * MS);
	event_budget_charge(&b, now, 10 * MS, 500, true);
	assert_true(b.pause == now + 4 * MS);
	/* What it has used too much has an end. */
	now += 20 * S;
	event_budget_charge(&b, now, MS, 10, true);
	assert_true(b.pause <= now && !b.hurries);
}
