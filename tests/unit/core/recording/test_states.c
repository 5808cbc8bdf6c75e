/* Tests of core/recording/states.c: where most of a run's time went. */
#include <string.h>

#include "core/recording/states.h"
#include "tests/unit/unit.h"

TEST(mostly)
{
	static const struct {
		const char *mostly;
		double s[STATES_N];
	} cases[] = {
	    {"", {0}},
	    {"cpu", {[STATES_CPU] = 5, [STATES_SLEEP] = 4}},
	    {"cpu",
	     {[STATES_CPU] = 2, [STATES_CPU_WAIT] = 2, [STATES_THROTTLED] = 2, [STATES_DISK] = 5}},
	    {"disk", {[STATES_CPU] = 4, [STATES_DISK] = 3, [STATES_NET_DISK] = 2}},
	    {"memory", {[STATES_MEMORY] = 1}},
	    {"net", {[STATES_NET] = 3, [STATES_LOCK] = 2, [STATES_CPU] = 2}},
	    /* All waits that are neither of the machine nor of the network. */
	    {"idle",
	     {[STATES_CPU] = 5,
	      [STATES_LOCK] = 1.1,
	      [STATES_PIPE] = 1.1,
	      [STATES_EVENT] = 1.1,
	      [STATES_SLEEP] = 1.1,
	      [STATES_STOPPED] = 1.1}},
	    {"unknown", {[STATES_CPU] = 1, [STATES_UNKNOWN] = 2}},
	    /* Of two that are the same, the first. */
	    {"disk", {[STATES_DISK] = 2, [STATES_NET] = 2}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stats columns[METRIC_COUNT] = {{0}};
		for (int k = 0; k < STATES_N; k++)
			columns[states_metric((enum states_id)k)] =
			    (struct stats){.n = 3, .sum = cases[i].s[k]};
		assert_string_equal(states_mostly(columns), cases[i].mostly);
	}
}

/* Sums of columns that were not measured do not count. */
TEST(not_measured)
{
	struct stats columns[METRIC_COUNT] = {{0}};

	columns[METRIC_PROCESS_STATE_DISK] = (struct stats){.n = 0, .sum = 9};
	assert_string_equal(states_mostly(columns), "");
}

TEST(words)
{
	for (int i = 0; i < STATES_GROUPS; i++)
		assert_int_equal(states_group_find(states_group_word((enum states_group)i)), i);
	assert_int_equal(states_group_find(""), STATES_GROUPS);
	for (int k = 0; k < STATES_N; k++) {
		assert_int_equal(states_find(states_word((enum states_id)k)), k);
		assert_int_equal(states_of_metric(states_metric((enum states_id)k)), k);
	}
	assert_int_equal(states_of_metric(METRIC_PROCESS_MEMORY), STATES_N);
}
