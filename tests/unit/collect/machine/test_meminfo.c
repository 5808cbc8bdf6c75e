/* Tests of collect/machine/meminfo.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "collect/machine/meminfo.h"

static int parse(const char *text, struct meminfo *m)
{
	return meminfo_parse(text, strlen(text), m);
}

static void fields(void **state)
{
	struct meminfo m;

	(void)state;
	assert_int_equal(parse("MemTotal:       1000 kB\nMemFree:  1 kB\nMemAvailable: 2 kB\n"
	                       "Buffers: 3 kB\nCached: 4 kB\nSwapCached: 99 kB\nActive: 5 kB\n"
	                       "Inactive: 6 kB\nActive(anon): 99 kB\nInactive(file): 99 kB\n"
	                       "SwapTotal: 8 kB\nSwapFree: 7 kB\nSReclaimable: 9 kB\n",
	                       &m),
	                 0);
	assert_true(m.total_b == 1000 * 1024);
	assert_true(m.free_b == 1024);
	assert_true(m.available_b == 2048);
	assert_true(m.buffers_b == 3072);
	assert_true(m.cached_b == 4096);
	assert_true(m.active_b == 5120);
	assert_true(m.inactive_b == 6144);
	assert_true(m.swap_free_b == 7168);
	assert_true(m.swap_total_b == 8192);
	assert_true(m.sreclaimable_b == 9216);
}

static void any_order_first_wins(void **state)
{
	struct meminfo m;

	(void)state;
	assert_int_equal(parse("Cached: 4 kB\nMemTotal: 1 kB\nMemTotal: 7 kB\nBuffers:\n", &m), 0);
	assert_true(m.total_b == 1024);
	assert_true(m.cached_b == 4096);
	assert_true(isnan(m.buffers_b));
	assert_true(isnan(m.available_b));
}

static void broken(void **state)
{
	static const char *const texts[] = {"", "\n\n", "MemTotal", "MemTotal: -1 kB",
	                                    "MemFree: 5 kB\n"};
	struct meminfo m;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(parse(texts[i], &m), -1);
	assert_true(m.free_b == 5 * 1024);
	assert_int_equal(parse("MemTotal: 99999999999999999999999 kB", &m), 0);
	assert_true(isfinite(m.total_b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fields),
	    cmocka_unit_test(any_order_first_wins),
	    cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
