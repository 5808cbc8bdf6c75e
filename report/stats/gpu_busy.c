/* gpu_busy: the utilisation of all GPUs together. */
#include "report/stats/gpu_busy.h"

#include <math.h>

/* Recordings of other tools also write 0 for what they did not measure. */
static struct gpu_busy of_other_tool(const struct run *run)
{
	const struct stats *usage = &run->stats[METRIC_SYSTEM_GPU_USAGE];
	double n = run->snapshot.server.gpu_count;

	if (run->snapshot.job.known || !(n > 0) || !(usage->max > 0))
		return (struct gpu_busy){0};
	return (struct gpu_busy){.gpus = n, .mean = usage->mean / n};
}

struct gpu_busy gpu_busy_of(const struct run *run)
{
	struct gpu_busy all = {0};
	double sum = 0;

	for (size_t i = 0; i < run->snapshot.n_gpus; i++) {
		const struct snapshot_gpu *g = &run->snapshot.gpus[i];
		if (isnan(g->utilisation_mean) || isnan(g->utilisation_max))
			continue;
		all.gpus++;
		all.unused += g->utilisation_max == 0;
		sum += g->utilisation_mean;
	}
	if (!all.gpus)
		return of_other_tool(run);
	all.mean = sum / all.gpus;
	return all;
}
