/*
 * advice: what to ask for next time, from what was used, with the formula that led there.
 *
 *   cpu    = max(1, round half even(mean cores))
 *   memory = step(peak MiB × 1.2)
 *   gpu    = mean GPU usage > 0 ? max(1, round half even(peak GPU usage)) : 0
 *   vram   = peak MiB > 0 ? step(peak MiB × 1.2) : 0
 */
#ifndef REPORT_ADVICE_H
#define REPORT_ADVICE_H

#include <stddef.h>

/* NAN where not measured; what is negative or infinite counts as not measured too. */
struct advice_input {
	double cpu_mean; /* cores */
	double memory_max_mib;
	double gpu_mean, gpu_max; /* GPUs */
	double vram_max_mib;
};

#define ADVICE_NOT_MEASURED "not measured"

/* An item that is not known is 0, and its formula is ADVICE_NOT_MEASURED (advice_known). */
struct advice {
	long cpu, memory_mib, gpu, vram_mib;
	char cpu_formula[160], memory_formula[160], gpu_formula[160], vram_formula[160];
};

void advice_make(const struct advice_input *in, struct advice *out);

/* Whether a formula is one, and not ADVICE_NOT_MEASURED. */
int advice_known(const char *formula);

/* The next of 128, 256, 512, 1024, 2048 MiB, then whole GiB upward. 128 for what is not a number or
 * not positive; a TiB of TiB at most. */
long advice_step(double mib);

#define ADVICE_SNIPPETS_MAX 8

struct advice_snippet {
	const char *id, *label; /* static */
	char text[512];         /* lines, without a newline at the end */
};

/* Paste-ready lines for schedulers: what is not known is left out. Returns how many were written,
 * at most max; 0 where neither CPU nor memory is known. */
size_t advice_snippets(const struct advice *a, struct advice_snippet *out, size_t max);

#endif
