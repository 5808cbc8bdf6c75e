/* one_case: linked into every unit test. With the environment variable CASE, only the cases whose name contains it
 * are run (tests/run NAME). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void run_the_named_case_only(void)
{
	static char pattern[512]; /* cmocka keeps the pointer */
	const char *name = getenv("CASE");

	if (!name || !*name)
		return;
	snprintf(pattern, sizeof pattern, "*%s*", name);
	cmocka_set_test_filter(pattern);
}
