/* ask_input: what was the same in all runs does not count; the rest is matched in order. */
#include <math.h>
#include <string.h>

#include "fleet/ask/ask_input.h"
#include "tests/unit/unit.h"

#define RUNS 3
static char text[RUNS + 1][JOB_INPUTS_SIZES_MAX + 1];

/* Fills v with runs of these sizes; their sum is wrong, so that it shows where it is used. */
static void runs_of(const char *const sizes[RUNS], struct memory_run v[RUNS])
{
	for (int i = 0; i < RUNS; i++)
		v[i] = (struct memory_run){.need = {.input_b = 7, .start = i}, .sizes = sizes[i]};
}

static void check(const char *const sizes[RUNS], size_t n_bytes, size_t changing,
                  const char *latest, double latest_b, const char *next)
{
	static const double bytes[] = {50, 60, 70};
	struct memory_run v[RUNS], with;
	double sum = 0;

	runs_of(sizes, v);
	assert_int_equal(ask_input_match(v, RUNS, bytes, n_bytes, text, &with), changing);
	assert_string_equal(v[RUNS - 1].sizes ? v[RUNS - 1].sizes : "(none)", latest);
	if (isnan(latest_b))
		assert_true(isnan(v[RUNS - 1].need.input_b));
	else
		assert_true(v[RUNS - 1].need.input_b == latest_b);
	assert_string_equal(with.sizes ? with.sizes : "(none)", next);
	for (size_t i = 0; i < n_bytes; i++)
		sum += bytes[i];
	assert_true(with.need.input_b == sum);
}

TEST(what_is_the_same_does_not_count)
{
	check((const char *[]){"1=1000;2=5", "1=1000;2=6", "1=1000;2=7"}, 1, 1, "2=7", 7, "2=50");
	/* Two files of a pair, in their order. */
	check((const char *[]){"ref=9;a=1;b=2", "ref=9;a=3;b=4", "ref=9;a=5;b=6"}, 2, 2, "a=5;b=6",
	      11, "a=50;b=60");
	/* One name for both: only the sum counts. */
	check((const char *[]){"ref=9;a=1;b=2", "ref=9;a=3;b=4", "ref=9;a=5;b=6"}, 1, 2, "(none)",
	      11, "(none)");
	check((const char *[]){"1=5", "1=6", "1=7"}, 3, 1, "(none)", 7, "(none)");
	/* The same size elsewhere is another input. */
	check((const char *[]){"1=5;2=6", "1=6;2=5", "1=5;2=6"}, 2, 2, "1=5;2=6", 11, "1=50;2=60");
}

TEST(little_is_known)
{
	/* All runs had the same inputs. */
	check((const char *[]){"1=5", "1=5", "1=5"}, 1, 0, "(none)", NAN, "(none)");
	check((const char *[]){"", "", ""}, 0, 1, "(none)", 7, "(none)");
	/* Too many to be listed: their sums. */
	check((const char *[]){"1=5;…", "1=6;…", "1=7;…"}, 1, 1, "(none)", 7, "(none)");
	/* Of one run alone they are not known. */
	check((const char *[]){"1=5", "1=6", "1=7;…"}, 1, 1, "", NAN, "1=50");
	/* One run does not say what is the same. */
	check((const char *[]){NULL, NULL, "1=5"}, 1, 1, "1=5", 5, "1=50");
}

TEST(no_runs)
{
	struct memory_run with;

	assert_int_equal(ask_input_match(NULL, 0, NULL, 0, text, &with), 0);
	assert_true(with.need.input_b == 0);
}
