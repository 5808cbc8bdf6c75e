/* advice: formulas at their edges, and the text that shows them. */
#include <math.h>
#include <string.h>

#include "report/advice/advice.h"
#include "tests/unit/unit.h"

TEST(steps)
{
	static const struct {
		double mib;
		long step;
	} cases[] = {
	    {0, 128},
	    {-5, 128},
	    {NAN, 128},
	    {128, 128},
	    {128.01, 256},
	    {256, 256},
	    {257, 512},
	    {512, 512},
	    {513, 1024},
	    {1024, 1024},
	    {1119.6, 2048},
	    {2048, 2048},
	    {2048.01, 3072},
	    {3072, 3072},
	    {3072.5, 4096},
	    {1e6, 1000448},
	    {1e300, 1099511627776},
	    {INFINITY, 1099511627776},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(advice_step(cases[i].mib), cases[i].step);
}

TEST(memory)
{
	static const struct {
		double peak;
		long mib;
		const char *formula;
	} cases[] = {
	    {933, 2048, "step(933.00 MiB peak × 1.2 = 1119.60 MiB) = 2048 MiB"},
	    {392.04, 512, "step(392.04 MiB peak × 1.2 = 470.45 MiB) = 512 MiB"},
	    {0, 128, "step(0.00 MiB peak × 1.2 = 0.00 MiB) = 128 MiB"},
	    {10000, 12288, "step(10000.00 MiB peak × 1.2 = 12000.00 MiB) = 12288 MiB"},
	    {1e300, 1099511627776,
	     "step(1e+300 MiB peak × 1.2 = 1.2e+300 MiB) = 1099511627776 MiB"},
	    {NAN, 0, "not measured"},
	    {-1, 0, "not measured"},
	    {INFINITY, 0, "not measured"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct advice a;
		advice_make(&(struct advice_input){.memory_max_mib = cases[i].peak}, &a);
		assert_int_equal(a.memory_mib, cases[i].mib);
		assert_string_equal(a.memory_formula, cases[i].formula);
		assert_int_equal(advice_known(a.memory_formula), cases[i].mib != 0);
	}
}

TEST(cpu)
{
	static const struct {
		double mean;
		long cpu;
		const char *formula;
	} cases[] = {
	    {1.34, 1, "max(1, round(1.34 mean cores)) = 1 CPU"},
	    {0, 1, "max(1, round(0.00 mean cores)) = 1 CPU"},
	    {1.5, 2, "max(1, round(1.50 mean cores)) = 2 CPUs"},
	    {2.5, 2, "max(1, round(2.50 mean cores)) = 2 CPUs"},
	    {3.5, 4, "max(1, round(3.50 mean cores)) = 4 CPUs"},
	    {63.9, 64, "max(1, round(63.90 mean cores)) = 64 CPUs"},
	    {1e300, 1000000, "max(1, round(1e+300 mean cores)) = 1000000 CPUs"},
	    {NAN, 0, "not measured"},
	    {-0.1, 0, "not measured"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct advice a;
		advice_make(&(struct advice_input){.cpu_mean = cases[i].mean}, &a);
		assert_int_equal(a.cpu, cases[i].cpu);
		assert_string_equal(a.cpu_formula, cases[i].formula);
	}
}

/* A job that was short of CPU is not told to take less than it would have used. */
TEST(cpu_needed)
{
	static const struct {
		double mean, needed;
		long cpu;
		const char *formula;
	} cases[] = {
	    {0.21, 1.67, 2,
	     "1.67 cores without its waits for a CPU, rounded up = 2 CPUs, more than max(1, round(0.21 mean "
	     "cores)) = 1 CPU"},
	    {0.57, 3.63, 4,
	     "3.63 cores without its waits for a CPU, rounded up = 4 CPUs, more than max(1, round(0.57 mean "
	     "cores)) = 1 CPU"},
	    /* as the page writes it, a whole number */
	    {2, 4.004, 4,
	     "4.00 cores without its waits for a CPU, rounded up = 4 CPUs, more than max(1, round(2.00 mean "
	     "cores)) = 2 CPUs"},
	    {2, 4.006, 5,
	     "4.01 cores without its waits for a CPU, rounded up = 5 CPUs, more than max(1, round(2.00 mean "
	     "cores)) = 2 CPUs"},
	    /* not more than the rule gives anyway, or not short of CPU */
	    {1.6, 2, 2, "max(1, round(1.60 mean cores)) = 2 CPUs"},
	    {0.05, 0.95, 1, "max(1, round(0.05 mean cores)) = 1 CPU"},
	    {0.21, 0, 1, "max(1, round(0.21 mean cores)) = 1 CPU"},
	    {0.21, NAN, 1, "max(1, round(0.21 mean cores)) = 1 CPU"},
	    {NAN, 3, 0, "not measured"},
	    {1, 1e300, 1000000,
	     "1e+300 cores without its waits for a CPU, rounded up = 1000000 CPUs, more than max(1, "
	     "round(1.00 mean cores)) = 1 CPU"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct advice a;
		advice_make(&(struct advice_input){.cpu_mean = cases[i].mean,
		                                   .cpu_needed = cases[i].needed},
		            &a);
		assert_int_equal(a.cpu, cases[i].cpu);
		assert_string_equal(a.cpu_formula, cases[i].formula);
		if (!isnan(cases[i].mean))
			assert_int_equal(a.cpu_mean, fmax(1, round(cases[i].mean)));
	}
}

TEST(gpu)
{
	static const struct {
		double mean, max, vram;
		long gpu, mib;
		const char *formula, *vram_formula;
	} cases[] = {
	    {0, 0, 0, 0, 0, "mean GPU usage is 0: 0 GPUs", "peak is 0: 0 MiB"},
	    {0.01, 0.2, 10, 1, 128, "max(1, round(0.20 GPUs at the peak)) = 1 GPU",
	     "step(10.00 MiB peak × 1.2 = 12.00 MiB) = 128 MiB"},
	    {1.2, 2.5, 7000, 2, 9216, "max(1, round(2.50 GPUs at the peak)) = 2 GPUs",
	     "step(7000.00 MiB peak × 1.2 = 8400.00 MiB) = 9216 MiB"},
	    {NAN, 1, NAN, 0, 0, "not measured", "not measured"},
	    {1, NAN, 1, 0, 128, "not measured", "step(1.00 MiB peak × 1.2 = 1.20 MiB) = 128 MiB"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct advice a;
		struct advice_input in = {.gpu_mean = cases[i].mean,
		                          .gpu_max = cases[i].max,
		                          .vram_max_mib = cases[i].vram};
		advice_make(&in, &a);
		assert_int_equal(a.gpu, cases[i].gpu);
		assert_int_equal(a.vram_mib, cases[i].mib);
		assert_string_equal(a.gpu_formula, cases[i].formula);
		assert_string_equal(a.vram_formula, cases[i].vram_formula);
	}
}

/* What was too little when memory ran out is not a peak: more than that is asked for, always. */
TEST(died)
{
	static const struct {
		double peak, died;
		long mib, peak_mib;
		const char *formula;
	} cases[] = {
	    {100, 512, 1024, 128,
	     "step(512.00 MiB that were too little × 2 = 1024.00 MiB) = 1024 MiB, more than "
	     "step(100.00 MiB peak × 1.2 = 120.00 MiB) = 128 MiB"},
	    {250, 256, 512, 512, "step(250.00 MiB peak × 1.2 = 300.00 MiB) = 512 MiB"},
	    {100, 2560, 5120, 128,
	     "step(2560.00 MiB that were too little × 2 = 5120.00 MiB) = 5120 MiB, more than "
	     "step(100.00 MiB peak × 1.2 = 120.00 MiB) = 128 MiB"},
	    {NAN, 256, 512, 0, "step(256.00 MiB that were too little × 2 = 512.00 MiB) = 512 MiB"},
	    {100, 0, 128, 128, "step(100.00 MiB peak × 1.2 = 120.00 MiB) = 128 MiB"},
	    {100, NAN, 128, 128, "step(100.00 MiB peak × 1.2 = 120.00 MiB) = 128 MiB"},
	    {1e300, 1e300, 1099511627776, 1099511627776,
	     "step(1e+300 MiB peak × 1.2 = 1.2e+300 MiB) = 1099511627776 MiB"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct advice a;
		advice_make(&(struct advice_input){.memory_max_mib = cases[i].peak,
		                                   .memory_died_mib = cases[i].died},
		            &a);
		assert_int_equal(a.memory_mib, cases[i].mib);
		assert_int_equal(a.peak_mib, cases[i].peak_mib);
		assert_string_equal(a.memory_formula, cases[i].formula);
	}
	for (double limit = 0.5; limit < 1e6; limit *= 1.37) {
		struct advice a;
		advice_make(&(struct advice_input){.memory_max_mib = 0.1, .memory_died_mib = limit},
		            &a);
		assert_true((double)a.memory_mib > limit);
	}
}

TEST(time_limit)
{
	static const struct {
		size_t runs;
		double longest;
		long minutes;
		const char *formula;
	} cases[] = {
	    {3, 3600, 90,
	     "whole minutes of (3600.00 s, the longest of 3 runs, × 1.5 = 5400.00 s) = 90 min"},
	    {12, 3600.1, 91,
	     "whole minutes of (3600.10 s, the longest of 12 runs, × 1.5 = 5400.15 s) = 91 min"},
	    {3, 0.1, 1, "whole minutes of (0.10 s, the longest of 3 runs, × 1.5 = 0.15 s) = 1 min"},
	    {3, 1e300, 5256000,
	     "whole minutes of (1e+300 s, the longest of 3 runs, × 1.5 = 1.5e+300 s) = 5256000 "
	     "min"},
	    {2, 3600, 0, "not measured"},
	    {0, 0, 0, "not measured"},
	    {3, NAN, 0, "not measured"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct advice a;
		advice_make(&(struct advice_input){.finished = cases[i].runs,
		                                   .longest_s = cases[i].longest},
		            &a);
		assert_int_equal(a.time_min, cases[i].minutes);
		assert_string_equal(a.time_formula, cases[i].formula);
	}
}
