/* Tests of collect/process/unseen_bound.c. */
#include <math.h>
#include <unistd.h>

#include "collect/process/unseen_bound.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define MIB    1048576.0
#define FAULTS 16.0 /* that map 1 MiB at most */

/* Sizes in MiB. */
static const struct {
	const char *what;
	struct unseen_interval i;
	double largest, most; /* 0: nothing was unseen */
} cases[] = {
    {"nothing", {.most_b = 100 * MIB, .told.known = true}, 60, 0},
    {"few page faults", {.most_b = 100 * MIB, .faults = 10 * FAULTS}, 60, 110},
    {"many, one process at a time",
     {.most_b = 2 * MIB, .faults = 9000 * FAULTS, .told = {true, 1, 0, 30, false}},
     60,
     62},
    {"two at a time",
     {.most_b = 2 * MIB, .faults = 9000 * FAULTS, .told = {true, 2, 0, 30, false}},
     60,
     122},
    {"their number is not known", {.most_b = 2 * MIB, .faults = 9000 * FAULTS}, 60, 9002},
    {"nor their size",
     {.most_b = 2 * MIB, .faults = 90 * FAULTS, .told = {true, 1, 0, 30, false}},
     INFINITY,
     92},
    {"one that was seen, and grew",
     {.most_b = 20 * MIB,
      .went = 1,
      .own_b = 15 * MIB,
      .faults = 9000 * FAULTS,
      .told.known = true},
     60,
     65},
    {"and one beside it",
     {.most_b = 20 * MIB,
      .went = 1,
      .own_b = 15 * MIB,
      .faults = 9000 * FAULTS,
      .told = {true, 1, 0, 1, false}},
     60,
     125},
    {"one of a known size", {.most_b = 20 * MIB, .grown_b = 7 * MIB, .told.known = true}, 60, 27},
    {"a parent that copies what a child holds",
     {.most_b = 300 * MIB, .faults = FAULTS, .copied_b = 300 * MIB, .told = {true, 1, 1, 1, false}},
     310,
     601},
    {"as far as there was time",
     {.most_b = 300 * MIB,
      .faults = FAULTS,
      .copied_b = 300 * MIB,
      .told = {true, 1, 1.0 / 4096, 1, false}},
     310,
     302},
    {"without events", {.most_b = 300 * MIB, .faults = FAULTS, .copied_b = 300 * MIB}, 310, 601},
    {"without children", {.most_b = 300 * MIB, .copied_b = 300 * MIB}, 300, 0},
    {"one that went held pages",
     {.most_b = 300 * MIB, .copied_b = 100 * MIB, .went = 1, .went_shares = true},
     310,
     400},
    {"a huge page", {.most_b = 300 * MIB, .faults = FAULTS, .huge_faults = 16}, 310, -1},
    {"page faults are still to come",
     {.most_b = 20 * MIB, .faults = -5, .told = {true, 2, 0, 0, false}},
     60,
     140},
    {"a parent ignores SIGCHLD",
     {.most_b = 20 * MIB, .told = {true, 3, 0, 3, false}},
     20,
     INFINITY},
    {"we reaped them",
     {.most_b = 200 * MIB, .other_faults = 9000, .told = {true, 3, 0, 3, false}},
     60,
     200},
    {"an orphan with children", {.most_b = 80 * MIB, .told = {true, 3, 0, 0, true}}, 60, 260},
    {"too many for a size",
     {.most_b = 80 * MIB, .faults = 100 * FAULTS, .told = {true, 64, 0, 3, false}},
     1,
     180},
};

TEST(bounds)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct unseen_bounds b = {{0}, {0}};
		double most = cases[i].most, got;
		unseen_bounds_add(&b, &cases[i].i);
		got = unseen_bounds_most(&b, cases[i].largest * MIB) / MIB;
		if (most < 0) /* huge pages are of another size on some machines */
			most = 301 + 16 * (double)sysconf(_SC_PAGESIZE) / 8 *
			                 (double)sysconf(_SC_PAGESIZE) / MIB;
		if (isinf(most) ? !isinf(got) : fabs(got - most) > 0.01)
			fail_msg("%s: %g, not %g", cases[i].what, got, most);
	}
}

TEST(the_most_of_all_intervals)
{
	struct unseen_bounds b = {{0}, {0}};
	struct unseen_interval one = {.most_b = 100 * MIB, .faults = 1e6, .told = {true, 1, 0, 1}};
	struct unseen_interval two = {.most_b = 10 * MIB, .faults = 1e6, .told = {true, 2, 0, 1}};

	unseen_bounds_add(&b, &one);
	unseen_bounds_add(&b, &two);
	assert_near(unseen_bounds_most(&b, 60 * MIB), 160 * MIB, 1);
	assert_near(unseen_bounds_most(&b, 200 * MIB), 410 * MIB, 1);
}
