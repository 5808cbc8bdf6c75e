/* cpu_demand: the cores that a job would have used if its threads had never waited for a CPU. */
#include "core/head/cpu_demand.h"

#include <math.h>

#include "core/base/larger.h"
#include "core/numbers/time_at.h"
#include "core/recording/states.h"

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

static double state_s(const struct stats *stats, enum states_id state)
{
	const struct stats *of = &stats[states_metric(state)];

	return of->n && of->sum > 0 ? of->sum : 0;
}

/* Where the samples are not at hand, the whole run is one. ready_s: in which at least one thread
 * ran or could have run; 0: unknown. */
static double lost_by_waits(const struct snapshot *s, double used, double waited, double ready_s,
                            double duration)
{
	const struct time_at_sample run = {.h = duration,
	                                   .c = used,
	                                   .w = waited / duration,
	                                   .w_most = NAN,
	                                   .b = ready_s / duration,
	                                   .b_least = NAN,
	                                   .b_most = NAN};
	struct time_at one = {0};

	if (s->time_at && time_at_known(s->time_at))
		return time_at_lost_s(s->time_at) / s->time_at->wall_s;
	time_at_add(&one, &run);
	return time_at_lost_s(&one) / duration;
}

/* Time in which no thread ran, and one could have, was lost in any case. */
double cpu_demand_lost(const struct snapshot *s, const struct stats *stats, double used,
                       double waited, double duration)
{
	double stood_s = state_s(stats, STATES_CPU_WAIT) + state_s(stats, STATES_THROTTLED);
	double ready_s = state_s(stats, STATES_CPU) + stood_s;

	if (!(duration > 0) || !(used >= 0) || isnan(waited))
		return NAN;
	return larger(lost_by_waits(s, used, waited, ready_s, duration),
	              lesser(stood_s / duration, 1 - used));
}

double cpu_demand_cores(double used, double lost)
{
	return used > 0 ? used / (1 - lost) : used;
}

double cpu_demand_starved(double used, double waited, double lost)
{
	double share = waited / (waited + used);

	return lost >= CPU_DEMAND_FELT && share >= CPU_DEMAND_STARVED ? share : 0;
}

double cpu_demand_starved_row(double used, double demand)
{
	return demand - used >= CPU_DEMAND_FELT
	           ? cpu_demand_starved(used, demand - used, 1 - used / demand)
	           : 0;
}

double cpu_demand_cpus(double cores)
{
	return ceil(stats_round(cores, 2));
}
