/* gate_results: the order of the answers, their counts, and which price the run's cost is at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice/gate_results.h"
#include "tests/unit/unit.h"

/* A run of an hour, which has no history. */
static struct run hour = {.duration = 3600};
static const struct runs one = {.v = &hour, .n = 1};

/* Prices in EUR: the server of the run costs 2 an hour. */
static struct keeper_result *prices_new(void)
{
	struct keeper_result *k = calloc(1, sizeof *k);

	assert_non_null(k);
	k->present_known = true;
	k->present.price_hour = 2;
	strcpy(k->currency, "EUR");
	return k;
}

TEST(test_order)
{
	const struct opts_list conditions = {.v = {"duration > 2h", "duration > history",
	                                           "duration > 30min", "duration > 2h",
	                                           "duration > 10min"},
	                                     .n = 5};
	static const char *const order[] = {"duration > 30min", "duration > 10min",
	                                    "duration > history", "duration > 2h"};
	struct keeper_result *k = prices_new();
	struct gate_results g;
	struct err e = {0};

	assert_int_equal(gate_results_of(&conditions, &one, k, NULL, &g, &e), 0);
	assert_int_equal(g.n, 4);
	for (size_t i = 0; i < g.n; i++)
		assert_string_equal(g.v[i].gate.text, order[i]);
	assert_int_equal(g.count[GATE_HOLDS], 2);
	assert_int_equal(g.count[GATE_NOT_JUDGED], 1);
	assert_int_equal(g.count[GATE_HOLDS_NOT], 1);
	assert_false(g.cost);
	assert_string_equal(g.currency, "EUR");
	gate_results_free(&g);
	free(k);
}

TEST(test_cost)
{
	const struct opts_list conditions = {
	    .v = {"cost > 1.9 EUR", "cost > 1 USD", "cost > 2.1 EUR"}, .n = 3};
	struct keeper_result *k = prices_new();
	struct gate_results g;
	struct err e = {0};

	assert_int_equal(gate_results_of(&conditions, &one, k, NULL, &g, &e), 0);
	assert_true(g.cost);
	assert_int_equal(g.n, 3);
	assert_int_equal(g.v[0].result.answer, GATE_HOLDS);
	assert_true(g.v[0].result.left == 2);
	assert_int_equal(g.v[1].result.answer, GATE_NOT_JUDGED);
	assert_string_equal(g.v[1].result.why, "the prices are in another currency");
	assert_int_equal(g.v[2].result.answer, GATE_HOLDS_NOT);
	gate_results_free(&g);
	free(k);
}

TEST(test_none)
{
	const struct opts_list conditions = {.n = 0};
	struct keeper_result *k = prices_new();
	struct gate_results g;
	struct err e = {0};

	assert_int_equal(gate_results_of(&conditions, &one, k, NULL, &g, &e), 0);
	assert_int_equal(g.n, 0);
	gate_results_free(&g);
	gate_results_free(&g);
	free(k);
}
