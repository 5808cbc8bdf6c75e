/* figures: the default statistics, against numbers that were worked out by hand. */
#include <math.h>

#include "report/stats/default_stats.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

/* One run, in both spellings. */
static const char schema_1[] =
    "{\"metadata\": {\"interval\": 1, \"start_time\": 100, \"stop_time\": 104.4},"
    "\"server_info\": {\"memory_mb\": 4096, \"vcpus\": 4},"
    "\"process_metrics\": {\"timestamp\": [101, 102, 103, 104], \"cpu_usage\": [0.5, 1, 1.5, 3],"
    "\"memory\": [1024, 2048, 3072, 955392], \"read_bytes\": [0, 4096, 0, 0],"
    "\"gpu_usage\": [0, 0.5, 0, 0.25], \"gpu_vram\": [0, 100, 0, 50], \"gpu_utilized\": [0, 1, 0, "
    "1]},\"system_metrics\": {\"timestamp\": [101, 102, 103, 104],"
    "\"disk_space_used_gb\": [10, 10.5, 10.25, 10], \"net_recv_bytes\": [100, 200, 300, 400],"
    "\"net_sent_bytes\": [1, 2, 3, 4]}}";
static const char schema_2[] =
    "{\"metadata\": {\"interval\": 1, \"start_time\": 100, \"stop_time\": 104.4},"
    "\"server_info\": {\"memory_mib\": 4096, \"vcpus\": 4},"
    "\"process_metrics\": {\"timestamp\": [101, 102, 103, 104], \"cpu_usage\": [0.5, 1, 1.5, 3],"
    "\"memory_mib\": [1, 2, 3, 933], \"disk_read_bytes\": [0, 4096, 0, 0],"
    "\"gpu_usage\": [0, 0.5, 0, 0.25], \"gpu_vram_mib\": [0, 100, 0, 50],"
    "\"gpu_utilized\": [0, 1, 0, 1]},\"system_metrics\": {\"timestamp\": [101, 102, 103, 104],"
    "\"disk_space_used_gb\": [10.74, 11.27, 11.01, 10.74], \"net_recv_bytes\": [100, 200, 300, "
    "400],\"net_sent_bytes\": [1, 2, 3, 4]}}";

#define MIB 1048576.0

static const struct {
	const char *column, *statistic;
	double base, spelled;
	double tolerance; /* of the base value between the spellings: 2 decimals of GB */
} expected[DEFAULT_STATS] = {
    {"process_cpu_usage", "mean", 1.5, 1.5, 0},
    {"process_cpu_usage", "max", 3, 3, 0},
    {"process_memory", "mean", 234.75 * MIB, 240384, 0},
    {"process_memory", "max", 933 * MIB, 955392, 0},
    {"process_gpu_usage", "mean", 0.1875, 0.19, 0},
    {"process_gpu_usage", "max", 0.5, 0.5, 0},
    {"process_gpu_vram", "mean", 37.5 * MIB, 37.5, 0},
    {"process_gpu_vram", "max", 100 * MIB, 100, 0},
    {"process_gpu_utilized", "mean", 0.5, 0.5, 0},
    {"process_gpu_utilized", "max", 1, 1, 0},
    {"system_disk_space_used_gb", "max", 10.5 * 1024 * MIB, 10.5, 5e6},
    {"system_net_recv_bytes", "sum", 1000, 1000, 0},
    {"system_net_sent_bytes", "sum", 10, 10, 0},
    {"timestamp", "duration", 4, 4, 0},
};

TEST(names)
{
	for (size_t i = 0; i < DEFAULT_STATS; i++) {
		char column[64];
		default_stat_column(&default_stats[i], column);
		assert_string_equal(column, expected[i].column);
		assert_string_equal(default_stat_statistic(&default_stats[i]),
		                    expected[i].statistic);
		assert_true(*default_stats[i].label);
	}
}

TEST_WITH(both_spellings, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	assert_non_null(recordings_load(t, "1.json", schema_1));
	assert_non_null(recordings_load(t, "2.json", schema_2));
	assert_int_equal(t->runs.v[0].snapshot.schema, SCHEMA_1);
	assert_int_equal(t->runs.v[1].snapshot.schema, SCHEMA_2);
	for (size_t i = 0; i < DEFAULT_STATS; i++)
		for (int k = 0; k < 2; k++) {
			double base = default_stat_base(&default_stats[i], &t->runs.v[k]);
			assert_true(fabs(base - expected[i].base) <= expected[i].tolerance);
			assert_true(default_stat_spell(&default_stats[i], base) ==
			            expected[i].spelled);
		}
	assert_true(t->runs.v[0].stats[METRIC_PROCESS_READ_BYTES].sum ==
	            t->runs.v[1].stats[METRIC_PROCESS_READ_BYTES].sum);
	assert_true(t->runs.v[0].snapshot.server.memory_b == t->runs.v[1].snapshot.server.memory_b);
	assert_true(fabs(t->runs.v[0].duration - 4.4) < 1e-9);
}

/* Two decimals as Python rounds: to even on the exact binary value. */
TEST(spelling)
{
	static const struct {
		size_t figure;
		double base, spelled;
	} cases[] = {
	    {0, 0.125, 0.12}, {0, 0.375, 0.38}, {0, 2.675, 2.67},      {2, 1030, 1.01},
	    {2, 0, 0},        {6, 1048576, 1},  {10, 1610612736, 1.5}, {11, 12345.678, 12345.68},
	    {13, 59.999, 60},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(default_stat_spell(&default_stats[cases[i].figure], cases[i].base) ==
		            cases[i].spelled);
	assert_true(isnan(default_stat_spell(&default_stats[0], NAN)));
}

/* Over this run (mean 2, peak 8, 10 s) and three earlier ones, one of which does not count, and one
 * of which was not measured. */
TEST(aggregates)
{
	static const struct {
		enum default_stat_how how;
		double now, history, all;
	} cases[] = {
	    {DEFAULT_STAT_MEAN, 2, 5, 4}, /* (4 + 6) / 2; (2 + 4 + 6) / 3 */
	    {DEFAULT_STAT_MAX, 8, 7, 8},
	    {DEFAULT_STAT_SUM, 20, 60, 60},
	    {DEFAULT_STAT_DURATION, 10, 25, 20},
	};
	struct run v[5] = {
	    {.sampled_duration = 10},
	    {.used = true, .sampled_duration = 20},
	    {.sampled_duration = 999},
	    {.used = true, .sampled_duration = 30},
	    {.used = true, .sampled_duration = NAN},
	};
	static struct stats columns[5][METRIC_COUNT];
	static const struct stats stats[5] = {
	    {.mean = 2, .max = 8, .sum = 20},      {.mean = 4, .max = 7, .sum = 60},
	    {.mean = 999, .max = 999, .sum = 999}, {.mean = 6, .max = 6, .sum = 50},
	    {.mean = NAN, .max = NAN, .sum = NAN},
	};
	struct runs r = {.v = v, .n = 5}, alone = {.v = v, .n = 1}, none = {.v = v + 2, .n = 1};

	for (size_t i = 0; i < 5; i++) {
		v[i].stats = columns[i];
		v[i].stats[METRIC_PROCESS_CPU_USAGE] = stats[i];
	}
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct default_stat f = {METRIC_PROCESS_CPU_USAGE, cases[i].how, ""};
		assert_true(default_stat_aggregate(&f, &alone, 0) == cases[i].now);
		assert_true(default_stat_aggregate(&f, &r, 1) == cases[i].history);
		assert_true(default_stat_aggregate(&f, &r, 0) == cases[i].all);
		assert_true(isnan(default_stat_aggregate(&f, &none, 1)));
	}
}

/* A peak below zero is a peak. */
TEST(negative)
{
	static struct stats columns[2][METRIC_COUNT];
	struct run v[2] = {{.stats = columns[0]}, {.used = true, .stats = columns[1]}};
	struct runs r = {.v = v, .n = 2};
	struct default_stat f = {METRIC_PROCESS_CPU_USAGE, DEFAULT_STAT_MAX, ""};

	v[0].stats[METRIC_PROCESS_CPU_USAGE].max = -3;
	v[1].stats[METRIC_PROCESS_CPU_USAGE].max = -2;
	assert_true(default_stat_aggregate(&f, &r, 0) == -2);
}

/* Where no disk was seen, the column's 0 is not shown as a measured value. */
TEST(disk_space_of_no_disk)
{
	static const struct {
		double total, used, shown;
	} cases[] = {{0, 0, NAN}, {10, 0, 0}, {10, 4, 4}, {NAN, 4, 4}};
	struct default_stat f = {METRIC_SYSTEM_DISK_SPACE_USED, DEFAULT_STAT_MAX, ""};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static struct stats columns[METRIC_COUNT];
		struct run run = {.stats = columns};
		double shown;
		run.stats[METRIC_SYSTEM_DISK_SPACE_TOTAL].max = cases[i].total;
		run.stats[METRIC_SYSTEM_DISK_SPACE_USED].max = cases[i].used;
		shown = default_stat_shown(&f, &run);
		assert_true(isnan(cases[i].shown) ? isnan(shown) : shown == cases[i].shown);
	}
}
