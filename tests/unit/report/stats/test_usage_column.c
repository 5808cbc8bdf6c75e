/* usage_column: the job's column or the machine's, by each caller's rule. */
#include <math.h>

#include "report/stats/usage_column.h"
#include "tests/unit/unit.h"

/* A job whose memory was measured, but not its CPU usage. */
static const struct run memory_only = {.stats = {[METRIC_PROCESS_MEMORY] = {.n = 3, .max = 5},
                                                 [METRIC_SYSTEM_CPU_USAGE] = {.n = 3, .max = 2},
                                                 [METRIC_SYSTEM_MEMORY_USED] = {.n = 3, .max = 9}}};
static const struct run tracked = {.stats = {[METRIC_PROCESS_CPU_USAGE] = {.n = 1}}};

TEST(test_own_column_decides)
{
	assert_int_equal(usage_column(USAGE_MEMORY, &memory_only, USAGE_MEMORY),
	                 METRIC_PROCESS_MEMORY);
	assert_int_equal(usage_column(USAGE_CPU, &memory_only, USAGE_CPU), METRIC_SYSTEM_CPU_USAGE);
	assert_true(usage_stats(USAGE_MEMORY, &memory_only)->max == 5);
	assert_true(usage_stats(USAGE_CPU, &memory_only)->max == 2);
}

TEST(test_cpu_of_a_run_decides)
{
	assert_false(usage_tracks_job(&memory_only));
	assert_true(usage_tracks_job(&tracked));
	assert_int_equal(usage_column(USAGE_MEMORY, &memory_only, USAGE_CPU),
	                 METRIC_SYSTEM_MEMORY_USED);
	assert_int_equal(usage_column(USAGE_MEMORY, &tracked, USAGE_CPU), METRIC_PROCESS_MEMORY);
	assert_int_equal(usage_column(USAGE_READ, &tracked, USAGE_CPU), METRIC_PROCESS_READ_BYTES);
	assert_int_equal(usage_column(USAGE_VRAM, &memory_only, USAGE_CPU), METRIC_SYSTEM_GPU_VRAM);
}
