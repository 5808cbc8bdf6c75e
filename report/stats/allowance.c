/* allowance: the limits that hold for a job. */
#include "report/stats/allowance.h"

#include <math.h>
#include <string.h>

#include "report/stats/usage_column.h"

/* Never the recording's own words, which may be anyone's. */
static const char *origin_words(const char *from)
{
	static const struct {
		const char *from, *words;
	} origins[] = {
	    {"cpu.max", "CPU quota, cpu.max"},
	    {"cpu.cfs_quota_us", "CPU quota, cpu.cfs_quota_us"},
	    {"cpuset", "cpuset"},
	    {"sched_getaffinity", "CPU affinity"},
	    {"memory.max", "memory.max of its cgroup"},
	    {"memory.limit_in_bytes", "memory.limit_in_bytes of its cgroup"},
	};

	for (size_t i = 0; from && i < sizeof origins / sizeof *origins; i++)
		if (strcmp(origins[i].from, from) == 0)
			return origins[i].words;
	return "as recorded";
}

double allowance_machine_cpus(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	return s->server.known && s->server.vcpus > 0 ? s->server.vcpus : (double)NAN;
}

struct allowance allowance_cpus(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double all = allowance_machine_cpus(run);
	double limit = s->limits.known && usage_tracks_job(run) ? s->limits.cpus : (double)NAN;

	if (!(limit > 0) || !isfinite(limit) || limit >= all)
		return (struct allowance){.amount = all};
	if (s->limits.cpus_from && strcmp(s->limits.cpus_from, "online CPUs") == 0)
		return (struct allowance){.amount = limit};
	return (struct allowance){limit, origin_words(s->limits.cpus_from)};
}

struct allowance allowance_memory(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double all = s->server.known && s->server.memory_b > 0 ? s->server.memory_b : (double)NAN;
	bool job = usage_column(USAGE_MEMORY, run, USAGE_MEMORY) == METRIC_PROCESS_MEMORY;
	double limit = s->limits.known && job ? s->limits.memory_b : (double)NAN;
	double high = s->limits.known && job ? s->limits.memory_high_b : (double)NAN;

	/* memory.high slows a cgroup down but kills nothing, so it explains no OOM kill. */
	if (!load_is_oom(run) && high > 0 && isfinite(high) && !(high >= limit) && !(high >= all))
		return (struct allowance){
		    high, "memory.high of its cgroup, above which it is slowed down"};
	if (!(limit > 0) || !isfinite(limit) || limit >= all)
		return (struct allowance){.amount = all};
	return (struct allowance){limit, origin_words(s->limits.memory_from)};
}
