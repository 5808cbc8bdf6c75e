/* Tests of collect/discover_server.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../../collect/discover_server.h"

static void machines(void **state)
{
	static const struct {
		const char *dir;
		double vcpus, memory_b;
	} rows[] = {
	    {"tests/fixtures/root/idle-vm", 2, 24684096 * 1024.0},
	    {"tests/fixtures/root/cpus-64", 64, 527876184 * 1024.0},
	    {"tests/fixtures/root/container", 4, 16393216 * 1024.0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct snapshot s = {0};
		struct root r;

		assert_int_equal(root_open(&r, rows[i].dir, NULL), 0);
		assert_int_equal(discover_server(&r, &s), 0);
		assert_true(s.server.known);
		assert_string_equal(s.server.os, "Linux");
		assert_string_equal(s.server.allocation, "unknown");
		assert_string_equal(s.server.gpu_name, "");
		assert_true(s.server.vcpus == rows[i].vcpus);
		assert_true(s.server.memory_b == rows[i].memory_b);
		assert_true(s.server.gpu_count == 0 && s.server.gpu_memory_b == 0);
		snapshot_free(&s);
		root_close(&r);
	}
}

static void nothing_there(void **state)
{
	char dir[] = "/tmp/rtrack-test-server-XXXXXX";
	struct snapshot s = {0};
	struct root r;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(root_open(&r, dir, NULL), 0);
	assert_int_equal(discover_server(&r, &s), -1);
	assert_false(s.server.known);
	assert_true(isnan(s.server.vcpus));
	snapshot_free(&s);
	root_close(&r);
	rmdir(dir);
}

static void live(void **state)
{
	struct snapshot s = {0};
	struct root r;

	(void)state;
	assert_int_equal(root_open(&r, NULL, NULL), 0);
	assert_int_equal(discover_server(&r, &s), 0);
	assert_true(s.server.vcpus >= 1);
	assert_true(s.server.memory_b > 0);
	snapshot_free(&s);
	root_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(machines),
	    cmocka_unit_test(nothing_there),
	    cmocka_unit_test(live),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
