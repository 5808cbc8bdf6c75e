/* verdict_bottleneck: the sentence on what held the job back most. */
#include <math.h>

#include "report/stats/allowance.h"
#include "report/stats/bottleneck.h"
#include "report/stats/state_use.h"
#include "report/stats/usage_column.h"
#include "report/verdict/verdict.h"

static void say_quota(const struct run *run, double share, struct buf *text)
{
	double quota = run->snapshot.limits.known ? run->snapshot.limits.cpus_quota : (double)NAN;

	(void)share;
	buf_str(text, "A CPU limit held it back: ");
	if (quota > 0)
		buf_printf(text, "to keep it to %s, ", UNITS_CPUS(quota));
	buf_printf(text, "the kernel stopped it for %s (summed over CPUs) in a run of %s.",
	           UNITS_TEXT(UNIT_SECONDS, bottleneck_throttled_s(run)),
	           UNITS_TEXT(UNIT_SECONDS, run->duration));
}

static void say_memory(const struct run *run, double share, struct buf *text)
{
	bool waits = run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME].n > 0;
	bool swapped = bottleneck_swapped(run) > 0;

	buf_str(text, "Memory was short: ");
	if (waits)
		buf_printf(text, "for %s of the time some task on the machine waited for it%s",
		           UNITS_SHARE(share), swapped ? ", and " : "");
	if (swapped)
		buf_printf(text, "up to %s of the job was swapped out to disk",
		           UNITS_TEXT(UNIT_BYTES, run->stats[METRIC_PROCESS_SWAP].max));
	buf_char(text, '.');
}

static void say_others_memory(const struct run *run, double share, struct buf *text)
{
	double used = run->stats[METRIC_PROCESS_MEMORY].max / allowance_memory(run).amount;

	buf_printf(
	    text,
	    "Other programs were short of memory: for %s of the time some task on the machine "
	    "waited "
	    "for it, but the job had at most %s of what it may use.",
	    UNITS_SHARE(share), UNITS_SHARE(used));
}

static void say_io_waits(const struct run *run, struct buf *text)
{
	const struct stats *some = &run->stats[METRIC_SYSTEM_PSI_IO_SOME];

	if (some->n)
		buf_printf(text, "for %s of the time some task on the machine waited for I/O",
		           UNITS_SHARE(some->mean));
	else
		buf_printf(text, "on average %s of the machine idled while a task waited for I/O",
		           UNITS_TEXT(UNIT_CORES, run->stats[METRIC_SYSTEM_CPU_IOWAIT].mean));
}

static void say_disks(const struct run *run, double share, struct buf *text)
{
	double bytes, own = bottleneck_own_io(run, &bytes);

	(void)share;
	buf_str(text, "Disks held it back: ");
	say_io_waits(run, text);
	if (usage_tracks_job(run) && own > 0)
		buf_printf(
		    text,
		    ", and of the bytes that its disks transferred, %s (%s) were the job's. Faster "
		    "storage, or fewer and larger reads and writes, may help",
		    UNITS_SHARE(own), UNITS_TEXT(UNIT_BYTES, bytes));
	buf_char(text, '.');
}

static void say_others_disks(const struct run *run, double share, struct buf *text)
{
	double bytes, own = bottleneck_own_io(run, &bytes);

	(void)share;
	buf_str(text, "Disks were busy: ");
	say_io_waits(run, text);
	buf_printf(text, ", but of the bytes that its disks transferred, only %s were the job's.",
	           UNITS_SHARE(own));
}

static void say_stolen(const struct run *run, double share, struct buf *text)
{
	double steal = run->stats[METRIC_SYSTEM_CPU_STEAL].mean;

	(void)share;
	buf_printf(text,
	           "The host took CPU time away: the hypervisor gave %s, %s of the machine's "
	           "CPUs, to others (steal).",
	           UNITS_TEXT(UNIT_CORES, steal), UNITS_SHARE(steal / allowance_machine_cpus(run)));
}

static void say_cpu_wait(const struct run *run, double share, struct buf *text)
{
	double others = bottleneck_others_cores(run), wanted = bottleneck_wanted_cores(run);

	buf_printf(text,
	           "It was short of CPU: its threads waited at least %s for a CPU, %s of the time "
	           "in which they could have run. Without that wait it would have used %s %s. ",
	           UNITS_TEXT(UNIT_SECONDS, bottleneck_waited_s(run)), UNITS_SHARE(share),
	           state_use_of(run).known ? "about" : "at most", UNITS_BUSY(wanted));
	if (others > 0)
		buf_printf(text,
		           "Other programs used %s of the machine's %s: ", UNITS_CORES(others),
		           UNITS_CPUS(allowance_machine_cpus(run)));
	if (others > 0 && wanted > allowance_cpus(run).amount)
		buf_str(text, "more CPUs, or a machine that is less busy, may make it faster.");
	else if (others > 0)
		buf_str(text, "a machine that is less busy may make it faster.");
	else
		buf_str(text, "More CPUs may make it faster, unless it ties its threads to some.");
}

static void say_others_cpu(const struct run *run, double share, struct buf *text)
{
	buf_printf(
	    text,
	    "Other programs were busy on the machine: they used %s of its %s, and for %s of the "
	    "time some task waited for a CPU.",
	    UNITS_CORES(bottleneck_others_cores(run)), UNITS_CPUS(allowance_machine_cpus(run)),
	    UNITS_SHARE(share));
}

static void say_one_core(const struct run *run, double share, struct buf *text)
{
	buf_printf(text,
	           "It used one core at a time: one of %s was busy for %s of the time, as by a "
	           "program with one thread, which more CPUs do not speed up.",
	           UNITS_CPUS(allowance_cpus(run).amount), UNITS_SHARE(share));
}

static void say_gpus(const struct run *run, double share, struct buf *text)
{
	buf_printf(text, "The %s the limit, busy for %s of the time.",
	           bottleneck_gpus(run).gpus == 1 ? "GPU was" : "GPUs were", UNITS_SHARE(share));
}

static void say_cpus(const struct run *run, double share, struct buf *text)
{
	struct allowance allowed = allowance_cpus(run);
	bool job = usage_tracks_job(run);

	buf_printf(text, "The CPUs were the limit: %s kept %s%s busy for %s of the time",
	           job ? "it" : "the machine",
	           allowed.from ? "the allowed "
	           : job        ? "the machine's "
	                        : "its ",
	           UNITS_CPUS(allowed.amount), UNITS_SHARE(share));
	if (bottleneck_starved(run) > 0)
		buf_printf(text, ", and its threads waited at least %s for a CPU",
		           UNITS_TEXT(UNIT_SECONDS, bottleneck_waited_s(run)));
	buf_str(text, ". More of them may make it faster.");
}

static const struct {
	void (*say)(const struct run *run, double share, struct buf *text);
	verdict_level level;
} sentences[] = {
    [BOTTLENECK_QUOTA] = {say_quota, "warn"},
    [BOTTLENECK_MEMORY] = {say_memory, "warn"},
    [BOTTLENECK_DISKS] = {say_disks, "warn"},
    [BOTTLENECK_STOLEN] = {say_stolen, "warn"},
    [BOTTLENECK_CPU_WAIT] = {say_cpu_wait, "warn"},
    [BOTTLENECK_ONE_CORE] = {say_one_core, "warn"},
    [BOTTLENECK_GPUS] = {say_gpus, "info"},
    [BOTTLENECK_CPUS] = {say_cpus, "info"},
    [BOTTLENECK_OTHERS_CPU] = {say_others_cpu, "warn"},
    [BOTTLENECK_OTHERS_MEMORY] = {say_others_memory, "info"},
    [BOTTLENECK_OTHERS_DISKS] = {say_others_disks, "info"},
};

static verdict_level say_cause(enum bottleneck cause, const struct run *run, struct buf *text)
{
	if (cause == BOTTLENECK_NONE)
		return NULL;
	sentences[cause].say(run, bottleneck_share(cause, run), text);
	return sentences[cause].level;
}

/* Where the states of a job are known, another sentence says what it waited for. */
static void say_idle_waits(const struct run *run, const char *others, struct buf *text)
{
	buf_printf(text, "It was idle most of the time (%s busy)",
	           UNITS_BUSY(run->stats[METRIC_PROCESS_CPU_USAGE].mean));
	if (!state_use_of(run).known)
		buf_printf(text,
		           ", and waited for something other than %s (a timer, the network, "
		           "another program …)",
		           others);
}

/* Of a job that used next to no CPU and did not wait for one; NULL of others. */
static verdict_level say_idle(const struct run *run, struct buf *text)
{
	if (!bottleneck_job_idle(run))
		return NULL;
	say_idle_waits(run, bottleneck_no_pressure(run) ? "CPU, memory or disks" : "a CPU", text);
	buf_char(text, '.');
	return "info";
}

/* That nothing held the job back; NULL where something did, or not all of it was measured. */
static verdict_level say_nothing(const struct run *run, struct buf *text)
{
	double busy = usage_stats(USAGE_CPU, run)->mean;
	bool idle = bottleneck_cpu_idle(run), job = usage_tracks_job(run);
	bool quota_known = run->stats[METRIC_SYSTEM_THROTTLED].n > 0;

	if (!bottleneck_nothing(run))
		return NULL;
	if (idle && job)
		say_idle_waits(run, "CPU, memory or disks", text);
	else if (idle)
		buf_printf(text, "The machine was mostly idle (%s busy)", UNITS_BUSY(busy));
	else
		buf_printf(text, "Nothing held %s back", job ? "it" : "the machine");
	buf_printf(text,
	           ": tasks on the machine waited for a CPU %s of the time, for memory %s, for I/O "
	           "%s",
	           UNITS_SHARE(run->stats[METRIC_SYSTEM_PSI_CPU_SOME].mean),
	           UNITS_SHARE(run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME].mean),
	           UNITS_SHARE(run->stats[METRIC_SYSTEM_PSI_IO_SOME].mean));
	if (!quota_known)
		buf_str(text, " (whether a CPU limit stopped it is unknown)");
	buf_char(text, '.');
	return idle || !quota_known ? "info" : "good";
}

verdict_level verdict_bottleneck_say(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	enum bottleneck of_job, of_machine;
	verdict_level level;

	/* Of a job that was recorded in part, nothing can be said of the whole. */
	if (run->samples < BOTTLENECK_SAMPLES || usage_is_partial(run))
		return NULL;
	of_job = bottleneck_largest(run, BOTTLENECK_QUOTA, BOTTLENECK_FIRST_OF_MACHINE);
	level = say_cause(of_job, run, text);
	if (!level)
		level = say_idle(run, text);
	if (level)
		return level;
	of_machine = bottleneck_largest(run, BOTTLENECK_FIRST_OF_MACHINE, BOTTLENECK_NONE);
	level = say_cause(of_machine, run, text);
	return level ? level : say_nothing(run, text);
}
