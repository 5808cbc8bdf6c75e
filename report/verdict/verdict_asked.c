/* verdict_asked: what was asked for, against what was used of it, and what to ask for next time. */
#include <math.h>

#include "core/base/quantity.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/bottleneck.h"
#include "report/stats/history.h"
#include "report/stats/memory_peak.h"
#include "report/stats/usage_column.h"
#include "report/units/units.h"
#include "report/verdict/verdict.h"

bool verdict_asked_known(const struct run *run, enum asked_resource of)
{
	struct asked a = asked_of(run, of);

	return a.requested && !isnan(a.efficiency);
}

/* "asked for 16 CPUs and 64.0 GiB of memory"; either may be unknown. */
static void say_amounts(struct buf *text, const struct asked *cpus, const struct asked *memory)
{
	if (cpus)
		buf_str(text, UNITS_CPUS(cpus->amount));
	if (memory)
		buf_printf(text, "%s%s of memory", cpus ? " and " : "",
		           UNITS_TEXT(UNIT_BYTES, memory->amount));
}

static void say_used(struct buf *text, const struct run *run, const struct asked *cpus,
                     const struct asked *memory)
{
	double most = memory ? memory_peak_most(run) : (double)NAN;

	if (cpus)
		buf_printf(text, "%s on average", UNITS_BUSY(cpus->used));
	if (memory)
		buf_printf(text, "%sat %s %s", cpus ? " and " : "", memory_peak_word(run),
		           UNITS_TEXT(UNIT_BYTES, memory->used));
	if (!isnan(most))
		buf_printf(text, " (at most %s)", UNITS_TEXT(UNIT_BYTES, most));
	buf_str(text, ": ");
	if (cpus)
		buf_str(text, UNITS_SHARE(cpus->efficiency));
	if (memory)
		buf_printf(text, "%s%s", cpus ? " and " : "", UNITS_SHARE(memory->efficiency));
}

/* Time that was nearly too short, or was. */
static bool say_time(struct buf *text, const struct run *run)
{
	struct asked a = asked_of(run, ASKED_TIME);

	if (!a.requested || !(a.efficiency >= ASKED_FULL))
		return false;
	buf_printf(text, "%s took %s of the %s that it asked for.", text->len ? " It" : "The job",
	           UNITS_TEXT(UNIT_SECONDS, a.used), UNITS_TEXT(UNIT_SECONDS, a.amount));
	return true;
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

/* The size that a run had, or was asked for, over all its nodes; NAN: unknown. */
struct size {
	double cpus, memory_b, gpus, nodes;
};

/* The words on that size where the advice is for another: "half of the CPUs would have
 * been enough". NULL: none. */
static const char *size_words(const struct model_input *in, const struct size *size)
{
	const struct run *run = &in->runs->v[0];
	double cpus = (double)in->advice->cpu * size->nodes;
	double memory_b = (double)in->advice->memory_mib * QUANTITY_MIB * size->nodes;
	bool few = cpus <= VERDICT_TOO_BIG * size->cpus && !bottleneck_cpus_short(run);
	/* The peak may have been more than the advice is made of. */
	bool enough = !memory_peak_is_open(run) &&
	              !(memory_peak_most(run) > VERDICT_TOO_BIG * size->memory_b);
	bool little =
	    memory_b <= VERDICT_TOO_BIG * size->memory_b && enough && !bottleneck_memory_short(run);

	if (memory_b > size->memory_b && !isnan(memory_peak_too_little(run)))
		return "too little memory";
	if (memory_b > size->memory_b)
		return leaves_room(run, size->memory_b) ? "that is less memory than other runs need"
		                                        : "that leaves too little memory to spare";
	if (!(few || little) || broke_off(run) || run->samples < BOTTLENECK_SAMPLES)
		return NULL;
	if (!little)
		return "half of the CPUs would have been enough";
	if (!few)
		return "half of the memory would have been enough";
	return size->gpus > 0 ? "half of the CPUs and the memory would have been enough"
	                      : "half of that would have been enough";
}

verdict_level verdict_asked_say(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct asked c = asked_of(run, ASKED_CPUS), m = asked_of(run, ASKED_MEMORY);
	const struct asked *cpus = verdict_asked_known(run, ASKED_CPUS) ? &c : NULL,
			   *memory = verdict_asked_known(run, ASKED_MEMORY) ? &m : NULL;
	struct size size = {.nodes = (double)parts_nodes(run)};
	const char *words;
	bool warn;

	if (!cpus && !memory)
		return say_time(text, run) ? "warn" : NULL;
	size.cpus = cpus ? c.amount : (double)NAN;
	size.memory_b = memory ? m.amount : (double)NAN;
	words = size_words(in, &size);
	buf_printf(text, "The %s asked for ", c.share || m.share ? "task" : "job");
	say_amounts(text, cpus, memory);
	if (size.nodes > 1)
		buf_printf(text, " on %.0f nodes", size.nodes);
	buf_str(text, ", and used ");
	say_used(text, run, cpus, memory);
	if (words)
		buf_printf(text, "; %s", words);
	buf_char(text, '.');
	warn = words || (cpus && c.efficiency > 1) || (memory && m.efficiency >= ASKED_FULL);
	return say_time(text, run) || warn ? "warn" : "info";
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

/* Compares the size that the run had with the one that is advised. */
static void say_size(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	double nodes = (double)parts_nodes(run); /* the advice is for one of them */
	const struct size had = {
	    .cpus = allowance_cpus(run).amount / nodes,
	    .memory_b = allowance_memory(run).amount / nodes,
	    .gpus = run->snapshot.server.known ? run->snapshot.server.gpu_count / nodes : 0,
	    .nodes = 1};
	const char *words = size_words(in, &had);

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

double verdict_asked_may_need(const struct run *run, const struct advice *a)
{
	double most = memory_peak_most(run);

	return a->nodes <= 1 && most > (double)a->memory_mib * QUANTITY_MIB ? most : (double)NAN;
}

static void say_may_need(const struct run *run, const struct advice *a, struct buf *text)
{
	double most = verdict_asked_may_need(run, a);

	if (!isnan(most))
		buf_printf(text,
		           " The memory is from the lower bound of its peak: it may need up to %s.",
		           UNITS_TEXT(UNIT_BYTES, most));
}

verdict_level verdict_asked_advice(const struct model_input *in, struct buf *text)
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
	history_needed_text(in->runs, used);
	if (history_needed(in->runs))
		buf_printf(text, " (%s included)", used);
	buf_str(text, ".");
	if (!verdict_asked_known(run, ASKED_CPUS) && !verdict_asked_known(run, ASKED_MEMORY))
		say_size(in, text);
	if (cpu_rule_is_worth(&a->by_time) && a->by_time.cpus != a->by_time.asked) {
		buf_char(text, ' ');
		cpu_rule_sentence(&a->by_time, text);
	}
	say_may_need(run, a, text);
	if (broke_off(run))
		buf_str(text, " A complete run may need more.");
	return "info";
}
