/* verdict_usage: sentences on what was used, and what to request. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/asked.h"
#include "report/stats/bottleneck.h"
#include "report/stats/default_stats.h"
#include "report/stats/gpu_busy.h"
#include "report/stats/history.h"
#include "report/stats/memory_peak.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/verdict/verdict.h"

#define MIB 1048576.0

static const char *whose_usage(const struct run *run)
{
	return usage_is_partial(run)   ? "The main process"
	       : usage_tracks_job(run) ? "The job"
	                               : "The machine";
}

/* -- memory ------------------------------------------------------------------------------------ */

/* "50% of the machine's 1.82 GiB". */
static void say_of_memory(struct buf *text, const struct run *run, double share,
                          const struct allowance *allowed)
{
	bool origin_said = load_is_oom(run); /* another sentence names what sets the limit */
	char percent[UNITS_SIZE], bytes[64];

	units_text(UNIT_BYTES, allowed->amount, NULL, bytes);
	units_share(share, percent);
	if (parts_nodes(run) > 1)
		buf_printf(text, ", %s of the %s of its %zu nodes", percent, bytes,
		           parts_nodes(run));
	else if (allowed->from && origin_said)
		buf_printf(text, ", %s of its limit of %s", percent, bytes);
	else if (allowed->from)
		buf_printf(text, ", %s of its limit of %s (%s)", percent, bytes, allowed->from);
	else
		buf_printf(text, ", %s of the machine's %s", percent, bytes);
}

/* A peak that no sample saw. */
static void say_between(struct buf *text, const struct run *run)
{
	char bytes[64];

	if (run->memory_sampled_b > 0)
		buf_printf(text, ", between two samples, of which none had more than %s",
		           units_text(UNIT_BYTES, run->memory_sampled_b, NULL, bytes));
}

verdict_level verdict_say_memory(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	enum metric_id column = usage_column(USAGE_MEMORY, run, USAGE_MEMORY);
	double peak = run->stats[column].max, more = memory_peak_cgroup(run);
	double most = memory_peak_most(run);
	struct allowance allowed = allowance_memory(run);
	bool asked = verdict_asked_known(run, ASKED_MEMORY), between = memory_peak_between(run);
	char s[64];

	if (!(peak > 0))
		return NULL;
	buf_printf(text, "%s used at %s %s of memory",
	           column != METRIC_PROCESS_MEMORY ? "The machine"
	           : usage_is_partial(run)         ? "The main process"
	                                           : "The job",
	           isnan(most) ? "most" : "least", units_text(UNIT_BYTES, peak, NULL, s));
	if (!isnan(most))
		buf_printf(text, ", and at most %s", units_text(UNIT_BYTES, most, NULL, s));
	if (allowed.amount > 0)
		say_of_memory(text, run, peak / allowed.amount, &allowed);
	if (between)
		say_between(text, run);
	if (more > 0)
		buf_printf(text, "; its cgroup, page cache included, reached %s",
		           units_text(UNIT_BYTES, more, NULL, s));
	buf_char(text, '.');
	/* The sentence on what was asked has the peak. */
	if (asked && !(more > 0) && !between && !(peak >= MEMORY_PEAK_FULL * allowed.amount))
		return NULL;
	return !(peak >= MEMORY_PEAK_FULL * allowed.amount) ? "info"
	       : load_is_oom(run)                           ? "bad"
	                                                    : "warn";
}

/* -- CPUs -------------------------------------------------------------------------------------- */

static void say_of_cpus(struct buf *text, const struct run *run, double share,
                        const struct allowance *allowed)
{
	char percent[UNITS_SIZE], cpus[64];

	units_share(share, percent);
	units_cpus(allowed->amount, cpus);
	if (parts_nodes(run) > 1)
		buf_printf(text, ": %s of the %s of its %zu nodes", percent, cpus,
		           parts_nodes(run));
	else if (allowed->from)
		buf_printf(text, ": %s of the %s it may use (%s)", percent, cpus, allowed->from);
	else
		buf_printf(text, ": %s of the machine's %s", percent, cpus);
}

verdict_level verdict_say_cpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	const struct stats *busy = usage_stats(USAGE_CPU, run);
	struct allowance allowed = allowance_cpus(run);
	char s[64], t[64];

	if (isnan(busy->mean) || verdict_asked_known(run, ASKED_CPUS))
		return NULL;
	buf_printf(text, "%s kept %s busy", whose_usage(run), units_busy_cores(busy->mean, s));
	if (busy->n > 1 && busy->max >= 0.005)
		buf_printf(text, " on average and %s at its peak", units_cores(busy->max, t));
	if (allowed.amount > 0)
		say_of_cpus(text, run, busy->mean / allowed.amount, &allowed);
	buf_str(text, ".");
	if (!bottleneck_cpus_unused(run))
		return "info";
	buf_str(text, allowed.from ? " It left most of that unused." : " Most of them were idle.");
	return "warn";
}

/* -- GPUs -------------------------------------------------------------------------------------- */

verdict_level verdict_say_gpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct gpu_busy g = gpu_busy_of(run);
	double held = run->stats[METRIC_PROCESS_GPU_VRAM].max;
	char n[UNITS_SIZE], s[UNITS_SIZE], bytes[64];

	if (!(g.gpus > 0))
		return NULL;
	if (g.gpus == 1)
		buf_printf(text, "The GPU was busy %s of the time", units_share(g.mean, s));
	else
		buf_printf(text, "The %s GPUs were busy %s of the time on average",
		           units_count(g.gpus, n), units_share(g.mean, s));
	if (g.unused > 0 && g.unused < g.gpus)
		buf_printf(text, ", %s of them never", units_count(g.unused, n));
	if (held > 0)
		buf_printf(text, "; the job held up to %s of GPU memory",
		           units_text(UNIT_BYTES, held, NULL, bytes));
	buf_str(text, ".");
	if (!(g.mean < GPU_BUSY_IDLE))
		return g.unused > 0 ? "warn" : "info";
	if (held > 0)
		buf_printf(text, " The GPU%s mostly waited for the job.", g.gpus == 1 ? "" : "s");
	else
		buf_printf(text, " The job hardly needed %s.", g.gpus == 1 ? "it" : "them");
	return "warn";
}

/* -- what to request --------------------------------------------------------------------------- */

static void say_had(struct buf *text, double cpus, double memory, double gpus, double nodes)
{
	char n[64], bytes[64];

	units_cpus(cpus, n);
	units_text(UNIT_BYTES, memory, NULL, bytes);
	if (cpus > 0 && memory > 0)
		buf_printf(text, " It had %s and %s of memory", n, bytes);
	else
		buf_printf(text, " It had %s%s", cpus > 0 ? n : bytes,
		           cpus > 0 ? "" : " of memory");
	if (gpus > 0)
		buf_printf(text, ", and %s GPU%s", units_count(gpus, bytes), gpus == 1 ? "" : "s");
	if (nodes > 1)
		buf_str(text, " per node");
}

static bool broke_off(const struct run *run)
{
	return run->status == RUN_FAILED || run->status == RUN_KILLED ||
	       run->status == RUN_UNFINISHED;
}

/* Whether this run alone would not advise more: then others do. */
static bool leaves_room(const struct run *run, double memory_b)
{
	return ADVICE_HEADROOM * asked_memory_needed(run) <= memory_b;
}

const char *verdict_size_words(const struct model_input *in, const struct verdict_size *size)
{
	const struct run *run = &in->runs->v[0];
	double cpus = (double)in->advice->cpu * size->nodes;
	double memory_b = (double)in->advice->memory_mib * MIB * size->nodes;
	bool few = cpus <= VERDICT_TOO_BIG * size->cpus && !bottleneck_cpus_short(run);
	bool little = memory_b <= VERDICT_TOO_BIG * size->memory_b && !bottleneck_memory_short(run);

	if (memory_b > size->memory_b)
		return !isnan(memory_peak_too_little(run)) ? "too little memory"
		       : leaves_room(run, size->memory_b)
		           ? "that is less memory than other runs need"
		           : "that leaves too little memory to spare";
	if (!(few || little) || broke_off(run) || run->samples < BOTTLENECK_SAMPLES)
		return NULL;
	return !little          ? "half of the CPUs, or less, would have been enough"
	       : !few           ? "half of the memory, or less, would have been enough"
	       : size->gpus > 0 ? "half of the CPUs and the memory, or less, would have been enough"
	                        : "half of that, or less, would have been enough";
}

/* What the run had, compared with what is advised. */
static void say_size(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	double nodes = (double)parts_nodes(run); /* the advice is for one of them */
	const struct verdict_size had = {
	    .cpus = allowance_cpus(run).amount / nodes,
	    .memory_b = allowance_memory(run).amount / nodes,
	    .gpus = run->snapshot.server.known ? run->snapshot.server.gpu_count / nodes : 0,
	    .nodes = 1};
	const char *words = verdict_size_words(in, &had);

	if (!(had.cpus > 0) && !(had.memory_b > 0))
		return;
	say_had(text, had.cpus, had.memory_b, had.gpus, nodes);
	if (words)
		buf_printf(text, ": %s", words);
	if ((double)in->advice->cpu < had.cpus && bottleneck_cpus_short(run) &&
	    !(bottleneck_needed_cores(run) > 0))
		buf_str(text, ", though with fewer CPUs it takes longer");
	buf_char(text, '.');
}

verdict_level verdict_say_advice(const struct model_input *in, struct buf *text)
{
	const struct advice *a = in->advice;
	const struct run *run = &in->runs->v[0];
	char used[HISTORY_TEXT];

	if (!advice_known(a->cpu_formula) || !advice_known(a->memory_formula) ||
	    usage_is_partial(run))
		return NULL;
	buf_printf(text, "Next time, ask for %ld CPU%s and %ld MiB of memory", a->cpu,
	           a->cpu == 1 ? "" : "s", a->memory_mib);
	if (a->gpu)
		buf_printf(text, ", with %ld GPU%s and %ld MiB of GPU memory", a->gpu,
		           a->gpu == 1 ? "" : "s", a->vram_mib);
	if (a->nodes > 1)
		buf_printf(text, ", on each of %ld nodes", a->nodes);
	history_used_text(in->runs, used);
	if (history_used(in->runs))
		buf_printf(text, " (%s included)", used);
	buf_str(text, ".");
	if (!verdict_asked_known(run, ASKED_CPUS) && !verdict_asked_known(run, ASKED_MEMORY))
		say_size(in, text);
	if (broke_off(run))
		buf_str(text, " A complete run may need more.");
	return "info";
}
