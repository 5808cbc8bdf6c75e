/* asked: asked against used. */
#include "report/stats/asked.h"

#include <math.h>
#include <string.h>

#include "report/runs/parts.h"
#include "report/stats/memory_peak.h"
#include "report/stats/trend.h"
#include "report/stats/usage_column.h"
#include "report/units/units.h"

static bool is_source(const struct snapshot_ask *a, const char *source)
{
	return a->source && strcmp(a->source, source) == 0;
}

static struct asked read_ask(const struct snapshot_ask *a)
{
	static const char *const sources[] = {SNAPSHOT_ASKED_OPTION, SNAPSHOT_ASKED_ENVIRONMENT,
	                                      SNAPSHOT_ASKED_SCHEDULER, SNAPSHOT_ASKED_LIMIT,
	                                      SNAPSHOT_ASKED_MACHINE};
	struct asked out = {.amount = a->value,
	                    .source = "",
	                    .detail = a->detail ? a->detail : "",
	                    .share = a->share};

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (is_source(a, sources[i]))
			out.source = sources[i];
	out.requested = *out.source && !is_source(a, SNAPSHOT_ASKED_LIMIT) &&
	                !is_source(a, SNAPSHOT_ASKED_MACHINE);
	return out;
}

static void set_used(struct asked *a, const struct run *run, enum asked_resource of)
{
	static const enum usage columns[] = {
	    [ASKED_CPUS] = USAGE_CPU, [ASKED_MEMORY] = USAGE_MEMORY, [ASKED_GPUS] = USAGE_GPU};
	const struct stats *s;

	if (of == ASKED_TIME) {
		a->used = run->duration;
		return;
	}
	s = usage_stats(columns[of], run);
	/* Without GPUs, documented columns have 0 for what was not measured. */
	if (!s->n || (of == ASKED_GPUS && !(snapshot_gpus(&run->snapshot) > 0)))
		return;
	a->mean = s->mean;
	a->peak = s->max;
	a->used = of == ASKED_MEMORY ? a->peak : a->mean;
}

struct asked asked_of(const struct run *run, enum asked_resource of)
{
	static const struct snapshot_ask none = {.value = NAN};
	bool known = run->snapshot.asked.known && run->snapshot.asked.of[of].value > 0 &&
	             isfinite(run->snapshot.asked.of[of].value);
	struct asked a = read_ask(known ? &run->snapshot.asked.of[of] : &none);

	a.mean = a.peak = a.used = a.unused = NAN;
	set_used(&a, run, of);
	a.efficiency = a.used / a.amount;
	if (of != ASKED_TIME)
		a.unused = (a.amount - a.mean) * run->duration;
	if (a.unused < 0)
		a.unused = 0;
	return a;
}

double asked_requested(const struct run *run, enum asked_resource of)
{
	struct asked a = asked_of(run, of);

	return a.requested ? a.amount : (double)NAN;
}

double asked_today(const struct run *run, enum asked_resource of)
{
	struct asked a = asked_of(run, of);

	return a.requested || strcmp(a.source, SNAPSHOT_ASKED_LIMIT) == 0 ? a.amount : (double)NAN;
}

const char *asked_text(enum asked_resource of, double amount, char out[64])
{
	switch (of) {
	case ASKED_CPUS:
		return units_cpus(amount, out);
	case ASKED_GPUS:
		return units_gpus(amount, out);
	case ASKED_TIME:
		return units_text(UNIT_SECONDS, amount, NULL, out);
	default:
		return units_text(UNIT_BYTES, amount, NULL, out);
	}
}

enum asked_resource asked_of_column(enum metric_id id)
{
	if (metrics[id].scope != METRIC_SCOPE_PROCESS)
		return ASKED_RESOURCES;
	switch (metrics[id].unit) {
	case METRIC_UNIT_CORES:
		return ASKED_CPUS;
	case METRIC_UNIT_MEMORY:
		return ASKED_MEMORY;
	case METRIC_UNIT_GPUS:
		return ASKED_GPUS;
	default:
		return ASKED_RESOURCES;
	}
}

double asked_memory_needed(const struct run *run)
{
	/* fmax ignores a NAN. */
	return fmax(usage_stats(USAGE_MEMORY, run)->max, memory_peak_too_little(run));
}

/* The memory that one node of the run needed: on several nodes, the most that one needed. */
static double needed_of_node(const struct run *run)
{
	double nodes = (double)parts_nodes(run);

	if (!run->parts || isnan(parts_worst_node(run->parts).memory_b))
		return asked_memory_needed(run) / nodes;
	return fmax(parts_worst_node(run->parts).memory_b, memory_peak_too_little(run) / nodes);
}

struct asked_trial asked_try(const struct runs *r, double node_memory_b, double time_s)
{
	struct asked_trial t = {0};

	for (size_t i = 0; i < r->n; i++) {
		const struct run *run = &r->v[i];
		double spare_b = node_memory_b - needed_of_node(run);
		double spare_s = load_is_oom(run) ? (double)NAN : time_s - run->duration;
		bool killed = !isnan(memory_peak_too_little(run)) && !isnan(node_memory_b);
		bool little = killed || spare_b < 0;
		if ((i && !run->shows_need) || (isnan(spare_b) && isnan(spare_s)))
			continue;
		/* A whole run may need more than one that failed or still runs. */
		if (!trend_ended(run) && !little && !(spare_s < 0))
			continue;
		t.runs++;
		t.memory += little;
		t.time += spare_s < 0;
		t.failed += little || spare_s < 0;
		t.unknown += killed && spare_b > 0;
	}
	return t;
}
