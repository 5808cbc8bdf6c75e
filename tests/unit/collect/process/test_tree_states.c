/* Threads that end between two readings. */
#include "collect/process/tree_states.h"

#include "tests/unit/unit.h"

/* A process that ends takes its threads with it: none of them has a process then. */
TEST(ended_with_its_process)
{
	static struct tree_states s;

	tree_states_start(&s, 1000000000);
	s.at = 2000000000;
	for (int k = 0; k < STATES_N; k++) {
		struct wait_thread t = {.at = 1000000000, .state = (unsigned char)k, .futex = true};
		tree_states_visit(&s, NULL, &t, 7, NULL, CPU_WAIT_ENDED);
		assert_int_equal(t.at, 0);
	}
}
