/*
 * usage: the measures of what a run used, and the columns of the job and of the machine that they
 * are read from.
 */
#ifndef CORE_NUMBERS_USAGE_H
#define CORE_NUMBERS_USAGE_H

#include <math.h>

#include "core/numbers/metric.h"

enum usage { USAGE_CPU, USAGE_MEMORY, USAGE_READ, USAGE_WRITE, USAGE_GPU, USAGE_VRAM };
#define USAGES (USAGE_VRAM + 1)

extern const struct usage_columns {
	enum metric_id of[METRIC_SCOPES];
} usage_columns[USAGES];

/* The CPUs were the limit: in a sample, cores of those allowed. */
#define USAGE_CPUS_BUSY 0.9
/* Cores in a sample of one thread, which waits now and then, and whose samples' clock jitters. */
#define USAGE_ONE_CORE_MIN 0.85
#define USAGE_ONE_CORE_MAX 1.15

/* Where samples have not seen all CPU time, so that the mean of cores in use by the exact time is
 * above their peak: that mean, and no peak (NAN). */
static inline void usage_correct_cores(double exact_mean, double *mean, double *peak)
{
	if (!(exact_mean > 1.05 * *peak + 0.01))
		return;
	*mean = exact_mean;
	*peak = NAN;
}

#endif
