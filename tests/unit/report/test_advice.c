/* advice: formulas at their edges, the text that shows them, and the lines to paste. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../../../report/advice.h"

static void steps(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(advice_step(cases[i].mib), cases[i].step);
}

static void memory(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct advice a;
		advice_make(&(struct advice_input){.memory_max_mib = cases[i].peak}, &a);
		assert_int_equal(a.memory_mib, cases[i].mib);
		assert_string_equal(a.memory_formula, cases[i].formula);
		assert_int_equal(advice_known(a.memory_formula), cases[i].mib != 0);
	}
}

static void cpu(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct advice a;
		advice_make(&(struct advice_input){.cpu_mean = cases[i].mean}, &a);
		assert_int_equal(a.cpu, cases[i].cpu);
		assert_string_equal(a.cpu_formula, cases[i].formula);
	}
}

static void gpu(void **state)
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

	(void)state;
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

#define K8S                                                                                        \
	"resources:\n  requests:\n    cpu: \"2\"\n    memory: 512Mi\n"                             \
	"  limits:\n    memory: 512Mi"

static void snippets(void **state)
{
	static const char *const plain[] = {
	    "#SBATCH --cpus-per-task=2\n#SBATCH --mem=512M",
	    K8S,
	    "process {\n    cpus = 2\n    memory = '512 MB'\n}",
	    "threads: 2\nresources:\n    mem_mb=537",
	};
	static const char *const with_gpu[] = {
	    "#SBATCH --cpus-per-task=2\n#SBATCH --mem=512M\n#SBATCH --gres=gpu:1",
	    K8S "\n    nvidia.com/gpu: 1",
	    "process {\n    cpus = 2\n    memory = '512 MB'\n    accelerator = 1\n}",
	    "threads: 2\nresources:\n    mem_mb=537,\n    gpu=1",
	};
	struct advice_snippet s[ADVICE_SNIPPETS_MAX];
	struct advice a = {.cpu = 2, .memory_mib = 512};

	(void)state;
	for (int round = 0; round < 2; round++, a.gpu = 1) {
		assert_int_equal(advice_snippets(&a, s, ADVICE_SNIPPETS_MAX), 4);
		for (size_t i = 0; i < 4; i++)
			assert_string_equal(s[i].text, a.gpu ? with_gpu[i] : plain[i]);
	}
	assert_string_equal(s[1].id, "kubernetes");
	assert_string_equal(s[1].label, "Kubernetes");
	assert_int_equal(advice_snippets(&a, s, 1), 1);
}

/* What is not known is not asked for. */
static void snippets_of_little(void **state)
{
	struct advice_snippet s[ADVICE_SNIPPETS_MAX];

	(void)state;
	assert_int_equal(advice_snippets(&(struct advice){.gpu = 1}, s, ADVICE_SNIPPETS_MAX), 0);
	assert_int_equal(advice_snippets(&(struct advice){.cpu = 3}, s, ADVICE_SNIPPETS_MAX), 4);
	assert_string_equal(s[0].text, "#SBATCH --cpus-per-task=3");
	assert_string_equal(s[1].text, "resources:\n  requests:\n    cpu: \"3\"");
	assert_string_equal(s[3].text, "threads: 3");
	advice_snippets(&(struct advice){.memory_mib = 1024}, s, ADVICE_SNIPPETS_MAX);
	assert_string_equal(s[2].text, "process {\n    memory = '1024 MB'\n}");
	assert_string_equal(s[3].text, "resources:\n    mem_mb=1074");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(steps),    cmocka_unit_test(memory),
	    cmocka_unit_test(cpu),      cmocka_unit_test(gpu),
	    cmocka_unit_test(snippets), cmocka_unit_test(snippets_of_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
