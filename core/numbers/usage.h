/*
 * usage: the measures of what a run used, and the columns of the job and of the machine that they
 * are read from.
 */
#ifndef CORE_NUMBERS_USAGE_H
#define CORE_NUMBERS_USAGE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

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

/* Mean cores are the exact CPU time over the duration, where that is known, as it includes what no
 * sample saw. The peak is then no less; where the samples missed so much that the mean is clearly
 * above theirs, it is unknown (NAN). gaps: as below; the samples' mean leaves out the time in which
 * the machine was suspended, which the duration has. */
static inline void usage_exact_cores(double exact_mean, bool gaps, double *mean, double *peak)
{
	if (!(exact_mean > 0) || isinf(exact_mean) || isnan(*mean) || (gaps && exact_mean < *mean))
		return;
	*mean = exact_mean;
	if (exact_mean > 1.05 * *peak + 0.01)
		*peak = NAN;
	else if (exact_mean > *peak)
		*peak = exact_mean;
}

/* Whether a run lasted clearly longer than its samples make out, each an interval in seconds. */
static inline bool usage_has_gaps(double duration_s, double interval_s, size_t samples)
{
	return duration_s > 1.5 * interval_s * ((double)samples + 2);
}

#endif
