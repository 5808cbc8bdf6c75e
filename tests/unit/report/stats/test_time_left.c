/* time_left: what is left of a running job, by the earlier runs that took longer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/stats/time_left.h"
#include "tests/unit/unit.h"

static const struct {
	const char *what;
	size_t n;
	double took[6], elapsed, left;
	const char *text;
} cases[] = {
    {"no earlier run", 0, {0}, 10, NAN, ""},
    {"one run", 1, {600}, 100, 500, "about 8 min left, from 1 earlier run"},
    {"one run, and longer than it",
     1,
     {600},
     601,
     NAN,
     "longer than 1 earlier run, which took 10 min"},
    {"the median of all, while all took longer",
     3,
     {900, 600, 1200},
     300,
     600,
     "about 10 min left, from 3 earlier runs"},
    {"of two, their mean", 2, {600, 900}, 0, 750, "about 13 min left, from 2 earlier runs"},
    {"those that ended earlier do not count",
     5,
     {60, 70, 80, 3600, 7200},
     100,
     5300,
     "about 1 h 28 min left, from 5 earlier runs"},
    {"as long as the longest",
     2,
     {60, 120},
     120,
     NAN,
     "longer than each of 2 earlier runs, which took at most 2 min"},
    {"never no time", 1, {100}, 99.5, 0.5, "about 5 s left, from 1 earlier run"},
    {"hours, to 5 minutes", 1, {36000}, 100, 35900, "about 10 h left, from 1 earlier run"},
};

TEST(what_is_left)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double took[6];
		struct buf text = {0};
		struct time_left t;
		memcpy(took, cases[i].took, sizeof took);
		t = time_left_of(took, cases[i].n, cases[i].elapsed);
		time_left_text(&t, &text);
		if (strcmp(buf_cstr(&text), cases[i].text) != 0 || t.runs != cases[i].n)
			fail_msg("%s: \"%s\"", cases[i].what, buf_cstr(&text));
		if (cases[i].n && !(isnan(cases[i].left) ? isnan(t.left_s)
		                                         : fabs(t.left_s - cases[i].left) < 1e-9))
			fail_msg("%s: %g", cases[i].what, t.left_s);
		buf_free(&text);
	}
}

TEST(unknown_length_so_far)
{
	double took[] = {1};

	assert_int_equal(time_left_of(took, 1, NAN).runs, 0);
}

TEST(only_runs_that_are_used)
{
	struct run v[4] = {{.duration = 7},
	                   {.duration = 20, .used = true},
	                   {.duration = NAN, .used = true},
	                   {.duration = 30}};
	struct runs r = {.v = v, .n = 4};
	size_t n;
	double *took = time_left_history(&r, &n);

	assert_int_equal(n, 1);
	assert_true(took[0] == 20);
	free(took);
	v[1].used = false;
	assert_null(time_left_history(&r, &n));
	assert_int_equal(n, 0);
}
