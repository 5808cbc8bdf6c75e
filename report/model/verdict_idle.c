/* verdict_idle: the sentences on a run that nothing held back: it was idle, or it had what it
 * wanted.
 */
#include "report/model/verdict.h"
#include "report/units/model_json.h"

static bool did_end_well(const struct run *run)
{
	return run->status == RUN_FINISHED || run->status == RUN_UNKNOWN;
}

/* A job whose GPUs wait for it is held back by something. */
static bool gpus_wait(const struct run *run)
{
	struct verdict_gpus g = verdict_gpus(run);

	return g.gpus > 0 && g.mean < VERDICT_GPU_IDLE &&
	       run->stats[METRIC_PROCESS_GPU_VRAM].max > 0;
}

/* Whether tasks on the machine hardly waited for memory and for I/O, as far as is known. */
static bool others_hardly_wait(const struct run *run)
{
	return run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME].mean < VERDICT_WAITS_MEMORY &&
	       run->stats[METRIC_SYSTEM_PSI_IO_SOME].mean < VERDICT_WAITS_IO;
}

static bool is_idle(const struct run *run)
{
	const struct stats *busy = usage_stats(USAGE_CPU, run);

	return busy->n && busy->mean < VERDICT_JOB_IDLE;
}

verdict_level verdict_say_idle(const struct run *run, struct buf *text)
{
	char cores[64], s[64], whole[64];

	if (!usage_tracks_job(run) || !is_idle(run) || !did_end_well(run) || gpus_wait(run) ||
	    !(verdict_waited(run) < VERDICT_WAITED_TIME * run->duration))
		return NULL;
	buf_printf(text,
	           "It was idle most of the time (%s busy), and waited for something other than %s "
	           "(a timer, the network, another program …): its threads were seen to wait for a "
	           "CPU for %s of %s.",
	           verdict_cores_text(run->stats[METRIC_PROCESS_CPU_USAGE].mean, cores),
	           others_hardly_wait(run) ? "CPU, memory or disks" : "a CPU",
	           units_text(UNIT_SECONDS, verdict_waited(run), NULL, s),
	           units_text(UNIT_SECONDS, run->duration, NULL, whole));
	return "info";
}

verdict_level verdict_say_nothing(const struct run *run, struct buf *text)
{
	const struct stats *cpu = &run->stats[METRIC_SYSTEM_PSI_CPU_SOME],
			   *memory = &run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME],
			   *io = &run->stats[METRIC_SYSTEM_PSI_IO_SOME],
			   *busy = usage_stats(USAGE_CPU, run);
	char a[UNITS_SIZE], b[UNITS_SIZE], c[UNITS_SIZE], cores[64];
	bool idle = is_idle(run);

	if (!did_end_well(run) || gpus_wait(run) || !busy->n || !(cpu->mean < VERDICT_WAITS_CPU) ||
	    !others_hardly_wait(run))
		return NULL;
	if (idle && usage_tracks_job(run))
		buf_printf(text,
		           "It was idle most of the time (%s busy), and waited for something other "
		           "than CPU, memory or disks (a timer, the network, another program …)",
		           verdict_cores_text(busy->mean, cores));
	else if (idle)
		buf_printf(text, "The machine was mostly idle (%s busy)",
		           verdict_cores_text(busy->mean, cores));
	else
		buf_printf(text, "Nothing held %s back",
		           usage_tracks_job(run) ? "it" : "the machine");
	buf_printf(text,
	           ": tasks on the machine waited for a CPU %s of the time, for memory %s, for I/O "
	           "%s",
	           verdict_percent(cpu->mean, a), verdict_percent(memory->mean, b),
	           verdict_percent(io->mean, c));
	if (!run->stats[METRIC_SYSTEM_THROTTLED].n)
		buf_str(text, " (whether a CPU limit stopped it is not known)");
	buf_char(text, '.');
	return idle || !run->stats[METRIC_SYSTEM_THROTTLED].n ? "info" : "good";
}
