/* memory_advice: which way of asking is used, for which input, and how it would have done. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice/memory_advice.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define MIB 1048576.0
#define MAX 300

struct made {
	struct memory_run v[MAX];
	char sizes[MAX][64];
	struct memory_advice out;
};

/* Deterministic, between 0 and 1. */
static double noise(size_t i)
{
	double v = sin((double)i * 12.9898) * 43758.5453;

	return v - floor(v);
}

static struct made *make_runs(size_t n)
{
	struct made *m = calloc(1, sizeof *m);

	if (!m)
		abort();
	for (size_t i = 0; i < n; i++)
		m->v[i] = (struct memory_run){.need = {.need_b = (1000 + 20 * noise(i)) * MIB,
		                                       .input_b = NAN,
		                                       .limit_b = NAN,
		                                       .start = (double)i},
		                              .wall_s = 100 + noise(i + 7)};
	return m;
}

/* Input bytes and memory of run i. "ref" is always there, "--in" is what the memory follows. */
static void give_inputs(struct made *m, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double in = (100 + 900 * noise(i)) * MIB, ref = 5000 * MIB * noise(i + 99);
		snprintf(m->sizes[i], sizeof m->sizes[i], "--in=%.0f;ref=%.0f", in, ref);
		m->v[i].sizes = m->sizes[i];
		m->v[i].need.input_b = in + ref;
		m->v[i].need.need_b = 3 * in + (50 + 5 * noise(i + 33)) * MIB;
		m->v[i].wall_s = in / MIB;
	}
}

static void advise(struct made *m, size_t n, double lambda)
{
	struct memory_run with = m->v[n - 1];

	memory_advice_make(
	    m->v, n, &(struct memory_request){.today_b = NAN, .lambda = lambda, .with = &with},
	    &m->out);
}

TEST(few_runs)
{
	struct made *m = make_runs(4);
	char how[200];

	advise(m, 4, 0);
	assert_int_equal(m->out.by, MEMORY_BY_PLAIN);
	assert_near(m->out.ask_b / MIB, 2048, 0);
	assert_int_equal(m->out.record.runs, 0);
	memory_advice_make(NULL, 0, &(struct memory_request){0}, &m->out);
	assert_int_equal(m->out.by, MEMORY_BY_NOTHING);
	memory_advice_formula(&m->out, how, sizeof how);
	assert_string_equal(how, "not measured");
	free(m);
}

TEST(by_the_rule)
{
	struct made *m = make_runs(300);
	char how[400];

	advise(m, 12, 0);
	assert_int_equal(m->out.by, MEMORY_BY_RULE);
	assert_near(m->out.rule.lambda, 20, 0);
	assert_int_equal(m->out.record.runs, 11);
	assert_int_equal(m->out.record.failed, 0);
	assert_true(m->out.time_off < 0.01);
	memory_advice_formula(&m->out, how, sizeof how);
	assert_non_null(strstr(how, "the step A with the lowest A + 20 × P × (A + 10"));
	assert_non_null(strstr(how, "from 12 runs of up to 10"));
	advise(m, 300, 50);
	assert_near(m->out.rule.runs, 200, 0);
	assert_near(m->out.rule.lambda, 50, 0);
	free(m);
}

TEST(by_the_input)
{
	struct made *m = make_runs(20);
	struct memory_run with;
	char name[64];

	give_inputs(m, 20);
	advise(m, 20, 0);
	assert_int_equal(m->out.by, MEMORY_BY_INPUT);
	memory_input_name(&m->out.input, name);
	assert_string_equal(name, "the input of --in");
	assert_near(m->out.fit.b, 3, 0.02);
	assert_int_equal(m->out.trial.runs, 20);
	assert_int_equal(m->out.trial.failed, 0);
	assert_false(m->out.guess);
	assert_near(m->out.wall.b * MIB, 1, 1e-9);
	assert_near(m->out.wall_most_s, m->out.input_b / MIB, 1e-6);
	/* Three times the largest: a guess. */
	with = m->v[0];
	with.sizes = "--in=3500000000;ref=1";
	memory_advice_make(m->v, 20, &(struct memory_request){.today_b = NAN, .with = &with},
	                   &m->out);
	assert_true(m->out.guess);
	assert_true(m->out.ask_b > 3 * 3.5e9 && m->out.ask_b < 3 * 3.5e9 * 1.2);
	/* Without inputs of the next run. */
	with.need.input_b = NAN;
	with.sizes = NULL;
	memory_advice_make(m->v, 20, &(struct memory_request){.today_b = NAN, .with = &with},
	                   &m->out);
	assert_int_equal(m->out.by, MEMORY_BY_RULE);
	assert_near(m->out.rule.lambda, 50, 0);
	free(m);
}

/* An input that is the same in all runs explains nothing, and says nothing of what does. */
TEST(the_same_input)
{
	struct made *m = make_runs(20);

	for (size_t i = 0; i < 20; i++)
		m->v[i].need.input_b = 5000;
	advise(m, 20, 0);
	assert_int_equal(m->out.by, MEMORY_BY_RULE);
	assert_near(m->out.rule.lambda, 20, 0);
	m->v[3].need.input_b = 5001;
	advise(m, 20, 0);
	assert_near(m->out.rule.lambda, 50, 0);
	free(m);
}

TEST(total_and_largest)
{
	static const struct memory_run run = {.need = {.input_b = 60}, .sizes = "a=10;2=30;a=20"};
	static const struct memory_run cut = {.need = {.input_b = 60}, .sizes = "a=10;…"};
	struct memory_input in = {.of = MEMORY_INPUT_ALL};

	assert_near(memory_input_bytes(&in, &run), 60, 0);
	in.of = MEMORY_INPUT_LARGEST;
	assert_near(memory_input_bytes(&in, &run), 30, 0);
	assert_true(isnan(memory_input_bytes(&in, &cut)));
	in = (struct memory_input){MEMORY_INPUT_AT, "a"};
	assert_near(memory_input_bytes(&in, &run), 30, 0);
	strcpy(in.at, "b");
	assert_true(isnan(memory_input_bytes(&in, &run)));
}

/* Its memory follows its input up to a point, and each run has more input than all before it. */
TEST(a_line_that_does_worse)
{
	struct made *m = make_runs(40);
	char how[400];

	for (size_t i = 0; i < 40; i++) {
		m->v[i].need.input_b = (double)(i + 1) * 100 * MIB;
		m->v[i].need.need_b = fmin((double)i + 1, 10) * 5000 * MIB;
	}
	advise(m, 40, 0);
	assert_true(m->out.fit.usable);
	assert_true(m->out.fit_lost);
	assert_int_equal(m->out.by, MEMORY_BY_PLAIN);
	memory_advice_formula(&m->out, how, sizeof how);
	assert_non_null(strstr(how, "the most of 40 runs, × 1.2"));
	/* Two of 40 were killed: twice their limit is more than that. */
	for (size_t i = 20; i < 22; i++) {
		m->v[i].need.killed = true;
		m->v[i].need.limit_b = 40000 * MIB;
	}
	advise(m, 40, 0);
	assert_int_equal(m->out.by, MEMORY_BY_PLAIN);
	assert_near(m->out.ask_b / MIB, 79 * 1024, 0);
	memory_advice_formula(&m->out, how, sizeof how);
	assert_string_equal(how, "step(40000.00 MiB, the largest limit that killed 2 of 40 runs, × "
	                         "2) = 80896 MiB");
	for (size_t i = 20; i < 22; i++)
		m->v[i].need.killed = false;
	/* While it follows, the line is used; nine predictions would not be enough to reject it. */
	advise(m, 14, 0);
	assert_int_equal(m->out.by, MEMORY_BY_INPUT);
	free(m);
}

TEST(killed_runs)
{
	struct made *m = make_runs(30);
	char how[400];

	m->v[11].need.killed = true;
	m->v[11].need.limit_b = 3000 * MIB;
	m->v[11].wall_s = NAN;
	advise(m, 12, 0);
	assert_near(m->out.ask_b / MIB, 6144, 0);
	assert_near(m->out.rule.killed_b / MIB, 3000, 0);
	/* What it would have got then was less than what killed it. */
	assert_int_equal(m->out.record.failed, 1);
	/* Since then a run finished. */
	m->v[10].need = m->v[11].need;
	m->v[10].need.start = 10;
	m->v[11].need =
	    (struct memory_need){.need_b = 2500 * MIB, .input_b = NAN, .limit_b = NAN, .start = 11};
	advise(m, 12, 0);
	assert_near(m->out.rule.killed_b / MIB, 3000, 0); /* one of 12 */
	assert_true(m->out.rule.killed_often);
	memory_advice_formula(&m->out, how, sizeof how);
	assert_string_equal(
	    how, "step(3000.00 MiB, the largest limit that killed 1 of 12 runs, × 2) = 6144 MiB");
	assert_int_equal(m->out.record.failed, 1);
	/* One of 30 is less than one of 20. It fails, whatever would have been asked for. */
	m->v[2].need = (struct memory_need){
	    .need_b = 500 * MIB, .input_b = NAN, .limit_b = 800 * MIB, .killed = true, .start = 2};
	m->v[10].need = m->v[9].need;
	advise(m, 30, 0);
	assert_near(m->out.rule.killed_b, 0, 0);
	assert_int_equal(m->out.record.runs, 29);
	assert_int_equal(m->out.record.failed, 2); /* and the one of 2500 */
	free(m);
}

/* The last five decide where the others are smaller; what came before the last 200 is forgotten. */
TEST(the_latest_runs)
{
	struct made *m = make_runs(260);
	char how[400];

	for (size_t i = 0; i < 60; i++)
		m->v[i].need.need_b = 50000 * MIB;
	m->v[256].need.need_b = 30000 * MIB;
	advise(m, 260, 5);
	assert_near(m->out.rule.most_b / MIB, 30000, 0);
	assert_near(m->out.ask_b / MIB, 33792, 0);
	memory_advice_formula(&m->out, how, sizeof how);
	assert_string_equal(how,
	                    "step(30000.00 MiB, the most of the last 5 runs, × 1.1) = 33792 MiB");
	m->v[256].need.need_b = 1000 * MIB;
	m->v[254].need.need_b = 30000 * MIB;
	advise(m, 260, 5);
	assert_near(m->out.rule.recent_b, 0, 0);
	assert_true(m->out.ask_b < 2048.5 * MIB);
	free(m);
}

/* It takes a few large ones for a heavy tail, which these are not: they are all of one size. */
TEST(the_plain_way_where_the_rule_wastes_more)
{
	struct made *m = make_runs(40);
	char how[400];

	for (size_t i = 0; i < 40; i++)
		m->v[i].need.need_b = (i % 9 == 8 ? 20000 : 3000) * (1 + 0.02 * noise(i)) * MIB;
	advise(m, 40, 0);
	assert_true(m->out.rule_lost);
	assert_int_equal(m->out.by, MEMORY_BY_PLAIN);
	assert_near(m->out.record.failed, m->out.plain.failed, 0);
	memory_advice_formula(&m->out, how, sizeof how);
	assert_non_null(strstr(how, "the most of 40 runs, × 1.2"));
	/* Nine predictions say nothing yet. */
	advise(m, 10, 0);
	assert_false(m->out.rule_lost);
	free(m);
}
