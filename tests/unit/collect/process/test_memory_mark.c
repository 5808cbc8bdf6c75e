/* Tests of collect/process/memory_mark.c. */
#include "collect/process/memory_mark.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define MIB 1048576.0

/* MiB; its stack is at 7. */
static struct memory_mark mark(double peak, double rss, double pss, double own, uint64_t faults)
{
	return (struct memory_mark){.known = true,
	                            .mark_b = peak * MIB,
	                            .rss_b = rss * MIB,
	                            .pss_b = pss * MIB,
	                            .own_b = own * MIB,
	                            .faults = faults,
	                            .stack = 7};
}

TEST(kept)
{
	const struct memory_mark none = {0}, before = mark(300, 200, 190, 180, 1000);
	struct memory_mark now = mark(300, 210, 200, 190, 1000);

	assert_near(memory_mark_kept(&before, &now), 180 * MIB, 1);
	/* 10 MiB of it may have come with the faults, and so have been away in between */
	now.faults += 2560 + 2560;
	assert_near(memory_mark_kept(&before, &now), 170 * MIB, 1);
	now.faults += 1000000;
	assert_near(memory_mark_kept(&before, &now), 0, 1);
	/* not there before, and another program */
	assert_near(memory_mark_kept(&none, &now), 0, 1);
	now = before;
	now.stack = 8;
	assert_near(memory_mark_kept(&before, &now), 0, 1);
	assert_near(memory_mark_kept(&before, &none), 0, 1);
}

TEST(rose)
{
	const struct memory_mark none = {0}, before = mark(300, 200, 190, 180, 1000);
	struct memory_mark now = before;

	assert_false(memory_mark_rose(&before, &now));
	assert_true(memory_mark_rose(&none, &now));
	assert_false(memory_mark_rose(&before, &none));
	now.mark_b += 1;
	assert_true(memory_mark_rose(&before, &now));
	/* exec: the mark begins again, below the old one or above it */
	now = mark(3, 3, 2, 1, 1100);
	assert_true(memory_mark_rose(&before, &now));
	now = before;
	now.stack = 8;
	assert_true(memory_mark_rose(&before, &now));
}

TEST(copies_of_shared_pages)
{
	struct memory_mark before = mark(100, 100, 50, 0, 10), now = before;

	before.shared_b = now.shared_b = 100 * MIB;
	now.kin_faults = 1000000; /* they brought other pages: as much is shared as before */
	assert_near(memory_mark_most(&before, &now), 50 * MIB, 1);
	/* it got 60 MiB for itself, and freed them; no more than the page faults */
	now.shared_b = 40 * MIB;
	assert_near(memory_mark_most(&before, &now), 110 * MIB, 1);
	now.kin_faults = 2560;
	assert_near(memory_mark_most(&before, &now), 60 * MIB, 1);
	/* it was not read since others wrote to shared pages */
	now = before;
	now.unsure_b = 7 * MIB;
	assert_near(memory_mark_most(&before, &now), 57 * MIB, 1);
}

TEST(most)
{
	const struct memory_mark none = {0}, before = mark(300, 200, 190, 180, 1000);
	struct memory_mark now = mark(300, 100, 90, 80, 1000);

	/* without a fault it did not grow */
	assert_near(memory_mark_most(&before, &now), 190 * MIB, 1);
	/* a fault brings a huge page, at most */
	now.faults += 5;
	assert_near(memory_mark_most(&before, &now), 200 * MIB, 1);
	/* and many bring it to its mark, at most */
	now.faults += 500;
	assert_near(memory_mark_most(&before, &now), 290 * MIB, 1);
	/* a new process: all of its mark */
	now = mark(300, 100, 90, 80, 10);
	assert_near(memory_mark_most(&none, &now), 290 * MIB, 1);
	/* of a new child the mark is its parent's, but for what its page faults brought */
	now.inherited = true;
	assert_near(memory_mark_most(&none, &now), 110 * MIB, 1);
	/* one that is no longer there */
	assert_near(memory_mark_most(&before, &none), 190 * MIB, 1);
}
