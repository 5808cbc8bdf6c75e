/* pipeline_chain: the examples of docs/pipelines.md, and what must hold for any run. */
#include "fleet/pipeline/pipeline_chain.h"
#include "tests/unit/fleet/pipeline_made.h"

static void assert_chain(const struct pipeline *p, const char *expected)
{
	struct pipeline_chain c;
	struct err e = {0};
	char text[512] = "";

	assert_int_equal(pipeline_chain_make(p, &c, &e), 0);
	for (size_t i = 0; i < c.n; i++) {
		const struct pipeline_link *l = &c.link[i];
		size_t n = strlen(text);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%g %s", i ? "; " : "",
		                      l->before_s, p->attempt[l->at].name);
		if (!isnan(l->slot_s))
			snprintf(text + n, sizeof text - n, " slot %g", l->slot_s);
	}
	assert_string_equal(text, expected);
	pipeline_chain_free(&c);
}

/* prepare 0–10; a 12–20, b 11–40; merge 41–50: merge waited for b, and b for prepare. */
TEST(test_starts)
{
	struct pipeline p;

	MADE_PIPELINE(&p, {.name = "prepare", .start = 0, .wall_s = 10},
	              {.name = "a", .start = 12, .wall_s = 8},
	              {.name = "b", .start = 11, .wall_s = 29},
	              {.name = "merge", .start = 41, .wall_s = 9});
	assert_chain(&p, "0 prepare; 1 b; 1 merge");
	pipeline_free(&p);
}

/* The same with submits: b was submitted at 10 and waited for a slot until 11; merge at 45. */
TEST(test_submits)
{
	struct pipeline p;
	struct pipeline_waits w;
	struct err e = {0};

	MADE_PIPELINE(&p, {.name = "prepare", .start = 5, .wall_s = 5, .submit = 1},
	              {.name = "a", .start = 30, .wall_s = 8, .submit = 10},
	              {.name = "b", .start = 11, .wall_s = 29, .submit = 10},
	              {.name = "merge", .start = 56, .wall_s = 9, .submit = 55});
	assert_chain(&p, "0 prepare slot 4; 0 b slot 1; 15 merge slot 1");
	assert_int_equal(pipeline_chain_waits(&p, &w, &e), 0);
	assert_int_equal(w.known, 4);
	assert_int_equal(w.others, 2); /* a and b; merge came 15 s after b */
	assert_int_equal(w.slot, 4);
	assert_true(w.others_s == 18 && w.slot_s == 26);
	assert_true(w.slot_p50_s == 2.5 && w.slot_max_s == 20);
	pipeline_free(&p);
}

/* All submitted at once: the last waited for a slot, not for the others. */
TEST(test_array)
{
	struct pipeline p;

	MADE_PIPELINE(&p, {.name = "a", .start = 2, .wall_s = 10, .submit = 1},
	              {.name = "b", .start = 12, .wall_s = 10, .submit = 1});
	assert_chain(&p, "0 b slot 11");
	pipeline_free(&p);
}

/* Attempts that take no time, and such as end at the same time, are no endless chain. */
TEST(test_no_time)
{
	struct pipeline p;

	MADE_PIPELINE(&p, {.name = "a", .start = 5, .wall_s = 0},
	              {.name = "b", .start = 5, .wall_s = 0},
	              {.name = "c", .start = 5, .wall_s = 0});
	assert_chain(&p, "0 a; 0 b; 0 c");
	pipeline_free(&p);
	MADE_PIPELINE(&p, {.name = "unknown", .no_start = true, .wall_s = 3});
	assert_chain(&p, "");
	pipeline_free(&p);
}

/* Whatever runs: the chain's times add up to the run's, and each link ends before the next. */
TEST(test_sums_of_any)
{
	uint32_t seed = 7;

	for (int round = 0; round < 200; round++) {
		struct pipeline p = {0};
		struct pipeline_chain c;
		struct err e = {0};
		double sum;
		for (int i = 0; i < 40; i++) {
			struct pipeline_made m = {.name = "x"};
			seed = seed * 1664525 + 1013904223;
			m.start = 100 + (seed >> 16) % 300;
			m.wall_s = (seed >> 10) % 50;
			m.submit = seed % 3 ? 0 : m.start - (double)((seed >> 5) % 60);
			made_add(&p, &m);
		}
		assert_int_equal(pipeline_make(&p, &e), 0);
		assert_int_equal(pipeline_chain_make(&p, &c, &e), 0);
		sum = c.run_s + c.before_s + c.slot_s;
		assert_true(fabs(sum - (p.end - fmin(p.begin, p.first_submit))) < 1e-3);
		for (size_t i = 1; i < c.n; i++)
			assert_true(p.attempt[c.link[i - 1].at].end <=
			            p.attempt[c.link[i].at].start);
		assert_true(p.attempt[c.link[c.n - 1].at].end == p.end);
		pipeline_chain_free(&c);
		pipeline_free(&p);
	}
}
