/* verdict_bottleneck: the sentence on what held the job back most. */
#include <math.h>
#include <stdio.h>

#include "core/elapsed.h"
#include "report/model/verdict.h"
#include "report/units/model_json.h"

/* Writes what one cause did, and returns the part of the run's time that it took, 0 to 1, by which
 * causes are compared. 0 where it did too little, or nothing is known. */
typedef double (*cause)(const struct run *run, struct buf *text, verdict_level *level);

/* A statistic that was measured, or 0. */
static double mean_of(const struct run *run, enum metric_id id)
{
	return run->stats[id].n ? run->stats[id].mean : 0;
}

static double machine_cpus(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	return s->server.known && s->server.vcpus > 0 ? s->server.vcpus : (double)NAN;
}

/* The part of the time in which CPU usage lay between two numbers of cores. */
static double time_between(const struct run *run, double from, double to)
{
	enum metric_id id = usage_column(USAGE_CPU, run, USAGE_CPU);
	const struct frame *f = &run->snapshot.rows[metrics[id].scope];
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, metrics[id].scope);
	const double *v = frame_col(f, id);
	double all = 0, between = 0;

	if (!v || !run->stats[id].n)
		return 0;
	for (size_t i = 0; i < f->rows; i++) {
		double seconds = isnan(v[i]) ? 0 : elapsed_at(&rows, i);
		all += seconds;
		between += v[i] >= from && v[i] <= to ? seconds : 0;
	}
	frame_rest(f);
	return between / all;
}

/* -- waiting for a CPU ------------------------------------------------------------------------- */

/* In a cgroup, the time in which some task waited sees those too that no sample saw. */
double verdict_waited(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	const struct stats *rows = &run->stats[METRIC_PROCESS_CPU_WAIT];
	double seen = s->totals.known ? s->totals.cpu_wait_s : (double)NAN;
	double some = s->totals.known ? s->totals.cgroup_cpu_some_s : (double)NAN;

	if (isnan(seen) && rows->n)
		seen = rows->sum;
	return fmax(seen, some); /* the one that is known */
}

double verdict_starved(const struct run *run)
{
	double waited = verdict_waited(run);
	double ran = run->stats[METRIC_PROCESS_CPU_USAGE].mean * run->duration;
	double share = waited / (waited + ran);

	return waited >= VERDICT_WAITED_TIME * run->duration && share >= VERDICT_WAITED ? share : 0;
}

double verdict_wanted(const struct run *run)
{
	return run->stats[METRIC_PROCESS_CPU_USAGE].mean + verdict_waited(run) / run->duration;
}

double verdict_others(const struct run *run)
{
	double others =
	    mean_of(run, METRIC_SYSTEM_CPU_USAGE) - mean_of(run, METRIC_PROCESS_CPU_USAGE);

	return others >= VERDICT_OTHERS * machine_cpus(run) ? others : 0;
}

static const char *waited_text(const struct run *run, char out[64])
{
	return units_text(UNIT_SECONDS, verdict_waited(run), NULL, out);
}

/* -- the causes -------------------------------------------------------------------------------- */

double verdict_throttled(const struct run *run)
{
	const struct stats *s = &run->stats[METRIC_SYSTEM_THROTTLED];
	bool felt = s->n && s->sum > 0 && s->sum >= VERDICT_THROTTLED * run->duration;

	return usage_tracks_job(run) && felt ? s->sum : 0;
}

/* The kernel adds up the seconds of each CPU: they may be more than the run's. */
static double throttled(const struct run *run, struct buf *text, verdict_level *level)
{
	double s = verdict_throttled(run);
	double quota = run->snapshot.limits.known ? run->snapshot.limits.cpus_quota : (double)NAN;
	char held[64], whole[64], cpus[64];

	if (!(s > 0))
		return 0;
	buf_str(text, "A CPU limit held it back: ");
	if (quota > 0)
		buf_printf(text, "to keep it to %s, ", verdict_cpus_text(quota, cpus));
	buf_printf(text, "the kernel stopped it for %s (summed over CPUs) in a run of %s.",
	           units_text(UNIT_SECONDS, s, NULL, held),
	           units_text(UNIT_SECONDS, run->duration, NULL, whole));
	*level = "warn";
	return fmin(1, s / run->duration);
}

double verdict_swapped(const struct run *run)
{
	double swap = run->stats[METRIC_PROCESS_SWAP].max;
	double share = swap / (swap + run->stats[METRIC_PROCESS_MEMORY].max);

	return share >= VERDICT_SWAPPED ? share : 0;
}

/* Swap alone is no loss where nobody waits for what is there. */
static double swapped(const struct run *run, struct buf *text)
{
	double share = verdict_swapped(run);
	char s[64];

	if (share > 0 && text)
		buf_printf(text, "up to %s of the job was swapped out to disk",
		           units_text(UNIT_BYTES, run->stats[METRIC_PROCESS_SWAP].max, NULL, s));
	return share;
}

/* So little of the memory that another's limit is as likely what was short. */
static bool has_little(const struct run *run)
{
	double peak = run->stats[METRIC_PROCESS_MEMORY].max;

	return peak < VERDICT_OWN_MEMORY * verdict_memory(run).amount && !(swapped(run, NULL) > 0);
}

static double own_memory(const struct run *run, struct buf *text, verdict_level *level)
{
	const struct stats *some = &run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME];
	char percent[UNITS_SIZE];
	bool measured = some->n > 0;
	double share = measured ? some->mean : swapped(run, NULL);

	if (has_little(run) || (measured ? !(share >= VERDICT_WAITS_MEMORY) : !(share > 0)))
		return 0;
	*level = "warn";
	buf_str(text, "Memory was short: ");
	if (measured)
		buf_printf(text, "for %s of the time some task on the machine waited for it%s",
		           verdict_percent(share, percent), swapped(run, NULL) > 0 ? ", and " : "");
	swapped(run, text);
	buf_char(text, '.');
	return share;
}

static double others_memory(const struct run *run, struct buf *text, verdict_level *level)
{
	double share = mean_of(run, METRIC_SYSTEM_PSI_MEMORY_SOME);
	char percent[UNITS_SIZE], used[UNITS_SIZE];

	if (!has_little(run) || !(share >= VERDICT_WAITS_MEMORY))
		return 0;
	*level = "info";
	buf_printf(
	    text,
	    "Memory was short for somebody: for %s of the time some task on the machine waited "
	    "for it, but the job had at most %s of what it may use.",
	    verdict_percent(share, percent),
	    verdict_percent(run->stats[METRIC_PROCESS_MEMORY].max / verdict_memory(run).amount,
	                    used));
	return share;
}

/* What part of the disks' traffic was the job's; NAN where it is not known. */
static double own_io(const struct run *run, double *own)
{
	const struct stats *r = &run->stats[METRIC_PROCESS_READ_BYTES],
			   *w = &run->stats[METRIC_PROCESS_WRITE_BYTES];
	double all = run->stats[METRIC_SYSTEM_DISK_READ_BYTES].sum +
	             run->stats[METRIC_SYSTEM_DISK_WRITE_BYTES].sum;

	*own = r->sum + w->sum;
	return !r->n || !w->n || !(all > 0) ? (double)NAN : fmin(1, *own / all);
}

/* The part of the time that some task waited for disks, or the cores that idled meanwhile; 0 where
 * it is too little. */
static double io_waits(const struct run *run, struct buf *text)
{
	const struct stats *some = &run->stats[METRIC_SYSTEM_PSI_IO_SOME];
	double cores = mean_of(run, METRIC_SYSTEM_CPU_IOWAIT), idle = cores / machine_cpus(run);
	char percent[UNITS_SIZE], s[64];

	if (some->n ? !(some->mean >= VERDICT_WAITS_IO) : !(idle >= VERDICT_IOWAIT))
		return 0;
	if (some->n)
		buf_printf(text, "for %s of the time some task on the machine waited for I/O",
		           verdict_percent(some->mean, percent));
	else
		buf_printf(text, "on average %s of the machine idled while a task waited for I/O",
		           units_text(UNIT_CORES, cores, NULL, s));
	return some->n ? some->mean : fmin(1, cores);
}

/* Where nobody knows whose the bytes were, they count as the job's. */
static double own_disks(const struct run *run, struct buf *text, verdict_level *level)
{
	double bytes, own = own_io(run, &bytes), share;
	char percent[UNITS_SIZE], s[64];

	buf_str(text, "Disks held it back: ");
	share = io_waits(run, text);
	if (own < VERDICT_OWN_IO || !(share > 0))
		return 0;
	if (usage_tracks_job(run) && own > 0)
		buf_printf(
		    text,
		    ", and of the bytes that its disks moved, %s (%s) were the job's. Faster "
		    "storage, or fewer and larger reads and writes, may help",
		    verdict_percent(own, percent), units_text(UNIT_BYTES, bytes, NULL, s));
	buf_char(text, '.');
	*level = "warn";
	return share;
}

static double others_disks(const struct run *run, struct buf *text, verdict_level *level)
{
	double bytes, own = own_io(run, &bytes), share;
	char percent[UNITS_SIZE];

	buf_str(text, "Disks were busy: ");
	share = io_waits(run, text);
	if (!(own < VERDICT_OWN_IO) || !(share > 0) || !usage_tracks_job(run))
		return 0;
	buf_printf(text, ", but of the bytes that its disks moved, only %s were the job's.",
	           verdict_percent(own, percent));
	*level = "info";
	return share;
}

/* A job that asks for next to no CPU time loses none. */
static bool wants_cpu(const struct run *run)
{
	return usage_stats(USAGE_CPU, run)->mean >= VERDICT_JOB_IDLE;
}

static double stolen(const struct run *run, struct buf *text, verdict_level *level)
{
	double steal = mean_of(run, METRIC_SYSTEM_CPU_STEAL), cpus = machine_cpus(run);
	char cores[64], percent[UNITS_SIZE];

	if (!wants_cpu(run) || !(steal >= VERDICT_STEAL * cpus))
		return 0;
	buf_printf(text,
	           "The host took CPU time away: the hypervisor gave %s, %s of the machine's "
	           "CPUs, to others (steal).",
	           units_text(UNIT_CORES, steal, NULL, cores),
	           verdict_percent(steal / cpus, percent));
	*level = "warn";
	/* Of what the machine wanted to run. */
	return steal / (steal + mean_of(run, METRIC_SYSTEM_CPU_USAGE));
}

/* Threads that waited, though the job's CPUs were not all busy with it. Where they were, or a quota
 * stopped it, that is what to say. */
static double starved(const struct run *run, struct buf *text, verdict_level *level)
{
	double share = verdict_starved(run), others = verdict_others(run);
	char s[64], percent[UNITS_SIZE], cores[64], n[64];

	if (!(share > 0) || verdict_throttled(run) > 0 ||
	    verdict_cpus_full(run) >= VERDICT_CPUS_BUSY_TIME)
		return 0;
	buf_printf(text,
	           "It was short of CPU: its threads waited at least %s for a CPU, %s of the time "
	           "in which they could have run. Without that wait it would have used about %s. ",
	           waited_text(run, s), verdict_percent(share, percent),
	           verdict_cores_text(verdict_wanted(run), cores));
	if (others > 0)
		buf_printf(text, "Others took %s of the machine's %s: ", units_cores(others, s),
		           verdict_cpus_text(machine_cpus(run), n));
	if (others > 0 && verdict_wanted(run) > verdict_cpus(run).amount)
		buf_str(text, "more CPUs, or a machine that is less busy, may make it faster.");
	else if (others > 0)
		buf_str(text, "a machine that is less busy may make it faster.");
	else
		buf_str(text, "More CPUs may make it faster, unless it ties its threads to some.");
	*level = "warn";
	return share;
}

/* Whether the job's cgroup, which sees every task of it, tells that they hardly waited. */
static bool own_cgroup_ran(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	return s->totals.known && s->totals.cgroup_cpu_some_s < VERDICT_WAITS_CPU * run->duration;
}

/* Both of others on the machine, and the job's wait is not told apart: so only where all CPUs are
 * busy, and those of others are many. */
static double crowded(const struct run *run, struct buf *text, verdict_level *level)
{
	double cpus = machine_cpus(run), all = mean_of(run, METRIC_SYSTEM_CPU_USAGE);
	double others = verdict_others(run);
	double waits = mean_of(run, METRIC_SYSTEM_PSI_CPU_SOME);
	char cores[UNITS_SIZE], percent[UNITS_SIZE], n[64];

	if (!usage_tracks_job(run) || !wants_cpu(run) || !(waits >= VERDICT_WAITS_CPU) ||
	    !(all >= VERDICT_OTHERS_BUSY * cpus) || !(others > 0) || own_cgroup_ran(run))
		return 0;
	buf_printf(text,
	           "Others were busy on the machine: they took %s of its %s, and for %s of the "
	           "time some task waited for a CPU.",
	           units_cores(others, cores), verdict_cpus_text(cpus, n),
	           verdict_percent(waits, percent));
	*level = "warn";
	return waits;
}

/* Threads that wait for a CPU are several on one core, not one thread. */
static double one_core(const struct run *run, struct buf *text, verdict_level *level)
{
	double cpus = verdict_cpus(run).amount;
	double share = time_between(run, VERDICT_ONE_CORE_MIN, VERDICT_ONE_CORE_MAX);
	char percent[UNITS_SIZE], n[64];

	if (!usage_tracks_job(run) || !(cpus >= 2) || !(share >= VERDICT_ONE_CORE_TIME) ||
	    verdict_starved(run) > 0)
		return 0;
	buf_printf(text,
	           "It worked on one core at a time: one of %s was busy for %s of the time, as of "
	           "a program with one thread, which more CPUs do not speed up.",
	           verdict_cpus_text(cpus, n), verdict_percent(share, percent));
	*level = "warn";
	return share;
}

static double all_gpus(const struct run *run, struct buf *text, verdict_level *level)
{
	struct verdict_gpus g = verdict_gpus(run);
	char percent[UNITS_SIZE];

	if (!(g.gpus > 0) || !(g.mean >= VERDICT_GPU_BUSY) || !usage_tracks_job(run) ||
	    !(run->stats[METRIC_PROCESS_GPU_VRAM].max > 0))
		return 0;
	buf_printf(text, "The %s the limit, busy for %s of the time.",
	           g.gpus == 1 ? "GPU was" : "GPUs were", verdict_percent(g.mean, percent));
	*level = "info";
	return g.mean;
}

double verdict_cpus_full(const struct run *run)
{
	double busy = VERDICT_CPUS_BUSY * verdict_cpus(run).amount;

	return time_between(run, busy, (double)INFINITY);
}

bool verdict_cpus_short(const struct run *run)
{
	return verdict_cpus_full(run) >= VERDICT_CPUS_BUSY_TIME || verdict_starved(run) > 0;
}

bool verdict_memory_short(const struct run *run)
{
	struct buf unused = {0};
	verdict_level level;
	double share = own_memory(run, &unused, &level);

	buf_free(&unused);
	return share > 0;
}

/* Where the kernel stopped it for a quota, that is what to say. */
static double all_cores(const struct run *run, struct buf *text, verdict_level *level)
{
	struct verdict_allowed allowed = verdict_cpus(run);
	double share = verdict_cpus_full(run);
	struct buf unused = {0};
	double stopped = throttled(run, &unused, level);
	char percent[UNITS_SIZE], n[64], s[64];

	buf_free(&unused);
	if (stopped > 0 || !(share >= VERDICT_CPUS_BUSY_TIME))
		return 0;
	buf_printf(text, "The CPUs were the limit: %s kept %s%s busy for %s of the time",
	           usage_tracks_job(run) ? "it" : "the machine",
	           allowed.from            ? "the allowed "
	           : usage_tracks_job(run) ? "the machine's "
	                                   : "its ",
	           verdict_cpus_text(allowed.amount, n), verdict_percent(share, percent));
	if (verdict_starved(run) > 0)
		buf_printf(text, ", and its threads waited at least %s for a CPU",
		           waited_text(run, s));
	buf_str(text, ". More of them may make it faster.");
	*level = "info";
	return share;
}

/* -- all of them ------------------------------------------------------------------------------- */

/* What is known of the job itself goes before what is known of the machine alone, where the job may
 * be one of many that wait, or not among them. */
static const struct {
	cause find;
	bool own;
} causes[] = {
    {throttled, true}, {own_memory, true},     {own_disks, true},     {stolen, true},
    {starved, true},   {one_core, true},       {all_gpus, true},      {all_cores, true},
    {crowded, false},  {others_memory, false}, {others_disks, false},
};

/* The largest of its kind. */
static verdict_level find_most(const struct run *run, bool own, struct buf *text)
{
	verdict_level level = NULL;
	double most = 0;

	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
		struct buf one = {0};
		verdict_level how = NULL;
		double share = causes[i].own == own ? causes[i].find(run, &one, &how) : 0;
		if (share > most) {
			buf_clear(text);
			buf_str(text, buf_cstr(&one));
			level = how;
			most = share;
		}
		buf_free(&one);
	}
	return level;
}

verdict_level verdict_say_bottleneck(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	verdict_level level;

	if (run->samples < VERDICT_SAMPLES)
		return NULL;
	level = find_most(run, true, text);
	if (!level)
		level = verdict_say_idle(run, text);
	if (!level)
		level = find_most(run, false, text);
	return level ? level : verdict_say_nothing(run, text);
}
