/* bottleneck: the causes that can hold a job back, each as a share of its time. */
#include "report/stats/bottleneck.h"

#include <math.h>

#include "core/head/cpu_demand.h"
#include "core/head/overview.h"
#include "core/numbers/time_at.h"
#include "core/recording/elapsed.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/memory_peak.h"
#include "report/stats/state_use.h"
#include "report/stats/trend.h"
#include "report/stats/usage_column.h"

#define WAITED_ALIKE 0.95 /* two accounts of one wait */

/* The mean of a column; 0 where it was not measured. */
static double mean_or_0(const struct run *run, enum metric_id id)
{
	return run->stats[id].n ? run->stats[id].mean : 0;
}

/* A recording's overview knows it for some numbers of cores; NULL: not for these. */
static const struct overview_share *share_in_overview(const struct run *run, double from, double to)
{
	enum metric_id id = usage_column(USAGE_CPU, run, USAGE_CPU);
	const struct overview *o = run->snapshot.overview;

	for (size_t i = 0; o && i < o->n_shares; i++)
		if (o->share[i].id == id && o->share[i].from == from && o->share[i].to == to)
			return &o->share[i];
	return NULL;
}

/* The part of the time in which CPU usage lay between two numbers of cores. */
static double time_between(const struct run *run, double from, double to)
{
	enum metric_id id = usage_column(USAGE_CPU, run, USAGE_CPU);
	const struct overview_share *known = share_in_overview(run, from, to);
	const struct frame *f = &run->snapshot.rows[metrics[id].scope];
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, metrics[id].scope);
	const double *v = frame_col(f, id);
	double all = 0, between = 0;

	if (known)
		return known->share;
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

/* -- CPUs -------------------------------------------------------------------------------------- */

static double busy_cores(const struct run *run)
{
	return USAGE_CPUS_BUSY * allowance_cpus(run).amount;
}

double bottleneck_cpus_full(const struct run *run)
{
	return time_between(run, busy_cores(run), (double)INFINITY);
}

bool bottleneck_needs_rows(const struct run *run)
{
	double busy = busy_cores(run);

	if (!usage_stats(USAGE_CPU, run)->n)
		return false;
	return (!isnan(busy) && !share_in_overview(run, busy, (double)INFINITY)) ||
	       !share_in_overview(run, USAGE_ONE_CORE_MIN, USAGE_ONE_CORE_MAX);
}

double bottleneck_throttled_s(const struct run *run)
{
	const struct stats *s = load_stats(run, METRIC_SYSTEM_THROTTLED);
	double all = run->duration * (double)parts_nodes(run);
	bool felt = s->n && s->sum > 0 && s->sum >= BOTTLENECK_THROTTLED * all;

	return usage_tracks_job(run) && felt ? s->sum : 0;
}

/* The kernel sums throttled seconds over CPUs: they may be more than the run's. */
static double quota_share(const struct run *run)
{
	double s = bottleneck_throttled_s(run);

	return s > 0 ? fmin(1, s / (run->duration * (double)parts_nodes(run))) : 0;
}

double bottleneck_waited_s(const struct run *run)
{
	struct stats own[METRIC_COUNT];

	return cpu_demand_waited_s(&run->snapshot, load_all_stats(run, own));
}

double bottleneck_waited_least_s(const struct run *run)
{
	double waited = bottleneck_waited_s(run);
	double state = state_use_of(run).of[STATES_CPU_WAIT].s;

	return state <= waited && state >= WAITED_ALIKE * waited ? state : waited;
}

double bottleneck_starved(const struct run *run)
{
	double ran = load_stats(run, METRIC_PROCESS_CPU_USAGE)->mean * run->duration;
	double lost = bottleneck_lost(run);

	if (lost * run->duration < BOTTLENECK_LOST_LEAST_S)
		return 0;
	return cpu_demand_starved(ran, bottleneck_waited_s(run), lost);
}

/* A throttled thread waits too, so throttled time counts only where the wait was not measured. */
double bottleneck_lost(const struct run *run)
{
	double waited = bottleneck_waited_s(run);
	struct snapshot s = run->snapshot;
	struct stats own[METRIC_COUNT];
	struct time_at packed;

	if (isnan(waited))
		waited = bottleneck_throttled_s(run);
	s.time_at = load_time_at(run, &packed);
	return cpu_demand_lost(&s, load_all_stats(run, own),
	                       load_stats(run, METRIC_PROCESS_CPU_USAGE)->mean, waited,
	                       run->duration);
}

double bottleneck_wanted_cores(const struct run *run)
{
	return cpu_demand_cores(load_stats(run, METRIC_PROCESS_CPU_USAGE)->mean,
	                        bottleneck_lost(run));
}

double bottleneck_needed_cores(const struct run *run)
{
	double held = bottleneck_throttled_s(run), cores = bottleneck_wanted_cores(run);

	return (held > 0 || bottleneck_starved(run) > 0) && isfinite(cores) ? cores : 0;
}

double bottleneck_others_cores(const struct run *run)
{
	double others =
	    mean_or_0(run, METRIC_SYSTEM_CPU_USAGE) - mean_or_0(run, METRIC_PROCESS_CPU_USAGE);

	if (usage_is_partial(run))
		return 0;
	return others >= BOTTLENECK_OTHERS * allowance_machine_cpus(run) ? others : 0;
}

bool bottleneck_cpus_short(const struct run *run)
{
	return bottleneck_cpus_full(run) >= BOTTLENECK_CPUS_BUSY_TIME ||
	       bottleneck_starved(run) > 0;
}

/* A job that asks for next to no CPU time loses none to others. */
static bool wants_cpu(const struct run *run)
{
	return usage_stats(USAGE_CPU, run)->mean >= BOTTLENECK_JOB_IDLE;
}

static double stolen_share(const struct run *run)
{
	double steal = mean_or_0(run, METRIC_SYSTEM_CPU_STEAL);

	if (!wants_cpu(run) || !(steal >= BOTTLENECK_STEAL * allowance_machine_cpus(run)))
		return 0;
	/* A share of the time that the machine wanted to run. */
	return steal / (steal + mean_or_0(run, METRIC_SYSTEM_CPU_USAGE));
}

/* Where the CPUs were all busy, or a quota stopped the job, the wait is a consequence of that. */
static double cpu_wait_share(const struct run *run)
{
	if (bottleneck_throttled_s(run) > 0 ||
	    bottleneck_cpus_full(run) >= BOTTLENECK_CPUS_BUSY_TIME)
		return 0;
	return bottleneck_starved(run);
}

/* Threads that wait for a CPU are several on one core, not one thread. One core in sum says nothing
 * of the parts of a run. */
static double one_core_share(const struct run *run)
{
	double share = time_between(run, USAGE_ONE_CORE_MIN, USAGE_ONE_CORE_MAX);

	if (run->parts || !usage_tracks_job(run) || !(allowance_cpus(run).amount >= 2) ||
	    !(share >= BOTTLENECK_ONE_CORE_TIME) || bottleneck_starved(run) > 0)
		return 0;
	return share;
}

/* -- GPUs -------------------------------------------------------------------------------------- */

/* Recordings of other tools also write 0 for what they did not measure. */
static struct bottleneck_gpus of_other_tool(const struct run *run)
{
	const struct stats *usage = &run->stats[METRIC_SYSTEM_GPU_USAGE];
	double n = run->snapshot.server.gpu_count;

	if (run->snapshot.job.known || !(n > 0) || !(usage->max > 0))
		return (struct bottleneck_gpus){0};
	return (struct bottleneck_gpus){.gpus = n, .mean = usage->mean / n};
}

struct bottleneck_gpus bottleneck_gpus(const struct run *run)
{
	struct bottleneck_gpus all = {0};
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

static double gpus_share(const struct run *run)
{
	struct bottleneck_gpus g = bottleneck_gpus(run);

	if (!(g.gpus > 0) || !(g.mean >= BOTTLENECK_GPUS_FULL) || !usage_tracks_job(run) ||
	    !(run->stats[METRIC_PROCESS_GPU_VRAM].max > 0))
		return 0;
	return g.mean;
}

/* Where a quota stopped the job, the quota is the cause. */
static double cpus_share(const struct run *run)
{
	double share = bottleneck_cpus_full(run);

	return bottleneck_throttled_s(run) > 0 || !(share >= BOTTLENECK_CPUS_BUSY_TIME) ? 0 : share;
}

/* The job's cgroup sees every task of it: whether these hardly waited for a CPU. */
static bool own_cgroup_ran(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	return s->totals.known &&
	       s->totals.cgroup_cpu_some_s < BOTTLENECK_WAITS_CPU * run->duration;
}

/* The machine's PSI does not say whose tasks waited. So only where all CPUs were busy, and other
 * programs had many of them. */
static double others_cpu_share(const struct run *run)
{
	double cpus = allowance_machine_cpus(run), all = mean_or_0(run, METRIC_SYSTEM_CPU_USAGE);
	double waits = mean_or_0(run, METRIC_SYSTEM_PSI_CPU_SOME);

	if (!usage_tracks_job(run) || !wants_cpu(run) || !(waits >= BOTTLENECK_WAITS_CPU) ||
	    !(all >= BOTTLENECK_OTHERS_BUSY * cpus) || !(bottleneck_others_cores(run) > 0) ||
	    own_cgroup_ran(run))
		return 0;
	return waits;
}

/* If the limit is the machine's CPUs, other programs may have kept the rest busy. CPUs for which
 * the job's threads waited are not unused. */
bool bottleneck_cpus_unused(const struct run *run)
{
	struct allowance allowed = allowance_cpus(run);
	double half = BOTTLENECK_CPUS_IDLE * allowed.amount;

	if (run->samples < BOTTLENECK_SAMPLES || !(allowed.amount >= 2) ||
	    !(usage_stats(USAGE_CPU, run)->mean < half) || bottleneck_starved(run) > 0 ||
	    usage_is_partial(run))
		return false;
	return allowed.from || run->stats[METRIC_SYSTEM_CPU_USAGE].mean < half;
}

/* -- memory ------------------------------------------------------------------------------------ */

/* Swap alone is not a loss where no task waits for what is there. */
double bottleneck_swapped(const struct run *run)
{
	double swap = run->stats[METRIC_PROCESS_SWAP].max;
	double share = swap / (swap + run->stats[METRIC_PROCESS_MEMORY].max);

	return share >= BOTTLENECK_SWAPPED ? share : 0;
}

/* Whether the job had so little of the memory that another's limit is as likely what was short. */
static bool has_little_memory(const struct run *run)
{
	double peak = run->stats[METRIC_PROCESS_MEMORY].max;

	return peak < MEMORY_PEAK_OWN * allowance_memory(run).amount &&
	       !(bottleneck_swapped(run) > 0);
}

static double memory_share(const struct run *run)
{
	const struct stats *some = &run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME];

	if (has_little_memory(run))
		return 0;
	if (!some->n)
		return bottleneck_swapped(run);
	return some->mean >= BOTTLENECK_WAITS_MEMORY ? some->mean : 0;
}

bool bottleneck_memory_short(const struct run *run)
{
	return memory_share(run) > 0;
}

static double others_memory_share(const struct run *run)
{
	double share = mean_or_0(run, METRIC_SYSTEM_PSI_MEMORY_SOME);

	return has_little_memory(run) && share >= BOTTLENECK_WAITS_MEMORY ? share : 0;
}

/* -- disks ------------------------------------------------------------------------------------- */

double bottleneck_own_io(const struct run *run, double *own_b)
{
	const struct stats *r = &run->stats[METRIC_PROCESS_READ_BYTES],
			   *w = &run->stats[METRIC_PROCESS_WRITE_BYTES];
	double all = run->stats[METRIC_SYSTEM_DISK_READ_BYTES].sum +
	             run->stats[METRIC_SYSTEM_DISK_WRITE_BYTES].sum;

	*own_b = r->sum + w->sum;
	return !r->n || !w->n || !(all > 0) ? (double)NAN : fmin(1, *own_b / all);
}

/* The part of the time in which some task waited for I/O; without PSI, the cores that were idle
 * meanwhile. */
static double io_wait_share(const struct run *run)
{
	const struct stats *some = &run->stats[METRIC_SYSTEM_PSI_IO_SOME];
	double cores = mean_or_0(run, METRIC_SYSTEM_CPU_IOWAIT);

	if (some->n)
		return some->mean >= BOTTLENECK_WAITS_IO ? some->mean : 0;
	return cores / allowance_machine_cpus(run) >= BOTTLENECK_IOWAIT ? fmin(1, cores) : 0;
}

/* Bytes that may be anyone's count as the job's. */
static double disks_share(const struct run *run)
{
	double bytes;

	return bottleneck_own_io(run, &bytes) < BOTTLENECK_OWN_IO ? 0 : io_wait_share(run);
}

static double others_disks_share(const struct run *run)
{
	double bytes;
	bool of_others = bottleneck_own_io(run, &bytes) < BOTTLENECK_OWN_IO;

	return of_others && usage_tracks_job(run) ? io_wait_share(run) : 0;
}

/* -- all causes -------------------------------------------------------------------------------- */

double bottleneck_share(enum bottleneck cause, const struct run *run)
{
	static double (*const shares[])(const struct run *run) = {
	    [BOTTLENECK_QUOTA] = quota_share,
	    [BOTTLENECK_MEMORY] = memory_share,
	    [BOTTLENECK_DISKS] = disks_share,
	    [BOTTLENECK_STOLEN] = stolen_share,
	    [BOTTLENECK_CPU_WAIT] = cpu_wait_share,
	    [BOTTLENECK_ONE_CORE] = one_core_share,
	    [BOTTLENECK_GPUS] = gpus_share,
	    [BOTTLENECK_CPUS] = cpus_share,
	    [BOTTLENECK_OTHERS_CPU] = others_cpu_share,
	    [BOTTLENECK_OTHERS_MEMORY] = others_memory_share,
	    [BOTTLENECK_OTHERS_DISKS] = others_disks_share,
	};

	return cause < BOTTLENECK_NONE ? shares[cause](run) : 0;
}

enum bottleneck bottleneck_largest(const struct run *run, enum bottleneck from,
                                   enum bottleneck before)
{
	enum bottleneck largest = BOTTLENECK_NONE;
	double most = 0;

	for (int cause = (int)from; cause < (int)before; cause++) {
		double share = bottleneck_share((enum bottleneck)cause, run);
		if (share > most) {
			largest = (enum bottleneck)cause;
			most = share;
		}
	}
	return largest;
}

/* -- none -------------------------------------------------------------------------------------- */

/* A job whose GPUs wait for it is held back by something. */
static bool gpus_wait(const struct run *run)
{
	struct bottleneck_gpus g = bottleneck_gpus(run);

	return g.gpus > 0 && g.mean < BOTTLENECK_GPUS_IDLE &&
	       run->stats[METRIC_PROCESS_GPU_VRAM].max > 0;
}

bool bottleneck_no_pressure(const struct run *run)
{
	return run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME].mean < BOTTLENECK_WAITS_MEMORY &&
	       run->stats[METRIC_SYSTEM_PSI_IO_SOME].mean < BOTTLENECK_WAITS_IO;
}

bool bottleneck_cpu_idle(const struct run *run)
{
	const struct stats *busy = usage_stats(USAGE_CPU, run);

	return busy->n && busy->mean < BOTTLENECK_JOB_IDLE;
}

bool bottleneck_job_idle(const struct run *run)
{
	double lost = isnan(bottleneck_waited_s(run)) ? (double)NAN : bottleneck_lost(run);

	return usage_tracks_job(run) && bottleneck_cpu_idle(run) && trend_ended(run) &&
	       !gpus_wait(run) && lost < CPU_DEMAND_FELT;
}

bool bottleneck_nothing(const struct run *run)
{
	return trend_ended(run) && !gpus_wait(run) && usage_stats(USAGE_CPU, run)->n &&
	       run->stats[METRIC_SYSTEM_PSI_CPU_SOME].mean < BOTTLENECK_WAITS_CPU &&
	       bottleneck_no_pressure(run);
}
