/* Tests of collect/machine/meminfo.c. */
#include <math.h>
#include <string.h>

#include "collect/machine/meminfo.h"
#include "tests/unit/unit.h"

#define FREE      METRIC_SYSTEM_MEMORY_FREE
#define USED      METRIC_SYSTEM_MEMORY_USED
#define BUFFERS   METRIC_SYSTEM_MEMORY_BUFFERS
#define CACHED    METRIC_SYSTEM_MEMORY_CACHED
#define ACTIVE    METRIC_SYSTEM_MEMORY_ACTIVE
#define INACTIVE  METRIC_SYSTEM_MEMORY_INACTIVE
#define AVAILABLE METRIC_SYSTEM_MEMORY_AVAILABLE
#define SWAP      METRIC_SYSTEM_SWAP_USED

/* Returns MemTotal in KiB; the row's values become KiB too. */
static double parse(const char *text, enum schema schema, double row[METRIC_COUNT])
{
	double total;

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = -1024;
	total = meminfo_parse(text, strlen(text), schema, row);
	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] /= 1024;
	return total / 1024;
}

TEST(fields)
{
	static const struct {
		enum metric_id id;
		double kib;
	} cells[] = {{FREE, 1},   {AVAILABLE, 2}, {BUFFERS, 3}, {CACHED, 13},
	             {ACTIVE, 5}, {INACTIVE, 6},  {SWAP, 1},    {METRIC_SYSTEM_CPU_USAGE, -1}};
	double row[METRIC_COUNT];

	assert_true(parse("MemTotal:       1000 kB\nMemFree:  1 kB\nMemAvailable: 2 kB\n"
	                  "Buffers: 3 kB\nCached: 4 kB\nSwapCached: 99 kB\nActive: 5 kB\n"
	                  "Inactive: 6 kB\nActive(anon): 99 kB\nInactive(file): 99 kB\n"
	                  "SwapTotal: 8 kB\nSwapFree: 7 kB\nSReclaimable: 9 kB\n",
	                  SCHEMA_1, row) == 1000);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		assert_true(row[cells[i].id] == cells[i].kib);
}

/* Used memory has two definitions, and is unknown where the numbers do not add up. */
TEST(used)
{
	static const struct {
		const char *text;
		double one, two;
	} cases[] = {
	    {"MemTotal: 1000 kB\nMemFree: 300 kB\nMemAvailable: 420 kB\nBuffers: 50 kB\n"
	     "Cached: 100 kB\nSReclaimable: 50 kB\n",
	     500, 580},
	    {"MemTotal: 1000 kB\nMemFree: 300 kB\nMemAvailable: 1001 kB\nBuffers: 50 kB\n"
	     "Cached: 5000 kB\n",
	     NAN, NAN},
	    /* the total of a container, and what the host has available */
	    {"MemTotal: 1000 kB\nMemFree: 900 kB\nMemAvailable: 1600 kB\nBuffers: 0 kB\n"
	     "Cached: 10 kB\n",
	     90, 90},
	    {"MemTotal: 1000 kB\nMemFree: 1100 kB\nMemAvailable: 1600 kB\n", NAN, NAN},
	    /* Before Linux 3.14: free + buffers + cached are available. */
	    {"MemTotal: 1000 kB\nMemFree: 300 kB\nBuffers: 50 kB\nCached: 100 kB\n", 550, 550},
	    {"MemTotal: 1000 kB\nMemAvailable: 400 kB\n", NAN, 600},
	};
	double row[METRIC_COUNT];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		parse(cases[i].text, SCHEMA_1, row);
		assert_true(row[USED] == cases[i].one || (isnan(row[USED]) && isnan(cases[i].one)));
		parse(cases[i].text, SCHEMA_2, row);
		assert_true(row[USED] == cases[i].two || (isnan(row[USED]) && isnan(cases[i].two)));
	}
}

TEST(any_order_first_wins)
{
	double row[METRIC_COUNT];

	assert_true(
	    parse("Cached: 4 kB\nMemTotal: 1 kB\nMemTotal: 7 kB\nBuffers:\n", SCHEMA_1, row) == 1);
	assert_true(row[CACHED] == 4);
	assert_true(isnan(row[BUFFERS]) && isnan(row[AVAILABLE]) && isnan(row[SWAP]));
}

TEST(broken)
{
	static const char *const texts[] = {"", "\n\n", "MemTotal", "MemTotal: -1 kB",
	                                    "MemFree: 5 kB\n"};
	double row[METRIC_COUNT];

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_true(isnan(parse(texts[i], SCHEMA_1, row)));
		assert_true(row[FREE] == -1);
	}
	assert_true(isfinite(parse("MemTotal: 99999999999999999999999 kB", SCHEMA_1, row)));
	assert_true(meminfo_parse("MemTotal: 2 kB", 14, SCHEMA_1, NULL) == 2048);
}
