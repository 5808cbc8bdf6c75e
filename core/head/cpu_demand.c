/* cpu_demand: the cores that a job would have used if its threads had never waited for a CPU. */
#include "core/head/cpu_demand.h"

#include <math.h>

#include "core/base/larger.h"

/* The cgroup's account includes threads that no sample saw. */
double cpu_demand_waited_s(const struct snapshot *s, const struct stats *stats)
{
	const struct stats *rows = &stats[METRIC_PROCESS_CPU_WAIT];
	double seen = s->totals.known ? s->totals.cpu_wait_s : (double)NAN;
	double some = s->totals.known ? s->totals.cgroup_cpu_some_s : (double)NAN;

	if (isnan(seen) && rows->n)
		seen = rows->sum;
	return larger(seen, some); /* ignores a NAN */
}

double cpu_demand_starved(double used, double waited, double duration)
{
	double share = waited / (waited + used);
	bool felt = waited >= CPU_DEMAND_FELT * duration;

	return felt && share >= CPU_DEMAND_STARVED ? share : 0;
}

double cpu_demand_cpus(double cores)
{
	return ceil(stats_round(cores, 2));
}
