/* wrappers: which processes only wait for one child after another. */
#include "report/stats/wrappers.h"
#include "tests/unit/report/lived.h"

static const struct critical_path_job hundred = {.pid = 100, .duration_s = 100, .interval_s = 1};

#define expect_wrapper(l, index, expected)                                                         \
	do {                                                                                       \
		bool is[LIVED_MAX];                                                                \
		assert_int_equal(wrappers_find(&(l)->t, &hundred, is), 0);                         \
		assert_int_equal(is[index], expected);                                             \
	} while (0)

TEST(a_driver_of_steps)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "make", -1, 0, 100);
	lived(&l, "gcc", 0, 10, 20);
	lived(&l, "cc1", 1, 10, 18);
	lived(&l, "as", 1, 18, 19.5);
	l.of[0].cpu_s = l.of[1].cpu_s = 0.1;
	expect_wrapper(&l, 0, false); /* the root */
	expect_wrapper(&l, 1, true);
	expect_wrapper(&l, 2, false); /* no children */
	l.of[1].cpu_s = NAN;
	expect_wrapper(&l, 1, true);
	l.of[1].cpu_s = 2; /* it works itself */
	expect_wrapper(&l, 1, false);
	l.of[1].cpu_s = 0;
	l.of[3].start_s = 17.9; /* two at once */
	expect_wrapper(&l, 1, false);
	l.of[3].start_s = 18;
	l.of[3].end_s = 18.5; /* mostly it waits for something else */
	expect_wrapper(&l, 1, false);
	l.of[3].end_s = 30; /* its child outlives it */
	expect_wrapper(&l, 1, false);
	l.of[3].end_s = 19.5;
	l.of[1].status = 1; /* it failed by itself */
	expect_wrapper(&l, 1, false);
	l.of[2].status = -11;
	expect_wrapper(&l, 1, true);
}
