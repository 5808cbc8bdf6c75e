/* load_memory: the job's peak memory. */
#include "report/runs/load_memory.h"

#include <math.h>

void load_memory(struct run *run)
{
	struct stats *m = &run->stats[METRIC_PROCESS_MEMORY];
	double row = run->stats[METRIC_PROCESS_MEMORY_PEAK].max;

	run->memory_sampled_b = m->max > 0 ? m->max : (double)NAN;
	snapshot_memory_of(&run->snapshot, fmax(m->max, row), &run->memory);
	if (!m->n)
		return;
	m->max = run->memory.peak_b;
	if (!(m->mean > 0))
		m->min = m->mean = m->sum = m->sd = m->p50 = m->p95 = NAN;
}
