/* Tests of collect/machine/discover_server.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/discover_server.h"
#include "tests/unit/unit.h"

TEST(machines)
{
	static const struct {
		const char *dir;
		double vcpus, memory_b;
	} rows[] = {
	    {"tests/fixtures/root/idle-vm", 2, 24684096 * 1024.0},
	    {"tests/fixtures/root/cpus-64", 64, 527876184 * 1024.0},
	    {"tests/fixtures/root/container", 4, 16393216 * 1024.0},
	};

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

/* A kernel whose /proc/stat may not be read tells its CPUs in /sys, as a list. */
TEST(cpu_lists)
{
	static const struct {
		const char *text;
		double cpus;
	} rows[] = {
	    {"0\n", 1},         {"0-3\n", 4},  {"0-3,8,10-11\n", 7}, {"0-1,4", 3},
	    {"3-1\n", NAN},     {"0-\n", NAN}, {"cpu0\n", NAN},      {"0-1,\n", NAN},
	    {"0-1048577", NAN}, {"\n", NAN},
	};
	static const char *const dirs[] = {"/sys", "/sys/devices", "/sys/devices/system",
	                                   "/sys/devices/system/cpu"};
	char top[] = "/tmp/rtrack-test-cpus-XXXXXX", path[80];
	struct root r;

	assert_non_null(mkdtemp(top));
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		snprintf(path, sizeof path, "%s%s", top, dirs[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof path, "%s%s/online", top, dirs[3]);
	assert_int_equal(root_open(&r, top, NULL), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct snapshot s = {0};
		FILE *f = fopen(path, "we");
		assert_non_null(f);
		assert_true(fputs(rows[i].text, f) >= 0 && fclose(f) == 0);
		(void)discover_server(&r, &s);
		if (!(s.server.vcpus == rows[i].cpus ||
		      (isnan(s.server.vcpus) && isnan(rows[i].cpus))))
			fail_msg("%s: %g CPUs", rows[i].text, s.server.vcpus);
		snapshot_free(&s);
	}
	root_close(&r);
	assert_int_equal(unlink(path), 0);
	for (size_t i = sizeof dirs / sizeof *dirs; i--;) {
		snprintf(path, sizeof path, "%s%s", top, dirs[i]);
		assert_int_equal(rmdir(path), 0);
	}
	assert_int_equal(rmdir(top), 0);
}

TEST(nothing_there)
{
	char dir[] = "/tmp/rtrack-test-server-XXXXXX";
	struct snapshot s = {0};
	struct root r;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(root_open(&r, dir, NULL), 0);
	assert_int_equal(discover_server(&r, &s), -1);
	assert_false(s.server.known);
	assert_true(isnan(s.server.vcpus));
	snapshot_free(&s);
	root_close(&r);
	rmdir(dir);
}

TEST(live)
{
	struct snapshot s = {0};
	struct root r;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	assert_int_equal(discover_server(&r, &s), 0);
	assert_true(s.server.vcpus >= 1);
	assert_true(s.server.memory_b > 0);
	snapshot_free(&s);
	root_close(&r);
}
