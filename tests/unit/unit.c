/* unit: runs the cases that TEST has added. It is linked into every unit test. With the environment variable CASE, only
 * those whose name contains it are run (tests/run NAME). */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

static struct CMUnitTest tests[100]; /* cmocka passes over those without a name */
static size_t n_tests;
static CMFixtureFunction begin, end;

void unit_add(struct CMUnitTest test)
{
	if (n_tests == sizeof tests / sizeof *tests)
		abort();
	tests[n_tests++] = test;
}

void unit_around_all(CMFixtureFunction setup, CMFixtureFunction teardown)
{
	begin = setup;
	end = teardown;
}

int main(void)
{
	static char pattern[512]; /* cmocka keeps the pointer */
	const char *name = getenv("CASE");

	if (name && *name) {
		snprintf(pattern, sizeof pattern, "*%s*", name);
		cmocka_set_test_filter(pattern);
	}
	return cmocka_run_group_tests(tests, begin, end);
}
