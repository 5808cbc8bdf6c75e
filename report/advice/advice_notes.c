/* advice_notes: a rule for each way in which a run does not show what its job needs. */
#include "report/advice/advice_notes.h"

#include <math.h>
#include <stdio.h>

#include "core/base/quantity.h"
#include "core/head/cpu_demand.h"
#include "report/advice/own_size.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/asked.h"
#include "report/stats/bottleneck.h"
#include "report/stats/memory_peak.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"

/* Writes a note and returns its level; NULL: nothing to say. */
typedef const char *(*note_rule)(const struct run *run, const struct advice *a, struct buf *text);

static const char *note_cpu(const struct run *run, const struct advice *a, struct buf *text)
{
	double held = bottleneck_throttled_s(run), full = bottleneck_cpus_full(run);
	struct allowance allowed = allowance_cpus(run);

	if (!a->cpu || run->samples < BOTTLENECK_SAMPLES)
		return NULL;
	if (held > 0)
		buf_printf(text, "A CPU limit stopped the job for %s in all (summed over CPUs).",
		           UNITS_TEXT(UNIT_SECONDS, held));
	else if (full >= BOTTLENECK_CPUS_BUSY_TIME)
		buf_printf(
		    text, "CPU was at its limit: %s or more of %s was busy for %s of the time.",
		    UNITS_SHARE(USAGE_CPUS_BUSY), UNITS_CPUS(allowed.amount), UNITS_SHARE(full));
	else if (bottleneck_starved(run) > 0)
		buf_printf(text, "Its threads waited at least %s for a CPU.",
		           UNITS_TEXT(UNIT_SECONDS, bottleneck_waited_least_s(run)));
	else
		return NULL;
	if (a->cpu > a->cpu_mean &&
	    (!a->by_time.known || cpu_demand_cpus(bottleneck_needed_cores(run)) >= (double)a->cpu))
		buf_printf(text,
		           " %ld CPUs are what it would have used without that wait, rounded up. "
		           "resource-tracker's rule, by the mean alone, gives %ld.",
		           a->cpu, a->cpu_mean);
	else if (!(held > 0) && full < BOTTLENECK_CPUS_BUSY_TIME &&
	         bottleneck_others_cores(run) > 0 &&
	         !(bottleneck_wanted_cores(run) > allowed.amount))
		buf_str(text,
		        " It may use more on a less busy machine: the formula uses what it got.");
	else
		buf_str(text,
		        " More CPUs may make it faster: the formula uses what it was allowed.");
	return "info";
}

static void say_died(const struct run *run, double died, struct buf *text)
{
	struct allowance allowed = allowance_memory(run);
	char had[64];

	buf_printf(text, "The kernel ended %s because memory ran out",
	           load_is_oom(run) ? "the job" : "some of the job's processes");
	units_text(UNIT_BYTES, died, NULL, had);
	if (allowed.from && died > 0)
		buf_printf(text, " at its limit of %s", had);
	else if (died >= allowed.amount)
		buf_printf(text, ", when the machine's %s were taken", had);
	else if (died > 0)
		buf_printf(text, ", when it had %s", had);
}

static const char *note_killed(const struct run *run, const struct advice *a, struct buf *text)
{
	double died = memory_peak_too_little(run);

	if (isnan(died))
		return NULL;
	say_died(run, died, text);
	if (a->memory_mib > a->peak_mib)
		buf_printf(
		    text,
		    ": it needed more, and nobody knows how much. The %ld MiB that follow from its "
		    "peak are too low; %ld MiB are twice what was too little, rounded up.",
		    a->peak_mib, a->memory_mib);
	else
		buf_str(text, ": a complete run may need more than the peak suggests.");
	return "warn";
}

static const char *note_near_limit(const struct run *run, const struct advice *a, struct buf *text)
{
	double peak = usage_stats(USAGE_MEMORY, run)->max, amount = allowance_memory(run).amount;
	bool full = peak >= MEMORY_PEAK_FULL * amount, waits = bottleneck_memory_short(run);
	const struct stats *some = &run->stats[METRIC_SYSTEM_PSI_MEMORY_SOME];

	if (!a->memory_mib || !isnan(memory_peak_too_little(run)) || (!full && !(waits && some->n)))
		return NULL;
	if (full)
		buf_printf(text, "Memory was near its limit: the peak was %s of %s.",
		           UNITS_SHARE(peak / amount), UNITS_TEXT(UNIT_BYTES, amount));
	if (waits && some->n)
		buf_printf(text, "%s%s of the time some task waited for memory.",
		           full ? " For " : "Memory was short: for ", UNITS_SHARE(some->mean));
	buf_str(text, " More memory may make the job faster, and the peak may show what "
	              "it was given, not what it needs.");
	return "warn";
}

static const char *note_between_samples(const struct run *run, const struct advice *a,
                                        struct buf *text)
{
	double most = memory_peak_most(run);
	char peak[64];

	if (!a->memory_mib || (isnan(most) && !memory_peak_is_open(run)))
		return NULL;
	if (isnan(most)) {
		units_text(UNIT_BYTES, run->memory.peak_b, NULL, peak);
		buf_printf(text,
		           "The peak is at least %s: processes whose size is not known lived "
		           "between two samples. The proposal is made from that, and may be too "
		           "little; a shorter interval shows more.",
		           peak);
		return "warn";
	}
	buf_printf(
	    text,
	    "The peak is at least %s and at most %s: what processes had between two samples, "
	    "and what of it they shared, is known only within bounds. The proposal is made "
	    "from the lower one; a shorter interval brings both closer together.",
	    UNITS_TEXT(UNIT_BYTES, run->memory.peak_b), UNITS_TEXT(UNIT_BYTES, most));
	return "info";
}

static const char *note_swap(const struct run *run, const struct advice *a, struct buf *text)
{
	double swapped = run->stats[METRIC_PROCESS_SWAP].max;
	double peak = run->stats[METRIC_PROCESS_MEMORY].max;

	if (!a->memory_mib || !(bottleneck_swapped(run) > 0))
		return NULL;
	buf_printf(
	    text,
	    "Up to %s of the job was swapped out, which the peak does not include: to keep it "
	    "in memory, ask for %ld MiB.",
	    UNITS_TEXT(UNIT_BYTES, swapped),
	    advice_step((peak + swapped) / QUANTITY_MIB * ADVICE_HEADROOM));
	return "warn";
}

static const char *note_unfinished(const struct run *run, const struct advice *a, struct buf *text)
{
	(void)a;
	if (run->status == RUN_FINISHED || run->status == RUN_UNKNOWN || load_is_oom(run))
		return NULL;
	if (run->status == RUN_RUNNING)
		buf_str(text, "The job is still running: it may need more before it ends.");
	else if (run->status == RUN_UNFINISHED)
		buf_str(text, "The recording is incomplete: a complete run may need more.");
	else
		buf_str(text, "The run did not succeed: a successful one may need more.");
	return "warn";
}

static const char *note_left_out(const struct run *run, const struct advice *a, struct buf *text)
{
	(void)a;
	if (!usage_is_partial(run))
		return NULL;
	buf_str(text, "Only the main process was recorded: its descendants, if any, need more.");
	return "warn";
}

/* Only beside advice to ask for less than it had. */
static const char *note_own_size(const struct run *run, const struct advice *a, struct buf *text)
{
	const struct snapshot_job *job = &run->snapshot.job;
	double asked = asked_requested(run, ASKED_MEMORY) / (double)parts_nodes(run);
	char option[OWN_SIZE_MAX];

	if (isnan(asked))
		asked = allowance_memory(run).from ? allowance_memory(run).amount : (double)NAN;
	if (!a->memory_mib || !((double)a->memory_mib * QUANTITY_MIB < asked) || !job->argv ||
	    !own_size_find(job->argv, job->argc, option))
		return NULL;
	buf_printf(text,
	           "Its command has %s: it takes what it is given, so the peak does not show how "
	           "little would do. Lower that number first.",
	           option);
	return "info";
}

static const struct {
	const char *id;
	note_rule say;
} rules[ADVICE_NOTES_MAX] = {
    {"killed", note_killed},     {"memory", note_near_limit}, {"between", note_between_samples},
    {"swap", note_swap},         {"cpu", note_cpu},           {"unfinished", note_unfinished},
    {"left_out", note_left_out}, {"own_size", note_own_size},
};

size_t advice_notes_make(const struct runs *r, const struct advice *a,
                         struct advice_note out[ADVICE_NOTES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < ADVICE_NOTES_MAX; i++) {
		struct buf text = {.max = sizeof out->text};
		const char *level = rules[i].say(&r->v[0], a, &text);
		if (level) {
			out[n].id = rules[i].id;
			out[n].level = level;
			snprintf(out[n++].text, sizeof out->text, "%s", buf_cstr(&text));
		}
		buf_free(&text);
	}
	return n;
}
