/* memory_peak: the job's memory between the samples, and what it lacked. */
#include "report/stats/memory_peak.h"

#include <math.h>
#include <stdio.h>

#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/usage_column.h"

static bool has_memory_of_job(const struct run *run)
{
	return usage_column(USAGE_MEMORY, run, USAGE_MEMORY) == METRIC_PROCESS_MEMORY;
}

bool memory_peak_between(const struct run *run)
{
	double rss =
	    load_stats(run, METRIC_PROCESS_RSS)->max; /* marks count shared pages as it does */
	double peak = run->memory.peak_b, seen = fmax(run->memory_sampled_b, rss);

	return has_memory_of_job(run) && snapshot_memory_apart(peak, seen);
}

double memory_peak_most(const struct run *run)
{
	double most = run->memory.peak_most_b;

	return has_memory_of_job(run) && snapshot_memory_apart(most, run->memory.peak_b)
	           ? most
	           : (double)NAN;
}

bool memory_peak_is_open(const struct run *run)
{
	return has_memory_of_job(run) && run->snapshot.memory.known && run->memory.peak_b > 0 &&
	       isnan(run->memory.peak_most_b);
}

bool memory_peak_is_bound(const struct run *run)
{
	return memory_peak_is_open(run) || !isnan(memory_peak_most(run));
}

const char *memory_peak_text(const struct run *run, double peak_b, char out[UNITS_RANGE_SIZE])
{
	double most = peak_b == run->memory.peak_b ? memory_peak_most(run) : (double)NAN;
	bool open = peak_b == run->memory.peak_b && memory_peak_is_open(run);

	*out = '\0';
	if (!isnan(most))
		units_range(UNIT_BYTES, peak_b, most, NULL, out);
	if (!*out)
		snprintf(out, UNITS_RANGE_SIZE, "%s%s", open ? "≥ " : "",
		         UNITS_TEXT(UNIT_BYTES, peak_b));
	return out;
}

const char *memory_peak_word(const struct run *run)
{
	return memory_peak_is_bound(run) ? "least" : "most";
}

double memory_peak_mean_most(const struct run *run)
{
	double most = run->memory.mean_most_b, mean = load_stats(run, METRIC_PROCESS_MEMORY)->mean;

	return snapshot_memory_apart(most, mean) ? most : (double)NAN;
}

double memory_peak_rss(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double rss = load_stats(run, METRIC_PROCESS_RSS)->max,
	       peak = load_stats(run, METRIC_PROCESS_MEMORY)->max;

	if (s->totals.known)
		rss = fmax(rss, s->totals.peak_rss_b);
	return rss < peak ? peak : rss;
}

double memory_peak_cgroup(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	struct allowance allowed = allowance_memory(run);
	double cgroup = s->totals.cgroup_memory_peak_b, full = MEMORY_PEAK_FULL * allowed.amount;

	if (!s->totals.known || !has_memory_of_job(run) || !allowed.from || !(cgroup >= full))
		return 0;
	return load_stats(run, METRIC_PROCESS_MEMORY)->max < full ? cgroup : 0;
}

double memory_peak_too_little(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double peak = usage_stats(USAGE_MEMORY, run)->max, seen = peak > 0 ? peak : 0;
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
