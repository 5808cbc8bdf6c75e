/* Tests of collect/machine/procstat.c. */
#include <string.h>

#include "collect/machine/procstat.h"
#include "collect/procfs/root.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

static int parse(const char *text, uint64_t ticks[PROCSTAT_CPU_COUNT])
{
	return procstat_parse(text, strlen(text), ticks);
}

TEST(fields)
{
	uint64_t ticks[PROCSTAT_CPU_COUNT];

	assert_int_equal(parse("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4\n", ticks), 0);
	for (size_t i = 0; i < PROCSTAT_CPU_COUNT; i++)
		assert_int_equal(ticks[i], i + 1);
	assert_int_equal(PROCSTAT_STEAL, 7);
}

TEST(old_and_broken)
{
	static const struct {
		const char *text;
		int rc;
	} rows[] = {
	    {"cpu 1 2 3 4", 0},   {"cpu 1 2 3", -1}, {"cpu  1 -2 3 4 5\n", -1},     {"", -1},
	    {"cpu0 1 2 3 4", -1}, {"cpu", -1},       {"junk\ncpu  1 2 3 4 5\n", 0},
	};
	uint64_t ticks[PROCSTAT_CPU_COUNT];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(parse(rows[i].text, ticks), rows[i].rc);
	assert_int_equal(ticks[PROCSTAT_STEAL], 0);
}

TEST(counts_cpus)
{
	static const struct {
		const char *machine;
		long cpus;
	} rows[] = {{"idle-vm", 2}, {"cpus-64", 64}, {"container", 4}, {"hostile", 3}};
	char text[32768];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct root r = captured_root(rows[i].machine);
		long n;

		n = root_read(&r, "proc/stat", text, sizeof text);
		assert_true(n > 0);
		assert_int_equal(procstat_cpus(text, (size_t)n), rows[i].cpus);
		root_close(&r);
	}
	assert_int_equal(procstat_cpus("cpu 1\ncpufreq 1\n", 16), 0);
}
