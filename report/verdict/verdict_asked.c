/* verdict_asked: what was asked for, against what was used of it. */
#include <math.h>

#include "report/runs/parts.h"
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
	char s[64];

	if (cpus)
		buf_str(text, units_cpus(cpus->amount, s));
	if (memory)
		buf_printf(text, "%s%s of memory", cpus ? " and " : "",
		           units_text(UNIT_BYTES, memory->amount, NULL, s));
}

static void say_used(struct buf *text, const struct asked *cpus, const struct asked *memory)
{
	char s[64];

	if (cpus)
		buf_printf(text, "%s on average", units_busy_cores(cpus->used, s));
	if (memory)
		buf_printf(text, "%sat most %s", cpus ? " and " : "",
		           units_text(UNIT_BYTES, memory->used, NULL, s));
	buf_str(text, ": ");
	if (cpus)
		buf_str(text, units_share(cpus->efficiency, s));
	if (memory)
		buf_printf(text, "%s%s", cpus ? " and " : "", units_share(memory->efficiency, s));
}

/* Time that was nearly too short, or was. */
static bool say_time(struct buf *text, const struct run *run)
{
	struct asked a = asked_of(run, ASKED_TIME);
	char took[64], of[64];

	if (!a.requested || !(a.efficiency >= ASKED_FULL))
		return false;
	buf_printf(text, "%s took %s of the %s that it asked for.", text->len ? " It" : "The job",
	           units_text(UNIT_SECONDS, a.used, NULL, took),
	           units_text(UNIT_SECONDS, a.amount, NULL, of));
	return true;
}

verdict_level verdict_say_asked(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	struct asked c = asked_of(run, ASKED_CPUS), m = asked_of(run, ASKED_MEMORY);
	const struct asked *cpus = verdict_asked_known(run, ASKED_CPUS) ? &c : NULL,
			   *memory = verdict_asked_known(run, ASKED_MEMORY) ? &m : NULL;
	struct verdict_size size = {.nodes = (double)parts_nodes(run)};
	const char *words;
	bool warn;

	if (!cpus && !memory)
		return say_time(text, run) ? "warn" : NULL;
	size.cpus = cpus ? c.amount : (double)NAN;
	size.memory_b = memory ? m.amount : (double)NAN;
	words = verdict_size_words(in, &size);
	buf_printf(text, "The %s asked for ", c.share || m.share ? "task" : "job");
	say_amounts(text, cpus, memory);
	if (size.nodes > 1)
		buf_printf(text, " on %.0f nodes", size.nodes);
	buf_str(text, ", and used ");
	say_used(text, cpus, memory);
	if (words)
		buf_printf(text, "; %s", words);
	buf_char(text, '.');
	warn = words || (cpus && c.efficiency > 1) || (memory && m.efficiency >= ASKED_FULL);
	return say_time(text, run) || warn ? "warn" : "info";
}
