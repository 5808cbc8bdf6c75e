/*
 * advice: resources to request for the next run, each with its formula.
 *
 *   cpu    = max(1, round half even(mean cores))
 *   memory = step(peak MiB × 1.2)
 *   gpu    = mean GPU usage > 0 ? max(1, round half even(peak GPU usage)) : 0
 *   vram   = peak MiB > 0 ? step(peak MiB × 1.2) : 0
 *
 * These are resource-tracker's formulas. rtrack adds five. Where the time that runs take with other
 * numbers of CPUs is known, cpu is by cpu_rule.h. A job that was short of CPU is never advised to
 * take less than it would have used on free CPUs: cpu is at least that, rounded up.
 * Memory is what memory_advice.h makes of all runs of the job, where there are enough of them. A
 * run that ended because memory ran out needs more than it had, whatever its samples saw: memory is
 * at least step(what it had × 2). And if enough runs finished, time = the longest of them × 1.5,
 * rounded up to minutes, and × what fewer CPUs
 * cost.
 */
#ifndef REPORT_ADVICE_ADVICE_H
#define REPORT_ADVICE_ADVICE_H

#include <stddef.h>

#include "report/advice/cpu_rule.h"

/* NAN: not measured. Negative and infinite numbers count as not measured. */
struct advice_input {
	double cpu_mean; /* cores */
	double
	    cpu_needed; /* cores that a job which was short of CPU would have used; 0: it was not */
	struct cpu_rule by_time; /* made; {0}: not known */
	double memory_max_mib;
	double gpu_mean, gpu_max; /* GPUs */
	double vram_max_mib;
	double memory_died_mib; /* what it had when memory ran out; 0: it did not */
	double memory_ask_mib;  /* of memory_advice.h, and its formula; NULL: it has none */
	const char *memory_how;
	size_t finished;    /* runs that finished */
	double longest_s;   /* the longest of them */
	double time_most_s; /* by the line over the input; NAN, or not above 0: there is none */
};

/* The ask is so many times the peak. */
#define ADVICE_HEADROOM 1.2
#define ADVICE_KILLED   2.0 /* × what was too little: how much more is needed is not known */

/* Memory as a function of the input, for lines to paste: constant + bytes of it × per_byte, rounded
 * up, and at least least. In MiB. It asks for no less than memory_fit.h does, up to twice the
 * largest input that was seen. */
struct advice_line {
	enum advice_line_of {
		ADVICE_LINE_NONE,
		ADVICE_LINE_ALL,
		ADVICE_LINE_LARGEST,
		ADVICE_LINE_ONE
	} of;
	double least_mib, constant_mib, mib_per_byte;
	char name[64]; /* "the input of --reads" */
};

#define ADVICE_NOT_MEASURED "not measured"

/* Fewer finished runs do not show how much the next one may differ. */
#define ADVICE_TIME_RUNS 3

/* An unknown item is 0, and its formula is ADVICE_NOT_MEASURED (advice_known). */
struct advice {
	long cpu, memory_mib, gpu, vram_mib;
	long time_min; /* minutes */
	double time_s; /* before it was rounded up */
	long nodes;    /* the above is for each of so many; 0 is as 1. Not set by advice_make, */
	long tasks;    /* nor are the tasks on each node; 0: unknown */
	long cpu_mean; /* from the mean alone */
	struct cpu_rule by_time; /* as in the input */
	const char *process; /* the name of the runs, for Nextflow, borrowed; "": they have several;
	                        NULL: all runs. Not set by advice_make */
	long peak_mib;       /* from the peak alone: below memory_mib if memory ran out */
	char cpu_formula[352], memory_formula[352], gpu_formula[160], vram_formula[160];
	char time_formula[192];
	struct advice_line line; /* not set by advice_make */
};

void advice_make(const struct advice_input *in, struct advice *out);

/* The time limit of runs that take so many times as long with a->cpu CPUs; nothing for up to 1. */
void advice_take_longer(struct advice *a, double longer);

/* Whether formula is not ADVICE_NOT_MEASURED. */
int advice_known(const char *formula);

/* Rounds up to 128, 256, 512, 1024 or 2048 MiB, then to whole GiB; at most 2^40 MiB. 128 for NAN
 * and for numbers that are not positive. */
long advice_step(double mib);

#endif
