/* verdict_usage: sentences on what was used of what there was. */
#include <math.h>
#include <stdlib.h>

#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/bottleneck.h"
#include "report/stats/device_use.h"
#include "report/stats/memory_peak.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/verdict/verdict.h"

#define NEARLY_FULL 0.95 /* of a file system */

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
	if (run->memory_sampled_b > 0)
		buf_printf(text, ", between two samples, of which none had more than %s",
		           UNITS_TEXT(UNIT_BYTES, run->memory_sampled_b));
}

verdict_level verdict_usage_memory(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	enum metric_id column = usage_column(USAGE_MEMORY, run, USAGE_MEMORY);
	double peak = run->stats[column].max, more = memory_peak_cgroup(run);
	double most = memory_peak_most(run);
	struct allowance allowed = allowance_memory(run);
	bool asked = verdict_asked_known(run, ASKED_MEMORY), between = memory_peak_between(run);

	if (!(peak > 0))
		return NULL;
	buf_printf(text, "%s used at %s %s of memory",
	           column != METRIC_PROCESS_MEMORY ? "The machine"
	           : usage_is_partial(run)         ? "The main process"
	                                           : "The job",
	           memory_peak_word(run), UNITS_TEXT(UNIT_BYTES, peak));
	if (allowed.amount > 0)
		say_of_memory(text, run, peak / allowed.amount, &allowed);
	if (!isnan(most))
		buf_printf(text, ", and at most %s", UNITS_TEXT(UNIT_BYTES, most));
	if (between)
		say_between(text, run);
	if (more > 0)
		buf_printf(text, "; its cgroup, page cache included, reached %s",
		           UNITS_TEXT(UNIT_BYTES, more));
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

verdict_level verdict_usage_cpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	const struct stats *busy = usage_stats(USAGE_CPU, run);
	struct allowance allowed = allowance_cpus(run);
	double mean, peak;

	usage_column_cores(run, &mean, &peak);
	if (isnan(busy->mean) || verdict_asked_known(run, ASKED_CPUS))
		return NULL;
	buf_printf(text, "%s kept %s busy", whose_usage(run), UNITS_BUSY(mean));
	if (busy->n > 1 && peak >= 0.005)
		buf_printf(text, " on average and %s at its peak", UNITS_CORES(peak));
	else if (isnan(peak))
		buf_str(text, " on average");
	if (allowed.amount > 0)
		say_of_cpus(text, run, mean / allowed.amount, &allowed);
	buf_str(text, ".");
	if (!bottleneck_cpus_unused(run))
		return "info";
	buf_str(text, allowed.from ? " It left most of that unused." : " Most of them were idle.");
	return "warn";
}

/* -- GPUs -------------------------------------------------------------------------------------- */

verdict_level verdict_usage_gpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct bottleneck_gpus g = bottleneck_gpus(run);
	double held = run->stats[METRIC_PROCESS_GPU_VRAM].max;

	if (!(g.gpus > 0))
		return NULL;
	if (g.gpus == 1)
		buf_printf(text, "The GPU was busy %s of the time", UNITS_SHARE(g.mean));
	else
		buf_printf(text, "The %s GPUs were busy %s of the time on average",
		           UNITS_COUNT(g.gpus), UNITS_SHARE(g.mean));
	if (g.unused > 0 && g.unused < g.gpus)
		buf_printf(text, ", %s of them never", UNITS_COUNT(g.unused));
	if (held > 0)
		buf_printf(text, "; the job held up to %s of GPU memory",
		           UNITS_TEXT(UNIT_BYTES, held));
	buf_str(text, ".");
	if (!(g.mean < BOTTLENECK_GPUS_IDLE))
		return g.unused > 0 ? "warn" : "info";
	if (held > 0)
		buf_printf(text, " The GPU%s mostly waited for the job.", g.gpus == 1 ? "" : "s");
	else
		buf_printf(text, " The job hardly needed %s.", g.gpus == 1 ? "it" : "them");
	return "warn";
}

/* -- file systems ------------------------------------------------------------------------------ */

/* Of a recording with --detail: those that the run filled. */
verdict_level verdict_usage_file_systems(const struct model_input *in, struct buf *text)
{
	struct device_uses u;
	struct err e;
	size_t n = 0;

	if (device_use_make(&u, &in->runs->v[0], DETAIL_FILE_SYSTEM, &e))
		return NULL;
	/* The fullest come first. */
	for (size_t i = 0; i < u.n; i++) {
		const struct device_use *d = &u.v[i];
		if (!(d->full >= NEARLY_FULL && d->grown >= DEVICE_USE_GROWN) || n++)
			continue;
		buf_str(text, "The file system on ");
		model_json_cut_text(text, d->name, MODEL_JSON_NAME_MAX);
		buf_printf(text, " filled up to %s during the run: %s more was used on it",
		           UNITS_PERCENT(stats_round(100 * d->full, 1)),
		           UNITS_TEXT(UNIT_BYTES, d->of[0]->max - d->of[0]->first));
	}
	if (n > 1)
		buf_printf(text, "; so did %zu other%s", n - 1, n > 2 ? "s" : "");
	if (n)
		buf_char(text, '.');
	free(u.v);
	return n ? "warn" : NULL;
}
