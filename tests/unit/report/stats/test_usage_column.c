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

TEST(test_gaps)
{
	assert_false(usage_has_gaps(60, 1, 60));
	assert_false(usage_has_gaps(9, 7, 1));
	assert_false(usage_has_gaps(60, NAN, 3));
	assert_true(usage_has_gaps(10860, 1, 60));
}

/* The mean is by the exact CPU time; the peak of samples that missed most of the job is unknown. */
TEST(test_exact_cores)
{
	static const struct {
		double exact, mean, peak, want_mean, want_peak;
		bool gaps;
	} cases[] = {
	    {0.3, 0.25, 0.5, 0.3, 0.5, false},
	    {0.52, 0.25, 0.5, 0.52, 0.52, false},
	    {0.9, 0.25, 0.5, 0.9, NAN, false},
	    {0.2, 0.25, 0.5, 0.2, 0.5, false},
	    {NAN, 0.25, 0.5, 0.25, 0.5, false},
	    {0, 0.25, 0.5, 0.25, 0.5, false},
	    {INFINITY, 0.25, 0.5, 0.25, 0.5, false},
	    {0.3, 0.25, NAN, 0.3, NAN, false},
	    /* suspended; and late samples, which missed some */
	    {0.01, 0.25, 0.5, 0.25, 0.5, true},
	    {0.3, 0.25, 0.5, 0.3, 0.5, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double mean = cases[i].mean, peak = cases[i].peak;
		usage_exact_cores(cases[i].exact, cases[i].gaps, &mean, &peak);
		assert_true(mean == cases[i].want_mean);
		assert_true(isnan(cases[i].want_peak) ? isnan(peak) : peak == cases[i].want_peak);
	}
}
