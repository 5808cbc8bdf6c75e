/*
 * advice: what to ask for next time, from what was used, with the formula that led there.
 *
 *   cpu    = max(1, round half even(mean cores))
 *   memory = step(peak MiB × 1.2)
 *   gpu    = mean GPU usage > 0 ? max(1, round half even(peak GPU usage)) : 0
 *   vram   = peak MiB > 0 ? step(peak MiB × 1.2) : 0
 *
 * And of our own: a run that died for want of memory wants more than it had, whatever its samples
 * saw, so the memory is step(what it had × 1.2) at least; and where enough runs came to their end,
 * time = the longest of them × 1.5, in whole minutes upward.
 */
#ifndef REPORT_ADVICE_ADVICE_H
#define REPORT_ADVICE_ADVICE_H

#include <stddef.h>

/* NAN where not measured; what is negative or infinite counts as not measured too. */
struct advice_input {
	double cpu_mean; /* cores */
	double memory_max_mib;
	double gpu_mean, gpu_max; /* GPUs */
	double vram_max_mib;
	double memory_died_mib; /* what it had when memory ran out; 0 where it did not */
	size_t finished;        /* runs that came to their end */
	double longest_s;       /* of those */
};

#define ADVICE_NOT_MEASURED "not measured"

/* Fewer runs do not tell how much the next one may differ. */
#define ADVICE_TIME_RUNS 3

/* An item that is not known is 0, and its formula is ADVICE_NOT_MEASURED (advice_known). */
struct advice {
	long cpu, memory_mib, gpu, vram_mib;
	long time_min; /* minutes */
	long peak_mib; /* what the peak alone comes to: below memory_mib where memory ran out */
	char cpu_formula[160], memory_formula[352], gpu_formula[160], vram_formula[160];
	char time_formula[160];
};

void advice_make(const struct advice_input *in, struct advice *out);

/* Whether a formula is one, and not ADVICE_NOT_MEASURED. */
int advice_known(const char *formula);

/* The next of 128, 256, 512, 1024, 2048 MiB, then whole GiB upward. 128 for what is not a number or
 * not positive; a TiB of TiB at most. */
long advice_step(double mib);

#endif
