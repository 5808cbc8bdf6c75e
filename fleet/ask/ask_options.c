/* ask_options: what to ask for, as one line of options. */
#include "fleet/ask/ask_options.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Each word is before, N, after. */
struct words {
	const char *tool;
	const char *cpus[2], *memory[2], *gpus[2], *time_min[2];
	bool decimal; /* memory in MB of 10⁶ bytes, not MiB */
};

static const struct words all[] = {
    {"slurm",
     {"--cpus-per-task=", ""},
     {"--mem=", "M"},
     {"--gres=gpu:", ""},
     {"--time=", ""},
     false},
    {"snakemake", {"cpus_per_task=", ""}, {"mem_mb=", ""}, {"gpu=", ""}, {"runtime=", ""}, true},
    {"nextflow",
     {"-process.cpus=", ""},
     {"-process.memory=", "MB"},
     {"-process.accelerator=", ""},
     {"-process.time=", "min"},
     false},
    {"shell",
     {"ASK_CPUS=", ""},
     {"ASK_MEMORY_MIB=", ""},
     {"ASK_GPUS=", ""},
     {"ASK_TIME_MIN=", ""},
     false},
};

static void put_word(struct buf *out, const char *const word[2], long v)
{
	if (v > 0)
		buf_printf(out, "%s%s%ld%s", out->len ? " " : "", word[0], v, word[1]);
}

/* The options of kubectl set resources. GPUs are requested by limit, and there is no CPU limit: it
 * would throttle the job even while CPUs are idle. */
static void put_kubernetes(struct buf *out, const struct advice *a)
{
	const char *before = "--requests=";

	if (a->cpu > 0) {
		buf_printf(out, "%scpu=%ld", before, a->cpu);
		before = ",";
	}
	if (a->memory_mib > 0)
		buf_printf(out, "%smemory=%ldMi", before, a->memory_mib);
	before = out->len ? " --limits=" : "--limits=";
	if (a->memory_mib > 0) {
		buf_printf(out, "%smemory=%ldMi", before, a->memory_mib);
		before = ",";
	}
	if (a->gpu > 0)
		buf_printf(out, "%snvidia.com/gpu=%ld", before, a->gpu);
}

/* Snakemake's MB has 10⁶ bytes. */
static long decimal_megabytes(long mib)
{
	return (long)ceil((double)mib * 1.048576);
}

void ask_options_write(const struct advice *a, const char *tool, struct buf *out)
{
	struct buf line = {0};

	if (strcmp(tool, "kubernetes") == 0)
		put_kubernetes(&line, a);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (strcmp(all[i].tool, tool) != 0)
			continue;
		put_word(&line, all[i].cpus,
		         a->tasks > 1 ? (a->cpu + a->tasks - 1) / a->tasks : a->cpu);
		put_word(&line, all[i].memory,
		         all[i].decimal ? decimal_megabytes(a->memory_mib) : a->memory_mib);
		put_word(&line, all[i].gpus, a->gpu);
		put_word(&line, all[i].time_min, a->time_min);
	}
	if (line.len)
		buf_printf(out, "%s\n", buf_cstr(&line));
	out->failed = out->failed || line.failed;
	buf_free(&line);
}
