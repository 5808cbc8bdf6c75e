/* memory_rule: asks against worked numbers, from runs and from a histogram. */
#include <math.h>

#include "report/advice/memory_rule.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define MIB 1048576.0

/* first + i × step, and one more at the end if last is not 0, in MiB. */
static size_t make_needs(double first, double step, size_t n, double last, struct memory_need *v)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (struct memory_need){.need_b = (first + (double)i * step) * MIB,
		                            .input_b = NAN,
		                            .limit_b = NAN,
		                            /* not in the order of needs: nothing grows */
		                            .start = (double)(i * 7 % 11)};
	if (last != 0)
		v[n] = (struct memory_need){.need_b = last * MIB, .start = 5};
	return n + (last != 0);
}

TEST(worked)
{
	static const struct {
		double first, step;
		size_t n;
		double last, lambda, today;
		double ask, chance, tail, against;
	} cases[] = {
	    {3000, 0, 10, 0, 20, 0, 4096, 2.0898170067719667e-06, 0.03, 3000},
	    {1000, 173, 12, 0, 5, 0, 3072, 0.045915862674827945, 0.27391804297544725, 2903},
	    {1000, 173, 12, 0, 20, 0, 5120, 0.007113011721345235, 0.27391804297544725, 2903},
	    {1000, 173, 12, 0, 50, 16384, 8192, 0.0012789901178977107, 0.27391804297544725, 16384},
	    {900, 5, 19, 20000, 20, 0, 1024, 0.06372549019607844, 0.39831136411897144, 20000},
	    {900, 1, 99, 60000, 5, 0, 1024, 0.01294820717131474, 0.21541839542092106, 60000},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct memory_need v[128];
		struct memory_rule r;
		size_t n = make_needs(cases[i].first, cases[i].step, cases[i].n, cases[i].last, v);
		memory_rule_make(v, n, cases[i].today > 0 ? cases[i].today * MIB : (double)NAN,
		                 cases[i].lambda, &r);
		assert_near(r.ask_b / MIB, cases[i].ask, 1e-9);
		assert_near(r.chance, cases[i].chance, 1e-12);
		assert_near(r.tail, cases[i].tail, 1e-12);
		assert_near(r.against_b / MIB, cases[i].against, 1e-9);
		assert_near(r.growth, 1, 0);
		assert_false(r.weak);
	}
}

TEST(few_runs_and_none)
{
	struct memory_need v[4];
	struct memory_rule r;

	memory_rule_make(v, make_needs(933, 10, 4, 0, v), NAN, MEMORY_RULE_CAREFUL, &r);
	assert_near(r.ask_b / MIB, 2048, 0); /* 963 × 1.2 */
	assert_true(r.weak);
	memory_rule_make(v, 0, 1e9, MEMORY_RULE_BALANCED, &r);
	assert_true(isnan(r.ask_b));
	v[0] = (struct memory_need){.need_b = NAN};
	v[1] = (struct memory_need){.need_b = 0};
	memory_rule_make(v, 2, NAN, MEMORY_RULE_BALANCED, &r);
	assert_true(isnan(r.ask_b));
}

/* Runs with the same need are one value with their number. */
TEST(from_a_histogram)
{
	static const struct memory_value value[] = {
	    {900 * MIB, 40}, {950 * MIB, 30.5}, {1500 * MIB, 3}, {9000 * MIB, 0.5}, {NAN, 4}};
	struct memory_need v[74];
	struct memory_value exact[73];
	struct memory_rule one, many;

	for (size_t i = 0; i < 73; i++)
		exact[i].runs = 1, exact[i].b = (i < 40 ? 900 : i < 70 ? 950 : 1500) * MIB;
	memory_rule_of_values(exact, 73, NAN, 20, 1, 0, &one);
	memory_rule_of_values(
	    (struct memory_value[]){{900 * MIB, 40}, {950 * MIB, 30}, {1500 * MIB, 3}}, 3, NAN, 20,
	    1, 0, &many);
	assert_near(one.ask_b, many.ask_b, 0);
	assert_near(one.tail, many.tail, 1e-12);
	assert_near(one.chance, many.chance, 1e-15);
	for (size_t i = 0; i < 73; i++)
		v[i] = (struct memory_need){.need_b = exact[i].b, .start = (double)(i * 31 % 73)};
	memory_rule_make(v, 73, NAN, 20, &many);
	assert_near(one.ask_b, many.ask_b, 0);
	memory_rule_of_values(value, 5, NAN, 20, 1, 0, &many);
	assert_near(many.runs, 74, 1e-12);
	assert_near(many.most_b / MIB, 9000, 0);
}

TEST(killed_runs)
{
	struct memory_need v[8];
	struct memory_rule r;

	make_needs(1000, 1, 6, 0, v);
	v[6] = (struct memory_need){.limit_b = 2048 * MIB, .killed = true, .start = 20};
	memory_rule_make(v, 7, NAN, MEMORY_RULE_BALANCED, &r);
	assert_near(r.most_b / MIB, 2048, 0);
	assert_true(r.ask_b / MIB >= 4096);
	/* Since then a run finished, which the rule decides by. */
	v[7] = (struct memory_need){.need_b = 2500 * MIB, .start = 21};
	memory_rule_make(v, 8, NAN, MEMORY_RULE_BALANCED, &r);
	assert_near(r.killed_b, 0, 0);
	/* Nothing but a killed run: twice what it had. */
	v[0] = (struct memory_need){.limit_b = 3000 * MIB, .killed = true};
	memory_rule_make(v, 1, NAN, MEMORY_RULE_BALANCED, &r);
	assert_near(r.ask_b / MIB, 6144, 0);
	assert_near(r.killed_b / MIB, 3000, 0);
}

TEST(growing_needs)
{
	struct memory_need v[20];
	struct memory_rule r;
	struct memory_half none = {0}, one = {1, 3, 9};

	for (size_t i = 0; i < 20; i++)
		v[i] = (struct memory_need){.need_b = (1000 + 100 * (double)i) * MIB,
		                            .start = (double)i};
	memory_rule_make(v, 20, NAN, MEMORY_RULE_BALANCED, &r);
	assert_near(r.growth, 1.712423823068336, 1e-9);
	assert_true(r.ask_b > 2900 * 1.7 * MIB);
	assert_near(memory_growth(&none, &one), 1, 0);
	/* All the same: rounding is no growth. */
	for (size_t i = 0; i < 20; i++)
		v[i].need_b = 1e9;
	memory_rule_make(v, 20, NAN, MEMORY_RULE_BALANCED, &r);
	assert_near(r.growth, 1, 0);
}

/* Only the last 200 count, whatever came before; a run whose need is unknown is none of them. */
TEST(the_last_runs)
{
	struct memory_need v[260];
	struct memory_rule r;

	for (size_t i = 0; i < 260; i++)
		v[i] = (struct memory_need){.need_b = (i < 60 ? 50000 : 1000) * MIB,
		                            .start = (double)i};
	memory_rule_make(v, 260, NAN, MEMORY_RULE_BALANCED, &r);
	assert_near(r.runs, 200, 0);
	assert_near(r.most_b / MIB, 1000, 0);
	v[259].need_b = NAN;
	memory_rule_make(v, 260, NAN, MEMORY_RULE_BALANCED, &r);
	assert_near(r.runs, 200, 0);
	assert_near(r.most_b / MIB, 50000, 0);
}

TEST(curve)
{
	static const struct memory_value v[] = {{1000 * MIB, 6}, {2000 * MIB, 3}, {4000 * MIB, 1}};
	struct memory_rule r;

	memory_rule_of_values(v, 3, 8192 * MIB, 20, 1, 0, &r);
	assert_near(memory_rule_chance(&r, v, 3, 1000 * MIB), 4.3 / 10.4, 1e-12);
	assert_near(memory_rule_chance(&r, v, 3, 3999 * MIB), 1.3 / 10.4, 1e-12);
	assert_near(memory_rule_chance(&r, v, 3, 4000 * MIB), 0.7 / 10.4, 1e-12);
	assert_near(memory_rule_cost(&r, 4096 * MIB, 0.05) / MIB, 4096 + 1 * (4096 + 8192), 1e-6);
}
