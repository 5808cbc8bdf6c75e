/* verdict_idle: the sentences on a run that nothing held back: it was idle, or had all it wanted.
 */
#include "report/stats/bottleneck.h"
#include "report/stats/usage_column.h"
#include "report/verdict/verdict.h"

verdict_level verdict_say_idle(const struct run *run, struct buf *text)
{
	char cores[64], s[64], whole[64];

	if (!bottleneck_job_idle(run))
		return NULL;
	buf_printf(text,
	           "It was idle most of the time (%s busy), and waited for something other than %s "
	           "(a timer, the network, another program …): its threads were seen "
	           "waiting for a CPU for %s of %s.",
	           units_busy_cores(run->stats[METRIC_PROCESS_CPU_USAGE].mean, cores),
	           bottleneck_no_pressure(run) ? "CPU, memory or disks" : "a CPU",
	           units_text(UNIT_SECONDS, bottleneck_waited_s(run), NULL, s),
	           units_text(UNIT_SECONDS, run->duration, NULL, whole));
	return "info";
}

verdict_level verdict_say_nothing(const struct run *run, struct buf *text)
{
	double busy = usage_stats(USAGE_CPU, run)->mean;
	char cpu[UNITS_SIZE], memory[UNITS_SIZE], io[UNITS_SIZE], cores[64];
	bool idle = bottleneck_cpu_idle(run), job = usage_tracks_job(run);
	bool quota_known = run->stats[METRIC_SYSTEM_THROTTLED].n > 0;

	if (!bottleneck_nothing(run))
		return NULL;
	if (idle && job)
		buf_printf(text,
		           "It was idle most of the time (%s busy), and waited for something other "
		           "than CPU, memory or disks (a timer, the network, another program …)",
		           units_busy_cores(busy, cores));
	else if (idle)
		buf_printf(text, "The machine was mostly idle (%s busy)",
		           units_busy_cores(busy, cores));
	else
		buf_printf(text, "Nothing held %s back", job ? "it" : "the machine");
	buf_printf(text,
	           ": tasks on the machine waited for a CPU %s of the time, for memory %s, for I/O "
	           "%s",
	           units_share(run->stats[METRIC_SYSTEM_PSI_CPU_SOME].mean, cpu),
	           units_share(run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME].mean, memory),
	           units_share(run->stats[METRIC_SYSTEM_PSI_IO_SOME].mean, io));
	if (!quota_known)
		buf_str(text, " (whether a CPU limit stopped it is unknown)");
	buf_char(text, '.');
	return idle || !quota_known ? "info" : "good";
}
