/* memory_rule: asks against worked numbers, from runs and from a histogram. */
#include <math.h>

#include "core/numbers/log_bucket.h"
#include "report/advice/memory_rule.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define MIB 1048576.0

/* first + i × step, and one more at the end if last is not 0, in MiB. */
static size_t make_needs(double first, double step, size_t n, double last, struct memory_value *v)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (struct memory_value){(first + (double)i * step) * MIB, 1, 0};
	if (last != 0)
		v[n] = (struct memory_value){last * MIB, 1, 0};
	return n + (last != 0);
}

static struct memory_rule rule_of(const struct memory_value *v, size_t n, double today_b,
                                  double lambda)
{
	struct memory_rule r;

	memory_rule_make(v, n, &(struct memory_situation){.today_b = today_b, .lambda = lambda},
	                 &r);
	return r;
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
		struct memory_value v[128];
		size_t n = make_needs(cases[i].first, cases[i].step, cases[i].n, cases[i].last, v);
		struct memory_rule r = rule_of(
		    v, n, cases[i].today > 0 ? cases[i].today * MIB : (double)NAN, cases[i].lambda);
		assert_near(r.ask_b / MIB, cases[i].ask, 1e-9);
		assert_near(r.chance, cases[i].chance, 1e-12);
		assert_near(r.tail, cases[i].tail, 1e-12);
		assert_near(r.against_b / MIB, cases[i].against, 1e-9);
		assert_near(r.growth, 1, 0);
		assert_false(r.weak);
	}
}

/* Of a catalog, only the bucket of a need is known. */
TEST(value_of_a_need)
{
	double low = log_bucket_low(2500), middle = log_bucket_middle(2500);
	double high = nextafter(log_bucket_low(2501), 0);

	assert_true(memory_rule_value(low, 2 * high) == middle);
	assert_true(memory_rule_value(high, 2 * high) == middle);
	assert_true(memory_rule_value(middle, 2 * high) == middle);
	assert_true(memory_rule_value(low, high) == high);
	assert_true(memory_rule_value(high, high) == high);
	assert_true(memory_rule_value(low, log_bucket_low(2501)) == middle);
}

TEST(few_runs_and_none)
{
	struct memory_value v[4];
	struct memory_rule r = rule_of(v, make_needs(933, 10, 4, 0, v), NAN, MEMORY_RULE_CAREFUL);

	assert_near(r.ask_b / MIB, 2048, 0); /* 963 × 1.2 */
	assert_true(r.weak);
	assert_true(isnan(rule_of(v, 0, 1e9, MEMORY_RULE_BALANCED).ask_b));
	v[0] = (struct memory_value){NAN, 1, 0};
	v[1] = (struct memory_value){0, 1, 0};
	assert_true(isnan(rule_of(v, 2, NAN, MEMORY_RULE_BALANCED).ask_b));
}

/* Runs with the same need are one value with their number. */
TEST(from_a_histogram)
{
	static const struct memory_value value[] = {{900 * MIB, 40, 0},
	                                            {950 * MIB, 30.5, 0},
	                                            {1500 * MIB, 3, 0},
	                                            {9000 * MIB, 0.5, 0},
	                                            {NAN, 4, 0}};
	struct memory_value exact[73];
	struct memory_rule one, many;

	for (size_t i = 0; i < 73; i++)
		exact[i] = (struct memory_value){(i < 40 ? 900 : i < 70 ? 950 : 1500) * MIB, 1, 0};
	one = rule_of(exact, 73, NAN, 20);
	many = rule_of(
	    (struct memory_value[]){{900 * MIB, 40, 0}, {950 * MIB, 30, 0}, {1500 * MIB, 3, 0}}, 3,
	    NAN, 20);
	assert_near(one.ask_b, many.ask_b, 0);
	assert_near(one.tail, many.tail, 1e-12);
	assert_near(one.chance, many.chance, 1e-15);
	many = rule_of(value, 5, NAN, 20);
	assert_near(many.runs, 74, 1e-12);
	assert_near(many.most_b / MIB, 9000, 0);
}

/* What the latest runs call for; the largest of it decides, and says so. */
TEST(latest_runs)
{
	struct memory_value v[20];
	struct memory_situation now = {.today_b = NAN, .lambda = MEMORY_RULE_THRIFTY};
	struct memory_rule r;

	make_needs(30000, 100, 20, 0, v);
	memory_rule_make(v, 20, &now, &r);
	assert_near(r.ask_b / MIB, 33792, 0);
	now.recent_b = 31900 * MIB;
	memory_rule_make(v, 20, &now, &r);
	assert_near(r.ask_b / MIB, 35840, 0); /* 31900 × 1.1 */
	assert_near(r.recent_b / MIB, 31900, 0);
	assert_near(r.growth, 1, 0);
	now.killed_b = 31900 * MIB;
	memory_rule_make(v, 20, &now, &r);
	assert_near(r.ask_b / MIB, 64512, 0);
	assert_near(r.killed_b / MIB, 31900, 0);
	assert_near(r.recent_b, 0, 0);
	/* Much less lately: the others count still. */
	now.recent_b = 1000 * MIB, now.killed_b = 0;
	memory_rule_make(v, 20, &now, &r);
	assert_near(r.ask_b / MIB, 33792, 0);
	assert_near(r.recent_b, 0, 0);
	/* Nothing but a run that was killed with 3000. */
	now.killed_b = now.recent_b = v[0].b = 3000 * MIB;
	memory_rule_make(v, 1, &now, &r);
	assert_near(r.ask_b / MIB, 6144, 0);
}

/* What a run needed that was killed is unknown: it fails with any ask. */
TEST(killed_runs)
{
	struct memory_value v[] = {{1000 * MIB, 39, 0}, {2000 * MIB, 2, 1}};
	struct memory_situation now = {
	    .today_b = 2048 * MIB, .lambda = MEMORY_RULE_BALANCED, .killed_most_b = 2000 * MIB};
	struct memory_rule r;
	char why[96];

	memory_rule_make(v, 2, &now, &r);
	assert_near(r.runs, 41, 0);
	assert_near(r.killed, 1, 0);
	assert_near(memory_rule_chance(&r, v, 2, 1500 * MIB), (1 + 1 + 0.3) / 41.4, 1e-12);
	assert_near(memory_rule_chance(&r, v, 2, 2000 * MIB), (1 + 0.7) / 41.4, 1e-12);
	assert_near(memory_rule_chance(&r, v, 2, 1e15), 1 / 41.4, 1e-9);
	assert_near(r.killed_b, 0, 0);
	assert_true(r.ask_b < 4000 * MIB);
	/* Two of 40 are one of 20: twice the largest limit that killed, though runs have finished. */
	v[1].killed = 2;
	v[0].runs = 38;
	memory_rule_make(v, 2, &now, &r);
	assert_near(r.ask_b / MIB, 4096, 0);
	assert_near(r.killed_b / MIB, 2000, 0);
	assert_true(r.killed_often);
	memory_rule_killed_text(&r, why);
	assert_string_equal(why, "the largest limit that killed 2 of 40 runs");
	now.lambda = MEMORY_RULE_THRIFTY;
	memory_rule_make(v, 2, &now, &r);
	assert_near(r.killed_b, 0, 0);
	/* A single one of few runs. */
	memory_rule_make((struct memory_value[]){{900 * MIB, 3, 0}, {2000 * MIB, 1, 1}}, 2, &now,
	                 &r);
	assert_true(r.weak);
	assert_near(r.ask_b / MIB, 4096, 0);
}

/* The largest need × 1.2 where the rule lost. */
TEST(plain)
{
	struct memory_value v[] = {{3000 * MIB, 36, 0}, {20000 * MIB, 4, 0}};
	struct memory_situation now = {.today_b = NAN, .lambda = MEMORY_RULE_BALANCED};
	struct memory_rule r;

	memory_rule_make(v, 2, &now, &r);
	assert_false(r.plain);
	assert_true(r.ask_b != 24576 * MIB);
	now.plain = true;
	now.growth = 1.5;
	memory_rule_make(v, 2, &now, &r);
	assert_true(r.plain && !r.weak);
	assert_near(r.ask_b / MIB, 24576, 0);
	assert_near(r.growth, 1, 0);
}

TEST(worse)
{
	const struct memory_score plain = {10, 1, 100};

	assert_true(memory_rule_worse(&(struct memory_score){10, 1, 101}, &plain));
	assert_false(memory_rule_worse(&(struct memory_score){9, 1, 101}, &plain));
	assert_false(memory_rule_worse(&(struct memory_score){10, 0, 101}, &plain));
	assert_false(memory_rule_worse(&(struct memory_score){10, 1, 100}, &plain));
}

static struct memory_half half_of(double first, double step, size_t n)
{
	struct memory_half h = {.runs = (double)n};

	for (size_t i = 0; i < n; i++) {
		double v = log(first + (double)i * step);
		h.sum += v;
		h.squares += v * v;
	}
	return h;
}

TEST(growing_needs)
{
	struct memory_half earlier = half_of(1000, 100, 10), later = half_of(2000, 100, 10);
	struct memory_half none = {0}, one = {1, 3, 9}, same = half_of(1e9, 0, 10);
	struct memory_situation ahead = {.today_b = NAN, .lambda = MEMORY_RULE_BALANCED};
	struct memory_value v[20];
	struct memory_rule flat, r;

	make_needs(1000, 100, 20, 0, v);
	assert_near(memory_growth(&earlier, &later), 1.712423823068336, 1e-9);
	memory_rule_make(v, 20, &ahead, &flat);
	ahead.growth = memory_growth(&earlier, &later);
	memory_rule_make(v, 20, &ahead, &r);
	assert_near(r.growth, ahead.growth, 0);
	assert_true(r.ask_b >= flat.ask_b * 1.7);
	assert_near(memory_growth(&none, &one), 1, 0);
	/* All the same: rounding is no growth. */
	assert_near(memory_growth(&same, &same), 1, 0);
}

TEST(curve)
{
	static const struct memory_value v[] = {
	    {1000 * MIB, 6, 0}, {2000 * MIB, 3, 0}, {4000 * MIB, 1, 0}};
	struct memory_rule r = rule_of(v, 3, 8192 * MIB, 20);

	assert_near(memory_rule_chance(&r, v, 3, 1000 * MIB), 4.3 / 10.4, 1e-12);
	assert_near(memory_rule_chance(&r, v, 3, 3999 * MIB), 1.3 / 10.4, 1e-12);
	assert_near(memory_rule_chance(&r, v, 3, 4000 * MIB), 0.7 / 10.4, 1e-12);
	assert_near(memory_rule_cost(&r, 4096 * MIB, 0.05) / MIB, 4096 + 1 * (4096 + 8192), 1e-6);
}
