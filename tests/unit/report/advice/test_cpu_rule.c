/* cpu_rule: CPUs for jobs of known shape, worked out by hand. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "report/advice/cpu_rule.h"
#include "tests/unit/unit.h"

/* 40 s with eight threads, 40 s with one, 40 s asleep. */
static struct cpu_rule rule(double asked, double slowdown)
{
	struct cpu_rule c = {.runs = 1, .asked = asked, .slowdown = slowdown};

	for (int i = 0; i < 120; i++) {
		double cores[] = {8, 1, 0};
		struct time_at_sample s = {
		    .h = 1, .c = cores[i % 3], .b = 1, .b_least = NAN, .b_most = NAN};
		time_at_add(&c.sums, &s);
	}
	return c;
}

TEST(fewest)
{
	static const struct {
		double asked, slowdown;
		bool is_short;
		double cpus;
	} cases[] = {
	    {16, 0, false, 8},    /* 120 s */
	    {16, 0.1, false, 7},  /* 80 + 320 / 7 = 125.7 of 132 s; 6: 133.3 s */
	    {16, 0.34, false, 4}, /* 160 of 160.8 s */
	    {4, 0.1, false, 4},   /* 160 of 176 s; 3: 186.7 s */
	    {4, 3, false, 1},     /* 400 of 640 s */
	    {16, 0.34, true, 7},  /* 8 would save 4.5 % */
	    {4, 3, true, 4},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cpu_rule c = rule(cases[i].asked, cases[i].slowdown);
		cpu_rule_make(&c, cases[i].is_short);
		assert_true(c.known && cpu_rule_is_worth(&c));
		if (c.cpus != cases[i].cpus)
			fail_msg("case %zu: %g", i, c.cpus);
	}
}

/* It waited for a CPU in a sixth of its time, and two threads met now and then: one CPU is enough. */
TEST(short_and_narrow)
{
	struct cpu_rule c = {.runs = 1, .asked = 4, .slowdown = 0.1};

	for (int i = 0; i < 100; i++) {
		struct time_at_sample s = {.h = 1,
		                           .c = 0.06,
		                           .w = 0.148,
		                           .w_most = NAN,
		                           .b = 0.2,
		                           .b_least = NAN,
		                           .b_most = NAN};
		time_at_add(&c.sums, &s);
	}
	cpu_rule_make(&c, true);
	assert_true(fabs(time_at_widest(&c.sums) - 1.04) < 0.001);
	assert_true(c.known && c.cpus == 1);
}

TEST(words)
{
	struct cpu_rule c = rule(16, 0.34);
	double cpus[CPU_RULE_ROWS];
	struct buf text = {0};
	char formula[352];

	cpu_rule_make(&c, false);
	cpu_rule_sentence(&c, &text);
	assert_string_equal(
	    buf_cstr(&text),
	    "With 4 CPUs instead of 16 it would take 2 min 40 s instead of 2 min if they are free.");
	buf_free(&text);
	cpu_rule_formula(&c, formula, sizeof formula);
	assert_string_equal(formula,
	                    "the fewest with which it takes at most 34% longer than with 16: "
	                    "2 min with 16, 2 min 40 s with 4, 3 min 7 s with 3");
	assert_int_equal(cpu_rule_list(&c, cpus), 7);
	assert_true(cpus[0] == 1 && cpus[5] == 8 && cpus[6] == 16);
}

TEST(as_long)
{
	struct cpu_rule c = rule(16, 0);
	struct buf text = {0};

	cpu_rule_make(&c, false);
	cpu_rule_sentence(&c, &text);
	assert_string_equal(buf_cstr(&text), "8 CPUs are as fast as 16: 2 min if they are free.");
	buf_free(&text);
}

/* The sums are those of two runs: the same CPUs, and the time of one. */
TEST(of_two_runs)
{
	struct cpu_rule c = rule(16, 0.34), one = c;
	struct buf text = {0};
	char formula[352];

	time_at_join(&c.sums, &one.sums);
	c.runs = 2;
	cpu_rule_make(&c, false);
	assert_true(c.cpus == 4);
	cpu_rule_sentence(&c, &text);
	assert_string_equal(
	    buf_cstr(&text),
	    "With 4 CPUs instead of 16 it would take 2 min 40 s instead of 2 min if they are free.");
	buf_free(&text);
	cpu_rule_formula(&c, formula, sizeof formula);
	assert_non_null(strstr(formula, "2 min 40 s with 4, 3 min 7 s with 3"));
}

TEST(unknown)
{
	struct cpu_rule c = {.asked = 4, .slowdown = 0.1};

	cpu_rule_make(&c, false);
	assert_false(c.known || cpu_rule_is_worth(&c));
	c = rule(NAN, 0.1);
	cpu_rule_make(&c, false);
	assert_false(c.known);
}
