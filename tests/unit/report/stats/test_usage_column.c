/* usage_column: the job's column or the machine's, by each caller's rule. */
#include <math.h>

#include "report/stats/usage_column.h"
#include "tests/unit/unit.h"

/* A job whose memory was measured, but not its CPU usage. */
static const struct run memory_only = {
    .stats = (struct stats[METRIC_COUNT]){[METRIC_PROCESS_MEMORY] = {.n = 3, .max = 5},
                                          [METRIC_SYSTEM_CPU_USAGE] = {.n = 3, .max = 2},
                                          [METRIC_SYSTEM_MEMORY_USED] = {.n = 3, .max = 9}}};
static const struct run tracked = {
    .stats = (struct stats[METRIC_COUNT]){[METRIC_PROCESS_CPU_USAGE] = {.n = 1}}};

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

/* The exact CPU time is above the peak of the samples, which missed most of the job. */
TEST(test_cores_that_samples_missed)
{
	static const struct {
		double exact_s, mean, peak;
	} cases[] = {{3, 0.25, 0.5}, {5.2, 0.25, 0.5}, {9, 0.9, NAN}, {NAN, 0.25, 0.5}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run r = {
		    .duration = 10,
		    .stats =
			(struct stats[METRIC_COUNT]){
			    [METRIC_PROCESS_CPU_USAGE] = {.n = 3, .mean = 0.25, .max = 0.5}},
		    .snapshot.totals = {.known = true, .exact_cpu_s = cases[i].exact_s}};
		double mean, peak;
		usage_column_cores(&r, &mean, &peak);
		assert_true(mean == cases[i].mean);
		assert_true(isnan(cases[i].peak) ? isnan(peak) : peak == cases[i].peak);
	}
}
