/* memory_peak: memory beyond what the samples saw. */
#include "report/stats/memory_peak.h"

#include <math.h>

#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/usage_column.h"

static bool has_memory_of_job(const struct run *run)
{
	return usage_column(USAGE_MEMORY, run, USAGE_MEMORY) == METRIC_PROCESS_MEMORY;
}

double memory_peak_between(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double peak = run->stats[METRIC_PROCESS_MEMORY].max,
	       rss = run->stats[METRIC_PROCESS_RSS].max;
	double single = s->totals.peak_rss_b, seen = rss > peak ? rss : peak;

	if (!s->totals.known || !has_memory_of_job(run))
		return 0;
	return single > seen * MEMORY_PEAK_MISSED && single > seen + MEMORY_PEAK_MISSED_B ? single
	                                                                                  : 0;
}

double memory_peak_unseen(const struct run *run, bool *of_cgroup)
{
	const struct snapshot *s = &run->snapshot;
	struct allowance allowed = allowance_memory(run);
	double cgroup = s->totals.cgroup_memory_peak_b, full = MEMORY_PEAK_FULL * allowed.amount;

	*of_cgroup = false;
	if (!s->totals.known || !has_memory_of_job(run))
		return 0;
	*of_cgroup = allowed.from && cgroup >= full;
	if (*of_cgroup)
		return run->stats[METRIC_PROCESS_MEMORY].max < full ? cgroup : 0;
	return memory_peak_between(run);
}

/* The larger of the samples' peak and the kernel's own peak of the largest process. */
static double largest_seen(const struct run *run)
{
	double peak = usage_stats(USAGE_MEMORY, run)->max, seen = peak > 0 ? peak : 0;
	double single = run->snapshot.totals.known ? run->snapshot.totals.peak_rss_b : 0;

	return single > seen ? single : seen;
}

double memory_peak_too_little(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double seen = largest_seen(run);
	struct allowance allowed = allowance_memory(run);
	bool victims = s->totals.known && s->totals.oom_kills >= 1;
	bool no_hidden_limit = s->limits.known && !s->limits.hidden;

	if (!load_is_oom(run) && !victims)
		return NAN;
	if (run->parts) {
		seen = parts_worst_node(run->parts).memory_b;
		allowed.amount /= (double)parts_nodes(run);
	}
	if (!(allowed.amount > 0))
		return seen;
	if (!allowed.from && (!no_hidden_limit || seen < MEMORY_PEAK_OWN * allowed.amount))
		return seen;
	return allowed.amount > seen ? allowed.amount : seen;
}
