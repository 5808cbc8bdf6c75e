/* snippets: what each tool is asked for, in its units; never less than the advice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice/snippets.h"
#include "tests/unit/unit.h"

static const char *of(const struct advice *a, const char *id)
{
	static struct snippet s[SNIPPETS_MAX];
	size_t n = snippets_make(a, s, SNIPPETS_MAX);

	assert_int_equal(n, a->line.of ? SNIPPETS_MAX : SNIPPETS_MAX - 3);
	for (size_t i = 0; i < n; i++)
		if (strcmp(s[i].id, id) == 0)
			return s[i].text;
	fail_msg("no %s", id);
	return NULL;
}

TEST(whole)
{
	static const struct {
		const char *id, *text;
	} cases[] = {
	    {"slurm", "#SBATCH --cpus-per-task=3\n#SBATCH --mem=3072M\n#SBATCH --gres=gpu:1\n"
	              "#SBATCH --time=90"},
	    {"kubernetes",
	     "# in the spec of the Job: activeDeadlineSeconds: 5400\nresources:\n  requests:\n"
	     "    cpu: \"3\"\n    memory: 3072Mi\n  limits:\n    memory: 3072Mi\n"
	     "    nvidia.com/gpu: 1"},
	    {"nextflow", "process {\n    cpus = 3\n    memory = '3072 MB'\n    accelerator = 1\n"
	                 "    time = '90 min'\n}"},
	    /* 3072 MiB are 3221.225472 MB */
	    {"snakemake", "threads: 3\nresources:\n    mem_mb=3222,\n    gpu=1,\n    runtime=90"},
	    {"metaflow", "@resources(cpu=3, memory=3222, gpu=1)\n@timeout(minutes=90)"},
	    {"aws_batch", "{\n  \"containerProperties\": {\n    \"resourceRequirements\": [\n"
	                  "      {\"type\": \"VCPU\", \"value\": \"3\"},\n"
	                  "      {\"type\": \"MEMORY\", \"value\": \"3072\"},\n"
	                  "      {\"type\": \"GPU\", \"value\": \"1\"}\n    ]\n  },\n"
	                  "  \"timeout\": {\"attemptDurationSeconds\": 5400}\n}"},
	    {"github", "runs-on: ubuntu-4-cores-gpu # your name of a larger runner: 4 CPUs, 28 GB, "
	               "1 GPU of 16 GB\ntimeout-minutes: 90"},
	    {"gitlab",
	     "tags: [saas-linux-medium-amd64-gpu-standard] # 4 CPUs, 15 GB, 1 GPU of 16 GB\n"
	     "timeout: 90 minutes\nvariables: # on Kubernetes\n  KUBERNETES_CPU_REQUEST: \"3\"\n"
	     "  KUBERNETES_MEMORY_REQUEST: 3072Mi\n  KUBERNETES_MEMORY_LIMIT: 3072Mi"},
	};
	const struct advice a = {
	    .cpu = 3, .memory_mib = 3072, .gpu = 1, .vram_mib = 9216, .time_min = 90};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(of(&a, cases[i].id), cases[i].text);
}

/* What is not known is not asked for. */
TEST(little)
{
	const struct advice cpu = {.cpu = 3}, memory = {.memory_mib = 1024};
	struct snippet s[SNIPPETS_MAX];

	assert_int_equal(snippets_make(&(struct advice){.gpu = 1}, s, SNIPPETS_MAX), 0);
	assert_int_equal(snippets_make(&cpu, s, 1), 1);
	assert_string_equal(of(&cpu, "slurm"), "#SBATCH --cpus-per-task=3");
	assert_string_equal(of(&cpu, "kubernetes"), "resources:\n  requests:\n    cpu: \"3\"");
	assert_string_equal(of(&cpu, "snakemake"), "threads: 3");
	assert_string_equal(of(&cpu, "metaflow"), "@resources(cpu=3)");
	assert_string_equal(of(&memory, "nextflow"), "process {\n    memory = '1024 MB'\n}");
	assert_string_equal(of(&memory, "snakemake"), "resources:\n    mem_mb=1074");
	assert_string_equal(of(&memory, "metaflow"), "@resources(memory=1074)");
	assert_non_null(strstr(of(&memory, "aws_batch"),
	                       "[\n      {\"type\": \"MEMORY\", \"value\": \"1024\"}\n    ]"));
	assert_string_equal(of(&(struct advice){.cpu = 1, .time_min = 1}, "github"),
	                    "runs-on: ubuntu-latest # 2 CPUs, 8 GB\ntimeout-minutes: 1");
}

/* 8 GB, where they are 8 × 10⁹ bytes, are 7629 MiB. */
TEST(sizes)
{
	static const struct {
		struct advice a;
		const char *github, *gitlab;
	} cases[] = {
	    {{.cpu = 1, .memory_mib = 128}, "ubuntu-latest ", "[saas-linux-small-amd64]"},
	    {{.cpu = 2, .memory_mib = 7168}, "ubuntu-latest ", "[saas-linux-small-amd64]"},
	    {{.cpu = 2, .memory_mib = 8192}, "ubuntu-4-cores ", "[saas-linux-medium-amd64]"},
	    {{.cpu = 3, .memory_mib = 128}, "ubuntu-4-cores ", "[saas-linux-medium-amd64]"},
	    {{.cpu = 5, .memory_mib = 1024}, "ubuntu-8-cores ", "[saas-linux-large-amd64]"},
	    {{.cpu = 1, .memory_mib = 61440}, "ubuntu-32-cores ", "[saas-linux-2xlarge-amd64]"},
	    {{.cpu = 33, .memory_mib = 1024}, "ubuntu-64-cores ", "no runner that is so large"},
	    {{.cpu = 97, .memory_mib = 1024}, "[self-hosted, linux]", "no runner that is so large"},
	    {{.cpu = 1, .memory_mib = 1024, .gpu = 1, .vram_mib = 1024},
	     "ubuntu-4-cores-gpu ",
	     "amd64-gpu-standard]"},
	    {{.cpu = 1, .memory_mib = 1024, .gpu = 2, .vram_mib = 1024},
	     "[self-hosted, linux]",
	     "no runner that is so large"},
	    {{.cpu = 1, .memory_mib = 1024, .gpu = 1, .vram_mib = 16384},
	     "[self-hosted, linux]",
	     "no runner that is so large"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_non_null(strstr(of(&cases[i].a, "github"), cases[i].github));
		assert_non_null(strstr(of(&cases[i].a, "gitlab"), cases[i].gitlab));
	}
}

/* A number after a text. */
static double after(const char *text, const char *before)
{
	const char *at = strstr(text, before);

	assert_non_null(at);
	return strtod(at + strlen(before), NULL);
}

/* In bytes, whatever the tool's unit. */
TEST(never_less)
{
	static const struct {
		const char *id, *before;
		double unit;
	} cases[] = {
	    {"slurm", "--mem=", 1048576},
	    {"kubernetes", "memory: ", 1048576},
	    {"nextflow", "memory = '", 1048576},
	    {"snakemake", "mem_mb=", 1e6},
	    {"metaflow", "memory=", 1e6},
	    {"aws_batch", "\"MEMORY\", \"value\": \"", 1048576},
	    {"gitlab", "MEMORY_REQUEST: ", 1048576},
	};

	for (long mib = 128; mib < 1L << 40;
	     mib = mib < 2048 ? mib * 2 : (mib / 1024 * 3 / 2) * 1024)
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			const struct advice a = {.cpu = 1, .memory_mib = mib};
			double got = after(of(&a, cases[i].id), cases[i].before) * cases[i].unit;
			assert_true(got >= (double)mib * 1048576);
			assert_true(got < (double)mib * 1048576 + 1e6);
		}
}

/* The largest numbers fit. */
TEST(large)
{
	struct advice a = {.cpu = 1000000,
	                   .memory_mib = 1099511627776,
	                   .gpu = 1000000,
	                   .vram_mib = 1099511627776,
	                   .time_min = 5256000,
	                   .process = "A:PROCESS:OF:A:WORKFLOW:WITH:A:LONG:NAME:OF:ABOUT:EIGHTY",
	                   .line = {ADVICE_LINE_ALL, 1e12, 1e12, 1234.5,
	                            "the input given as argument 123456789012"}};
	struct snippet s[SNIPPETS_MAX];

	assert_int_equal(snippets_make(&a, s, SNIPPETS_MAX), SNIPPETS_MAX);
	for (size_t i = 0; i < SNIPPETS_MAX; i++)
		assert_true(strlen(s[i].text) < sizeof s[i].text - 1);
	assert_int_equal(of(&a, "aws_batch")[strlen(of(&a, "aws_batch")) - 1], '}');
	a.line.of = ADVICE_LINE_NONE;
	assert_non_null(strstr(of(&a, "snakemake"), "mem_mb=1152921504607,"));
}

/* The advice of some runs must not resize every process. */
TEST(nextflow_process)
{
	static const struct {
		const char *name, *selector;
	} cases[] = {
	    {"ALIGN", "ALIGN"},
	    {"ALIGN (sample 1)", "ALIGN"},
	    {"NF:RNA:ALIGN (a (b))", "NF:RNA:ALIGN"},
	    {"(1)", "\\\\(1\\\\)"},
	    {" (1)", " \\\\(1\\\\)"},
	    {"a.b*", "a\\\\.b\\\\*"},
	    {"it's\\", "it\\'s\\\\\\\\"},
	    {"a\n' { cpus = 9", "a.\\' \\\\{ cpus = 9"},
	};
	struct advice a = {.cpu = 3, .memory_mib = 3072};
	struct snippet s[SNIPPETS_MAX];
	char text[256];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		a.process = cases[i].name;
		snprintf(
		    text, sizeof text,
		    "process {\n    withName: '%s' {\n        cpus = 3\n        memory = '3072 "
		    "MB'\n    }\n}",
		    cases[i].selector);
		assert_string_equal(of(&a, "nextflow"), text);
	}
	/* Runs of several names: no line is right. */
	a.process = "";
	assert_int_equal(snippets_make(&a, s, SNIPPETS_MAX), SNIPPETS_MAX - 4);
	for (size_t i = 0; i < SNIPPETS_MAX - 4; i++)
		assert_string_not_equal(s[i].id, "nextflow");
	assert_string_equal(s[SNIPPETS_MAX - 5].id, "gitlab");
}

/* 14 MiB + 6 times the input, at least 650 MiB. */
TEST(functions_of_the_input)
{
	static const struct {
		enum advice_line_of of;
		const char *id, *text;
	} cases[] = {
	    {ADVICE_LINE_ALL, "snakemake",
	     "threads: 2\nresources:\n    mem_mb=lambda wildcards, input, attempt: attempt * max(682, "
	     "int(15 + 6.0006e-06 * input.size) + 1)"},
	    {ADVICE_LINE_LARGEST, "snakemake",
	     "threads: 2\nresources:\n    mem_mb=lambda wildcards, input, attempt: attempt * max(682, "
	     "int(15 + 6.0006e-06 * max(f.size for f in input)) + 1)"},
	    {ADVICE_LINE_ONE, "snakemake",
	     "threads: 2\nresources:\n    # input[0]: the input of --in\n    mem_mb=lambda wildcards, "
	     "input, attempt: attempt * max(682, int(15 + 6.0006e-06 * input[0].size) + 1)"},
	    {ADVICE_LINE_ALL, "nextflow",
	     "process {\n    withName: 'ALIGN' {\n        cpus = 2\n        // reads: the input of --in\n"
	     "        memory = { 1.MB * task.attempt * Math.max(650, Math.ceil(14 + 5.7226e-06 * "
	     "[reads].flatten()*.size().sum()) as long) }\n        errorStrategy = 'retry'\n"
	     "        maxRetries = 2\n    }\n}"},
	    {ADVICE_LINE_ONE, "wdl",
	     "runtime {\n  cpu: 2\n  # reads: the input of --in\n  memory: \"~{max(650, ceil(14 + "
	     "5.7226e-06 * size(reads)))} MiB\"\n  maxRetries: 2\n}"},
	    {ADVICE_LINE_ONE, "cwl",
	     "requirements:\n  InlineJavascriptRequirement: {}\n  ResourceRequirement:\n    coresMin: "
	     "2\n    # reads: the input of --in\n    ramMin: $(Math.max(650, Math.ceil(14 + 5.7226e-06 "
	     "* inputs.reads.size)))"},
	    {ADVICE_LINE_ALL, "cwl",
	     "requirements:\n  InlineJavascriptRequirement: {}\n  ResourceRequirement:\n    coresMin: "
	     "2\n    # reads: the input of --in\n    ramMin: $(Math.max(650, Math.ceil(14 + 5.7226e-06 "
	     "* [].concat(inputs.reads).reduce(function(n, f) { return n + f.size }, 0))))"},
	    {ADVICE_LINE_ALL, "sbatch",
	     "# \"$@\": the inputs\nsbatch --mem=\"$(stat -Lc %s \"$@\" | awk '{ x += $1 } END { m = 14 "
	     "+ 5.7226e-06 * x; if (m < 650) m = 650; printf \"%.0fM\", m + 0.5 }')\" "
	     "--cpus-per-task=2 job.sh \"$@\""},
	    {ADVICE_LINE_ALL, "slurm", "#SBATCH --cpus-per-task=2\n#SBATCH --mem=3072M"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct advice a = {.cpu = 2,
		                         .memory_mib = 3072,
		                         .process = "ALIGN",
		                         .line = {.of = cases[i].of,
		                                  .least_mib = 649.5,
		                                  .constant_mib = 13.9,
		                                  .mib_per_byte = 6 / 1048576.0,
		                                  .name = "the input of --in"}};
		assert_string_equal(of(&a, cases[i].id), cases[i].text);
	}
}
