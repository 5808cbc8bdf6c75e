/* verdict_usage: sentences on what was used of what there was, and what to ask for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/model/verdict.h"
#include "report/stats/default_stats.h"
#include "report/stats/history.h"
#include "report/units/model_json.h"

#define MIB 1048576.0

/* -- what the rules share ---------------------------------------------------------------------- */

bool verdict_is_oom(const struct run *run)
{
	const char *cause = run->snapshot.exit.cause;

	return cause && strcmp(cause, "oom") == 0;
}

/* What the recorder says of a limit's origin, for people; not its own words, which are anyone's. */
static const char *origin(const char *from)
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

struct verdict_allowed verdict_cpus(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double all = s->server.known && s->server.vcpus > 0 ? s->server.vcpus : (double)NAN;
	double limit = s->limits.known && usage_tracks_job(run) ? s->limits.cpus : (double)NAN;

	if (!(limit > 0) || !isfinite(limit) || limit >= all)
		return (struct verdict_allowed){.amount = all};
	if (s->limits.cpus_from && strcmp(s->limits.cpus_from, "online CPUs") == 0)
		return (struct verdict_allowed){.amount = limit};
	return (struct verdict_allowed){limit, origin(s->limits.cpus_from)};
}

struct verdict_allowed verdict_memory(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double all = s->server.known && s->server.memory_b > 0 ? s->server.memory_b : (double)NAN;
	bool tree = usage_column(USAGE_MEMORY, run, USAGE_MEMORY) == METRIC_PROCESS_MEMORY;
	double limit = s->limits.known && tree ? s->limits.memory_b : (double)NAN;
	double high = s->limits.known && tree ? s->limits.memory_high_b : (double)NAN;

	/* It slows down, and kills nobody. */
	if (!verdict_is_oom(run) && high > 0 && isfinite(high) && !(high >= limit) &&
	    !(high >= all))
		return (struct verdict_allowed){
		    high, "memory.high of its cgroup, above which it is slowed down"};
	if (!(limit > 0) || !isfinite(limit) || limit >= all)
		return (struct verdict_allowed){.amount = all};
	return (struct verdict_allowed){limit, origin(s->limits.memory_from)};
}

/* What the kernel counted of the largest process, and what the samples saw of all. */
static double memory_seen(const struct run *run)
{
	double peak = usage_stats(USAGE_MEMORY, run)->max, seen = peak > 0 ? peak : 0;
	double single = run->snapshot.totals.known ? run->snapshot.totals.peak_rss_b : 0;

	return single > seen ? single : seen;
}

double verdict_memory_died(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double seen = memory_seen(run);
	struct verdict_allowed allowed = verdict_memory(run);
	bool victims = s->totals.known && s->totals.oom_kills >= 1;
	bool machine = s->limits.known && !s->limits.hidden;

	if (!verdict_is_oom(run) && !victims)
		return NAN;
	if (!(allowed.amount > 0))
		return seen;
	if (!allowed.from && (!machine || seen < VERDICT_OWN_MEMORY * allowed.amount))
		return seen;
	return allowed.amount > seen ? allowed.amount : seen;
}

const char *verdict_percent(double share, char out[UNITS_SIZE])
{
	double percent = share * 100;

	if (percent > 0 && percent < 0.1)
		snprintf(out, UNITS_SIZE, "under 0.1%%");
	else
		units_percent(stats_round(percent, percent < 10 ? 1 : 0), out);
	return out;
}

const char *verdict_cores_text(double cores, char out[64])
{
	if (cores < 0.005)
		snprintf(out, 64, "under 0.01 cores");
	else
		units_text(UNIT_CORES, cores, NULL, out);
	return out;
}

const char *verdict_cpus_text(double cpus, char out[64])
{
	bool whole = cpus == stats_round(cpus, 0);
	char number[UNITS_SIZE];

	snprintf(out, 64, "%s CPU%s", whole ? units_count(cpus, number) : units_cores(cpus, number),
	         cpus == 1 ? "" : "s");
	return out;
}

/* -- memory ------------------------------------------------------------------------------------ */

/* A share of it: "50% of the machine's 1.82 GiB". told: where the limit comes from was said. */
static void say_of_memory(struct buf *text, double share, const struct verdict_allowed *allowed,
                          bool told)
{
	char percent[UNITS_SIZE], bytes[64];

	units_text(UNIT_BYTES, allowed->amount, NULL, bytes);
	verdict_percent(share, percent);
	if (allowed->from && told)
		buf_printf(text, ", %s of its limit of %s", percent, bytes);
	else if (allowed->from)
		buf_printf(text, ", %s of its limit of %s (%s)", percent, bytes, allowed->from);
	else
		buf_printf(text, ", %s of the machine's %s", percent, bytes);
}

double verdict_memory_missed(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double peak = run->stats[METRIC_PROCESS_MEMORY].max,
	       rss = run->stats[METRIC_PROCESS_RSS].max;
	double single = s->totals.peak_rss_b, seen = rss > peak ? rss : peak;

	if (!s->totals.known ||
	    usage_column(USAGE_MEMORY, run, USAGE_MEMORY) != METRIC_PROCESS_MEMORY)
		return 0;
	return single > seen * VERDICT_MEMORY_MISSED && single > seen + VERDICT_MEMORY_MISSED_B
	           ? single
	           : 0;
}

/* Bytes between samples that they did not see; 0 where they saw as much. *what tells of whom. */
static double missed(const struct run *run, double peak, const struct verdict_allowed *allowed,
                     const char **what)
{
	const struct snapshot *s = &run->snapshot;
	double cgroup = s->totals.cgroup_memory_peak_b;

	if (!s->totals.known ||
	    usage_column(USAGE_MEMORY, run, USAGE_MEMORY) != METRIC_PROCESS_MEMORY)
		return 0;
	/* Where the cgroup has the limit, its account is what counts. */
	if (allowed->from && cgroup >= VERDICT_MEMORY_FULL * allowed->amount) {
		*what = "its cgroup, page cache included,";
		return peak < VERDICT_MEMORY_FULL * allowed->amount ? cgroup : 0;
	}
	*what = "a single process";
	return verdict_memory_missed(run);
}

verdict_level verdict_say_memory(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	enum metric_id column = usage_column(USAGE_MEMORY, run, USAGE_MEMORY);
	double peak = run->stats[column].max, more;
	struct verdict_allowed allowed = verdict_memory(run);
	const char *what = "";
	char s[64];

	if (!(peak > 0))
		return NULL;
	buf_printf(text, "%s used at most %s of memory",
	           column == METRIC_PROCESS_MEMORY ? "The job" : "The machine",
	           units_text(UNIT_BYTES, peak, NULL, s));
	if (allowed.amount > 0)
		say_of_memory(text, peak / allowed.amount, &allowed, verdict_is_oom(run));
	more = missed(run, peak, &allowed, &what);
	if (more > 0)
		buf_printf(text, "; %s reached %s between samples", what,
		           units_text(UNIT_BYTES, more, NULL, s));
	buf_str(text, ".");
	/* The cgroup's page cache is given back when it is needed: no reason to warn. */
	if (strcmp(what, "a single process") == 0 && more > peak)
		peak = more;
	return !(peak >= VERDICT_MEMORY_FULL * allowed.amount) ? "info"
	       : verdict_is_oom(run)                           ? "bad"
	                                                       : "warn";
}

/* -- CPUs -------------------------------------------------------------------------------------- */

static void say_of_cpus(struct buf *text, double share, const struct verdict_allowed *allowed)
{
	char percent[UNITS_SIZE], cpus[64];

	verdict_percent(share, percent);
	verdict_cpus_text(allowed->amount, cpus);
	if (allowed->from)
		buf_printf(text, ": %s of the %s it may use (%s)", percent, cpus, allowed->from);
	else
		buf_printf(text, ": %s of the machine's %s", percent, cpus);
}

/* Whether most of the CPUs had nothing to do: of the machine's, others may have kept the rest
 * busy. Not where the job's threads waited for them. */
static bool mostly_idle(const struct run *run, const struct verdict_allowed *allowed, double mean)
{
	double half = VERDICT_CPUS_IDLE * allowed->amount;

	if (run->samples < VERDICT_SAMPLES || !(allowed->amount >= 2) || !(mean < half) ||
	    verdict_starved(run) > 0)
		return false;
	return allowed->from || run->stats[METRIC_SYSTEM_CPU_USAGE].mean < half;
}

verdict_level verdict_say_cpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	const struct stats *busy = usage_stats(USAGE_CPU, run);
	struct verdict_allowed allowed = verdict_cpus(run);
	char s[64], t[64];

	if (isnan(busy->mean))
		return NULL;
	buf_printf(text, "%s kept %s busy", usage_tracks_job(run) ? "The job" : "The machine",
	           verdict_cores_text(busy->mean, s));
	if (busy->n > 1 && busy->max >= 0.005)
		buf_printf(text, " on average and %s at its peak", units_cores(busy->max, t));
	if (allowed.amount > 0)
		say_of_cpus(text, busy->mean / allowed.amount, &allowed);
	buf_str(text, ".");
	if (!mostly_idle(run, &allowed, busy->mean))
		return "info";
	buf_str(text, allowed.from ? " It left most of that unused." : " Most of them were idle.");
	return "warn";
}

/* -- GPUs -------------------------------------------------------------------------------------- */

/* Of recordings of other tools: 0 stands for what they did not measure, too. */
static struct verdict_gpus foreign_gpus(const struct run *run)
{
	const struct stats *usage = &run->stats[METRIC_SYSTEM_GPU_USAGE];
	double n = run->snapshot.server.gpu_count;

	if (run->snapshot.job.known || !(n > 0) || !(usage->max > 0))
		return (struct verdict_gpus){0};
	return (struct verdict_gpus){.gpus = n, .mean = usage->mean / n, .max = NAN};
}

struct verdict_gpus verdict_gpus(const struct run *run)
{
	struct verdict_gpus all = {0};
	double sum = 0;

	for (size_t i = 0; i < run->snapshot.n_gpus; i++) {
		const struct snapshot_gpu *g = &run->snapshot.gpus[i];
		if (isnan(g->utilisation_mean) || isnan(g->utilisation_max))
			continue;
		all.gpus++;
		all.unused += g->utilisation_max == 0;
		sum += g->utilisation_mean;
		all.max = g->utilisation_max > all.max ? g->utilisation_max : all.max;
	}
	if (!all.gpus)
		return foreign_gpus(run);
	all.mean = sum / all.gpus;
	return all;
}

verdict_level verdict_say_gpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct verdict_gpus g = verdict_gpus(run);
	double held = run->stats[METRIC_PROCESS_GPU_VRAM].max;
	char n[UNITS_SIZE], s[UNITS_SIZE], bytes[64];

	if (!(g.gpus > 0))
		return NULL;
	if (g.gpus == 1)
		buf_printf(text, "The GPU was busy %s of the time", verdict_percent(g.mean, s));
	else
		buf_printf(text, "The %s GPUs were busy %s of the time on average",
		           units_count(g.gpus, n), verdict_percent(g.mean, s));
	if (g.unused > 0 && g.unused < g.gpus)
		buf_printf(text, ", %s of them never", units_count(g.unused, n));
	if (held > 0)
		buf_printf(text, "; the job held up to %s of GPU memory",
		           units_text(UNIT_BYTES, held, NULL, bytes));
	buf_str(text, ".");
	if (!(g.mean < VERDICT_GPU_IDLE))
		return g.unused > 0 ? "warn" : "info";
	if (held > 0)
		buf_printf(text, " The GPU%s mostly waited for the job.", g.gpus == 1 ? "" : "s");
	else
		buf_printf(text, " The job hardly needed %s.", g.gpus == 1 ? "it" : "them");
	return "warn";
}

/* -- what to ask for --------------------------------------------------------------------------- */

static void say_had(struct buf *text, double cpus, double memory, double gpus)
{
	char n[64], bytes[64];

	verdict_cpus_text(cpus, n);
	units_text(UNIT_BYTES, memory, NULL, bytes);
	if (cpus > 0 && memory > 0)
		buf_printf(text, " It had %s and %s of memory", n, bytes);
	else
		buf_printf(text, " It had %s%s", cpus > 0 ? n : bytes,
		           cpus > 0 ? "" : " of memory");
	if (gpus > 0)
		buf_printf(text, ", and %s GPU%s", units_count(gpus, bytes), gpus == 1 ? "" : "s");
}

static bool broke_off(const struct run *run)
{
	return run->status == RUN_FAILED || run->status == RUN_KILLED ||
	       run->status == RUN_UNFINISHED;
}

/* What was there beside what is asked for. */
static void say_size(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	double cpus = verdict_cpus(run).amount, memory = verdict_memory(run).amount;
	double gpus = run->snapshot.server.known ? run->snapshot.server.gpu_count : 0;
	double ask = (double)in->advice->memory_mib * MIB;
	bool few = (double)in->advice->cpu <= VERDICT_TOO_BIG * cpus && !verdict_cpus_short(run);
	bool little = ask <= VERDICT_TOO_BIG * memory && !verdict_memory_short(run);

	if (!(cpus > 0) && !(memory > 0))
		return;
	say_had(text, cpus, memory, gpus);
	if (ask > memory)
		buf_str(text, !isnan(verdict_memory_died(run))
		                  ? ": too little memory"
		                  : ": that leaves too little memory to spare");
	else if ((few || little) && !broke_off(run) && run->samples >= VERDICT_SAMPLES)
		buf_printf(text, ": half of %s, or less, would have been enough",
		           !little    ? "the CPUs"
		           : !few     ? "the memory"
		           : gpus > 0 ? "the CPUs and the memory"
		                      : "that");
	if ((double)in->advice->cpu < cpus && verdict_cpus_short(run))
		buf_str(text, ", though with fewer CPUs it takes longer");
	buf_char(text, '.');
}

verdict_level verdict_say_advice(const struct model_input *in, struct buf *text)
{
	const struct advice *a = in->advice;
	const struct run *run = &in->runs->v[0];
	size_t used = history_used(in->runs);

	if (!advice_known(a->cpu_formula) || !advice_known(a->memory_formula))
		return NULL;
	buf_printf(text, "Next time, ask for %ld CPU%s and %ld MiB of memory", a->cpu,
	           a->cpu == 1 ? "" : "s", a->memory_mib);
	if (a->gpu)
		buf_printf(text, ", with %ld GPU%s and %ld MiB of GPU memory", a->gpu,
		           a->gpu == 1 ? "" : "s", a->vram_mib);
	if (used)
		buf_printf(text, " (%zu earlier run%s counted in)", used, used == 1 ? "" : "s");
	buf_str(text, ".");
	say_size(in, text);
	if (broke_off(run))
		buf_str(text, " A run to the end may need more.");
	return "info";
}
