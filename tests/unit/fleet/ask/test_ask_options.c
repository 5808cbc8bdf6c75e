/* ask_options: one line for each tool, safe in $(…). */
#include <string.h>

#include "fleet/ask/ask_options.h"
#include "tests/unit/unit.h"

TEST(lines)
{
	static const struct {
		const char *tool;
		struct advice a;
		const char *line;
	} cases[] = {
	    {"slurm",
	     {.cpu = 4, .memory_mib = 3072, .time_min = 45},
	     "--cpus-per-task=4 --mem=3072M --time=45\n"},
	    {"slurm",
	     {.cpu = 9, .memory_mib = 128, .gpu = 2, .tasks = 4},
	     "--cpus-per-task=3 --mem=128M --gres=gpu:2\n"},
	    {"slurm", {.memory_mib = 3072}, "--mem=3072M\n"},
	    {"slurm", {.cpu = 0}, ""},
	    {"snakemake",
	     {.cpu = 4, .memory_mib = 1024, .time_min = 45},
	     "cpus_per_task=4 mem_mb=1074 runtime=45\n"},
	    {"nextflow",
	     {.cpu = 4, .memory_mib = 3072, .time_min = 45},
	     "-process.cpus=4 -process.memory=3072MB -process.time=45min\n"},
	    {"kubernetes",
	     {.cpu = 4, .memory_mib = 3072, .time_min = 45},
	     "--requests=cpu=4,memory=3072Mi --limits=memory=3072Mi\n"},
	    {"kubernetes",
	     {.cpu = 4, .memory_mib = 3072, .gpu = 1},
	     "--requests=cpu=4,memory=3072Mi --limits=memory=3072Mi,nvidia.com/gpu=1\n"},
	    {"kubernetes", {.cpu = 4, .gpu = 1}, "--requests=cpu=4 --limits=nvidia.com/gpu=1\n"},
	    {"kubernetes", {.gpu = 1}, "--limits=nvidia.com/gpu=1\n"},
	    {"shell",
	     {.cpu = 4, .memory_mib = 3072, .gpu = 1, .time_min = 45},
	     "ASK_CPUS=4 ASK_MEMORY_MIB=3072 ASK_GPUS=1 ASK_TIME_MIN=45\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		ask_options_write(&cases[i].a, cases[i].tool, &b);
		assert_string_equal(buf_cstr(&b), cases[i].line);
		assert_true(strspn(buf_cstr(&b), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU"
		                                 "VWXYZ0123456789=-_.,:/ \n") == b.len);
		buf_free(&b);
	}
}
