/* comparison: phases that all runs have, each beginning at one place. */
#include <math.h>
#include <string.h>

#include "report/chart/comparison.h"
#include "tests/unit/unit.h"

/* Names of phases, and when they were: the name's index, from, to. */
struct given {
	const char *names[4];
	double bands[4][3];
};

static void set_phases(struct phase_usage *u, const struct given *g)
{
	for (; u->n < 4 && g->names[u->n]; u->n++)
		u->name[u->n].name = g->names[u->n];
	for (; u->n_spans < 4 && g->bands[u->n_spans][2] > 0; u->n_spans++)
		u->span[u->n_spans] =
		    (struct phase_usage_span){(size_t)g->bands[u->n_spans][0],
		                              g->bands[u->n_spans][1], g->bands[u->n_spans][2]};
}

/* The phases in common as text: "load 0+10, fit 10+40". */
static void common(const struct given *given, size_t n, const char *expected)
{
	struct comparison c = {.n = n};
	struct comparison_align a;
	struct buf text = {0};

	for (size_t i = 0; i < n; i++) {
		c.v[i].run = i;
		set_phases(&c.v[i].phases, &given[i]);
	}
	comparison_align(&a, &c);
	for (size_t k = 0; k < a.n; k++)
		buf_printf(&text, "%s%s %g+%g", k ? ", " : "", a.name[k], a.at[k], a.width[k]);
	assert_string_equal(buf_cstr(&text), expected);
	buf_free(&text);
}

#define LOAD_FIT(from, middle, to)                                                                 \
	{                                                                                          \
		{"load", "fit"},                                                                   \
		{                                                                                  \
			{0, from, middle},                                                         \
			{                                                                          \
				1, middle, to                                                      \
			}                                                                          \
		}                                                                                  \
	}
#define NONE                                                                                       \
	{                                                                                          \
		{NULL},                                                                            \
		{                                                                                  \
			{                                                                          \
				0                                                                  \
			}                                                                          \
		}                                                                                  \
	}

TEST(in_common)
{
	const struct given both[] = {LOAD_FIT(100, 105, 145), LOAD_FIT(900, 910, 930)},
			   with_none[] = {LOAD_FIT(100, 105, 145), NONE, LOAD_FIT(9, 10, 30)},
			   alone[] = {LOAD_FIT(100, 105, 145), NONE},
			   other_order[] = {LOAD_FIT(100, 105, 145),
	                                    {{"fit", "load"}, {{0, 1, 2}, {1, 2, 3}}}},
			   twice[] = {LOAD_FIT(100, 105, 145),
	                              {{"load", "fit"}, {{0, 1, 2}, {1, 2, 3}, {0, 3, 4}}}},
			   others[] = {LOAD_FIT(100, 105, 145), {{"a"}, {{0, 1, 2}}}},
			   empty[] = {LOAD_FIT(100, 105, 145), LOAD_FIT(5, 5, 9)};

	common(both, 2, "load 0+10, fit 10+40");
	common(with_none, 3, "load 0+5, fit 5+40");
	common(alone, 2, "");
	common(other_order, 2, "load 0+5");
	common(twice, 2, "fit 0+40");
	common(others, 2, "");
	common(empty, 2, "fit 0+40");
}

/* 3 s into the second phase of a run whose first one took half as long as the other's. */
TEST(places)
{
	const struct given both[] = {LOAD_FIT(100, 105, 145), LOAD_FIT(900, 910, 930)};
	struct comparison c = {.n = 2};
	struct comparison_align a;
	size_t phase = 9;

	for (size_t i = 0; i < 2; i++)
		set_phases(&c.v[i].phases, &both[i]);
	comparison_align(&a, &c);
	assert_true(a.span == 50);
	assert_true(comparison_align_at(&a, 0, 108, &phase) == 13);
	assert_int_equal(phase, 1);
	assert_true(comparison_align_at(&a, 1, 910, &phase) == 10);
	assert_int_equal(phase, 0);
	assert_true(isnan(comparison_align_at(&a, 0, 100, &phase)));
	assert_true(isnan(comparison_align_at(&a, 1, 931, &phase)));
}
