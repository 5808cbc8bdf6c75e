/* advice: what to ask for next time, from what was used, with the formula that led there. */
#include "advice.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../core/buf.h"
#include "../core/stats.h"

#define HEADROOM  1.2
#define MIB_MAX   1099511627776.0 /* of a step: 2^40 MiB */
#define COUNT_MAX 1e6             /* of CPUs and GPUs */

static bool measured(double v)
{
	return isfinite(v) && v >= 0;
}

static long whole(double v)
{
	double n = stats_round_half_even(v);

	return n < 1 ? 1 : n > COUNT_MAX ? (long)COUNT_MAX : (long)n;
}

long advice_step(double mib)
{
	for (long step = 128; step <= 2048; step *= 2)
		if (!(mib > (double)step))
			return step;
	return mib > MIB_MAX ? (long)MIB_MAX : (long)ceil(mib / 1024) * 1024;
}

int advice_known(const char *formula)
{
	return *formula && strcmp(formula, ADVICE_NOT_MEASURED) != 0;
}

/* %.2f of a number that is out of all measure would be 300 digits long. */
static void number_text(double v, char out[32])
{
	snprintf(out, 32, v < 1e15 ? "%.2f" : "%.3g", v);
}

static long step_with_formula(double peak_mib, char *out, size_t size)
{
	long step = advice_step(peak_mib * HEADROOM);
	char peak[32], more[32];

	number_text(peak_mib, peak);
	number_text(peak_mib * HEADROOM, more);
	snprintf(out, size, "step(%s MiB peak × 1.2 = %s MiB) = %ld MiB", peak, more, step);
	return step;
}

static long whole_with_formula(double v, const char *what, const char *unit, char *out, size_t size)
{
	long n = whole(v);
	char text[32];

	number_text(v, text);
	snprintf(out, size, "max(1, round(%s %s)) = %ld %s%s", text, what, n, unit,
	         n == 1 ? "" : "s");
	return n;
}

static void gpu_make(const struct advice_input *in, struct advice *out)
{
	if (!measured(in->gpu_mean) || !measured(in->gpu_max))
		return;
	if (in->gpu_mean > 0)
		out->gpu = whole_with_formula(in->gpu_max, "GPUs at the peak", "GPU",
		                              out->gpu_formula, sizeof out->gpu_formula);
	else
		snprintf(out->gpu_formula, sizeof out->gpu_formula, "mean GPU usage is 0: 0 GPUs");
}

static void vram_make(const struct advice_input *in, struct advice *out)
{
	if (!measured(in->vram_max_mib))
		return;
	if (in->vram_max_mib > 0)
		out->vram_mib = step_with_formula(in->vram_max_mib, out->vram_formula,
		                                  sizeof out->vram_formula);
	else
		snprintf(out->vram_formula, sizeof out->vram_formula, "peak is 0: 0 MiB");
}

void advice_make(const struct advice_input *in, struct advice *out)
{
	*out = (struct advice){
	    .cpu_formula = ADVICE_NOT_MEASURED,
	    .memory_formula = ADVICE_NOT_MEASURED,
	    .gpu_formula = ADVICE_NOT_MEASURED,
	    .vram_formula = ADVICE_NOT_MEASURED,
	};
	if (measured(in->cpu_mean))
		out->cpu = whole_with_formula(in->cpu_mean, "mean cores", "CPU", out->cpu_formula,
		                              sizeof out->cpu_formula);
	if (measured(in->memory_max_mib))
		out->memory_mib = step_with_formula(in->memory_max_mib, out->memory_formula,
		                                    sizeof out->memory_formula);
	gpu_make(in, out);
	vram_make(in, out);
}

/* -- paste-ready lines ---------------------------------------------------------------------------
 */

static void slurm(const struct advice *a, struct buf *b)
{
	if (a->cpu)
		buf_printf(b, "#SBATCH --cpus-per-task=%ld\n", a->cpu);
	if (a->memory_mib)
		buf_printf(b, "#SBATCH --mem=%ldM\n", a->memory_mib);
	if (a->gpu)
		buf_printf(b, "#SBATCH --gres=gpu:%ld\n", a->gpu);
}

/* No CPU limit: it would throttle where idle CPUs could be used. GPUs are given by their limit. */
static void kubernetes(const struct advice *a, struct buf *b)
{
	buf_str(b, "resources:\n  requests:\n");
	if (a->cpu)
		buf_printf(b, "    cpu: \"%ld\"\n", a->cpu);
	if (a->memory_mib)
		buf_printf(b, "    memory: %ldMi\n", a->memory_mib);
	if (a->memory_mib || a->gpu)
		buf_str(b, "  limits:\n");
	if (a->memory_mib)
		buf_printf(b, "    memory: %ldMi\n", a->memory_mib);
	if (a->gpu)
		buf_printf(b, "    nvidia.com/gpu: %ld\n", a->gpu);
}

/* Its MB is 1024² bytes. */
static void nextflow(const struct advice *a, struct buf *b)
{
	buf_str(b, "process {\n");
	if (a->cpu)
		buf_printf(b, "    cpus = %ld\n", a->cpu);
	if (a->memory_mib)
		buf_printf(b, "    memory = '%ld MB'\n", a->memory_mib);
	if (a->gpu)
		buf_printf(b, "    accelerator = %ld\n", a->gpu);
	buf_str(b, "}\n");
}

/* Its mem_mb is 10⁶ bytes. */
static void snakemake(const struct advice *a, struct buf *b)
{
	if (a->cpu)
		buf_printf(b, "threads: %ld\n", a->cpu);
	if (a->memory_mib || a->gpu)
		buf_str(b, "resources:\n");
	if (a->memory_mib)
		buf_printf(b, "    mem_mb=%.0f%s\n", ceil((double)a->memory_mib * 1.048576),
		           a->gpu ? "," : "");
	if (a->gpu)
		buf_printf(b, "    gpu=%ld\n", a->gpu);
}

static const struct {
	const char *id, *label;
	void (*write)(const struct advice *a, struct buf *b);
} snippets[] = {
    {"slurm", "Slurm", slurm},
    {"kubernetes", "Kubernetes", kubernetes},
    {"nextflow", "Nextflow", nextflow},
    {"snakemake", "Snakemake", snakemake},
};

size_t advice_snippets(const struct advice *a, struct advice_snippet *out, size_t max)
{
	size_t n = 0;

	if (!a->cpu && !a->memory_mib)
		return 0;
	for (; n < sizeof snippets / sizeof *snippets && n < max; n++) {
		struct buf b = {.max = sizeof out->text};
		snippets[n].write(a, &b);
		out[n].id = snippets[n].id;
		out[n].label = snippets[n].label;
		/* Without the last newline. */
		snprintf(out[n].text, sizeof out->text, "%.*s", b.len ? (int)b.len - 1 : 0,
		         buf_cstr(&b));
		buf_free(&b);
	}
	return n;
}
