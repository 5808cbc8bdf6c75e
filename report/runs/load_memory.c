/* load_memory: the job's peak memory. */
#include "report/runs/load_memory.h"

#include <math.h>

void load_memory(const struct snapshot *s, struct stats stats[METRIC_COUNT],
                 struct snapshot_memory *out, double *sampled_b)
{
	struct stats *m = &stats[METRIC_PROCESS_MEMORY];

	*sampled_b = m->max > 0 ? m->max : (double)NAN;
	snapshot_memory_of(s, fmax(m->max, stats[METRIC_PROCESS_MEMORY_PEAK].max), out);
	if (!m->n)
		return;
	m->max = out->peak_b;
	if (!(m->mean > 0))
		m->min = m->mean = m->sum = m->sd = m->p50 = m->p95 = NAN;
}
