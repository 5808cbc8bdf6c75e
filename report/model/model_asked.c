/* model_asked: the model's "asked": what was asked for, and what was used of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/quantity.h"
#include "report/model/model_sections.h"
#include "report/runs/parts.h"
#include "report/stats/asked.h"
#include "report/stats/fail_bound.h"
#include "report/stats/memory_peak.h"
#include "report/units/model_json.h"

static const struct {
	const char *id, *label;
	enum unit unit;
	enum unit unused;
	double per_unused; /* of struct asked's, in one of the unit above */
} resources[ASKED_RESOURCES] = {
    [ASKED_CPUS] = {"cpus", "CPUs", UNIT_CORES, UNIT_CORE_HOURS, QUANTITY_HOUR_S},
    [ASKED_MEMORY] = {"memory", "Memory", UNIT_BYTES, UNIT_GIB_HOURS,
                      QUANTITY_HOUR_S *QUANTITY_GIB},
    [ASKED_GPUS] = {"gpus", "GPUs", UNIT_GPUS, UNIT_GPU_HOURS, QUANTITY_HOUR_S},
    [ASKED_TIME] = {"time", "Time", UNIT_SECONDS, UNIT_SECONDS, 1},
};

/* -- what to ask for next time ----------------------------------------------------------------- */

/* For each node; NAN: unknown. In base units, as the advice writes it, and with its formula. */
struct proposal {
	double amount;
	char text[64];
	const char *formula;
};

static struct proposal proposal_of(const struct advice *a, enum asked_resource of)
{
	const struct {
		long n;
		const char *unit, *formula;
		double base;
	} all[ASKED_RESOURCES] = {
	    [ASKED_CPUS] = {a->cpu, a->cpu == 1 ? "CPU" : "CPUs", a->cpu_formula, 1},
	    [ASKED_MEMORY] = {a->memory_mib, "MiB", a->memory_formula, QUANTITY_MIB},
	    [ASKED_GPUS] = {a->gpu, a->gpu == 1 ? "GPU" : "GPUs", a->gpu_formula, 1},
	    [ASKED_TIME] = {a->time_min, "min", a->time_formula, 60},
	};
	struct proposal p = {.amount = NAN, .formula = all[of].formula};

	if (!advice_known(p.formula))
		return p;
	p.amount = (double)all[of].n * all[of].base;
	snprintf(p.text, sizeof p.text, "%ld %s", all[of].n, all[of].unit);
	return p;
}

/* Time passes on all nodes at once. */
static double nodes_of(const struct run *run, enum asked_resource of)
{
	return of == ASKED_TIME ? 1 : (double)parts_nodes(run);
}

static void add_proposal(cJSON *row, const struct proposal *p, double nodes)
{
	cJSON *o = model_json_object_if(!isnan(p->amount), row, "proposed");

	if (!o)
		return;
	model_json_number(o, "value", p->amount * nodes);
	if (nodes > 1)
		model_json_printf(o, "text", "%.0f nodes × %s", nodes, p->text);
	else
		cJSON_AddStringToObject(o, "text", p->text);
	cJSON_AddStringToObject(o, "formula", p->formula);
}

static void say_trial(struct buf *text, const struct asked_trial *t)
{
	buf_str(text, "With the ask for next time, ");
	fail_bound_say(text, (double)t->failed, (double)t->runs,
	               fail_bound((double)t->failed, (double)t->runs));
	buf_str(text, t->runs == 1 ? "." : " if it is like them.");
	if (t->memory || t->time)
		buf_printf(text, " %zu would have failed for memory, %zu for time.", t->memory,
		           t->time);
}

/* A run that was killed for memory needed more than it had: how much is unknown. */
static void say_unknown(struct buf *text, const struct asked_trial *t)
{
	if (t->runs == 1)
		buf_str(text, "This run was killed for memory: it needed more than it had, and "
		              "nobody knows whether what is proposed is enough.");
	else if (t->unknown)
		buf_printf(text,
		           " %zu of them %s killed for memory with less than is proposed: nobody "
		           "knows whether it is enough, so %s as failed.",
		           t->unknown, t->unknown == 1 ? "was" : "were",
		           t->unknown == 1 ? "that run counts" : "they count");
}

/* How it would have gone with the runs that there are. */
static void add_trial(cJSON *asked, const struct model_input *in)
{
	struct asked_trial t = asked_try(in->runs, proposal_of(in->advice, ASKED_MEMORY).amount,
	                                 proposal_of(in->advice, ASKED_TIME).amount);
	/* A proposal for this run's input is not meant for the others. */
	bool by_input = in->memory && in->memory->by == MEMORY_BY_INPUT;
	struct buf text = {0};
	cJSON *o = model_json_object_if(t.runs && !by_input, asked, "trial");

	if (!o)
		return;
	cJSON_AddNumberToObject(o, "runs", (double)t.runs);
	cJSON_AddNumberToObject(o, "failed", (double)t.failed);
	cJSON_AddNumberToObject(o, "failed_memory", (double)t.memory);
	cJSON_AddNumberToObject(o, "failed_time", (double)t.time);
	cJSON_AddNumberToObject(o, "unknown_memory", (double)t.unknown);
	model_json_number(o, "fail_at_most", fail_bound((double)t.failed, (double)t.runs));
	if (t.runs > 1 || !t.unknown)
		say_trial(&text, &t);
	if (t.unknown)
		say_unknown(&text, &t);
	model_json_take(o, "text", &text);
}

/* -- rows -------------------------------------------------------------------------------------- */

static void add_source(cJSON *row, const struct asked *a)
{
	static const struct {
		const char *source, *words;
		bool detail;
	} all[] = {
	    {SNAPSHOT_ASKED_OPTION, "asked with --asked", false},
	    {SNAPSHOT_ASKED_ENVIRONMENT, "asked with RTRACK_ASKED", false},
	    {SNAPSHOT_ASKED_SCHEDULER, "scheduler", true},
	    {SNAPSHOT_ASKED_LIMIT, "not asked for: the limit", true},
	    {SNAPSHOT_ASKED_MACHINE, "not asked for: the whole machine", false},
	};
	struct buf text = {0};

	cJSON_AddStringToObject(row, "source", a->source);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (strcmp(all[i].source, a->source) != 0)
			continue;
		buf_str(&text, all[i].words);
		if (all[i].detail && *a->detail)
			buf_printf(&text, " (%s)", a->detail);
	}
	if (!text.len)
		buf_str(&text, "it is not known who asked");
	if (a->share)
		buf_str(&text, ", this task's share of the node");
	model_json_take_cut(row, "source_text", &text, MODEL_JSON_NAME_MAX);
}

/* The note next to the used amount: the mean where that is a peak, and the reverse. */
static void add_used(cJSON *row, const struct run *run, const struct asked *a,
                     enum asked_resource of)
{
	enum unit unit = resources[of].unit;
	char note[128] = "", text[UNITS_RANGE_SIZE];

	units_text(unit, a->used, NULL, text);
	if (of == ASKED_MEMORY)
		memory_peak_text(run, a->used, text);
	model_json_as_text(row, "used", unit, a->used, text);
	if (of == ASKED_MEMORY && !isnan(a->mean))
		snprintf(note, sizeof note, "at the peak; mean %s", UNITS_TEXT(unit, a->mean));
	else if (of == ASKED_MEMORY && !isnan(a->peak))
		snprintf(note, sizeof note, "at the peak");
	else if (of != ASKED_TIME && !isnan(a->peak))
		snprintf(note, sizeof note, "on average; peak %s", UNITS_TEXT(unit, a->peak));
	cJSON_AddStringToObject(row, "used_note", note);
	if (of == ASKED_TIME) {
		cJSON_AddNullToObject(row, "mean");
		cJSON_AddNullToObject(row, "peak");
		return;
	}
	model_json_quantity(row, "mean", unit, a->mean);
	model_json_as_text(row, "peak", unit, a->peak,
	                   of == ASKED_MEMORY ? text : UNITS_TEXT(unit, a->peak));
}

/* The share of a peak that is a lower bound is one too. */
static void add_peak_share(cJSON *row, const struct run *run, const struct asked *a,
                           enum asked_resource of)
{
	bool bound = of == ASKED_MEMORY && a->used == run->memory.peak_b &&
	             memory_peak_is_bound(run) && !isnan(a->efficiency);
	char text[UNITS_RANGE_SIZE];

	snprintf(text, sizeof text, "%s%s", bound ? "≥ " : "",
	         isnan(a->efficiency) ? "not measured" : UNITS_SHARE(a->efficiency));
	model_json_as_text(row, "efficiency", UNIT_PERCENT, a->efficiency * 100, text);
}

static void add_unused(cJSON *row, const struct asked *a, enum asked_resource of)
{
	if (of == ASKED_TIME)
		cJSON_AddNullToObject(row, "unused");
	else
		model_json_quantity(row, "unused", resources[of].unused,
		                    a->unused / resources[of].per_unused);
}

/* A length in percent of the bar; null if unknown. */
static void add_length(cJSON *bar, const char *key, double share)
{
	if (!isfinite(share) || share < 0) {
		cJSON_AddNullToObject(bar, key);
		return;
	}
	model_json_printf(bar, key, "%.4g", fmin(share, 1) * 100);
}

static void add_bar(cJSON *row, const struct asked *a, double proposed)
{
	cJSON *bar = model_json_object_if(!isnan(a->efficiency), row, "bar");

	if (!bar)
		return;
	add_length(bar, "mean", (isnan(a->mean) ? a->used : a->mean) / a->amount);
	add_length(bar, "peak", a->peak / a->amount);
	add_length(bar, "proposed", proposed <= a->amount ? proposed / a->amount : NAN);
}

static void add_asked_row(cJSON *rows, const struct model_input *in, enum asked_resource of)
{
	const struct run *run = &in->runs->v[0];
	struct asked a = asked_of(run, of);
	struct proposal p = proposal_of(in->advice, of);
	double nodes = nodes_of(run, of);
	char text[64];
	cJSON *row;

	if (isnan(a.amount))
		return;
	row = model_json_row(rows);
	cJSON_AddStringToObject(row, "id", resources[of].id);
	cJSON_AddStringToObject(row, "label", resources[of].label);
	model_json_as_text(row, "asked", resources[of].unit, a.amount,
	                   asked_text(of, a.amount, text));
	cJSON_AddBoolToObject(row, "requested", a.requested);
	add_source(row, &a);
	add_used(row, run, &a, of);
	add_peak_share(row, run, &a, of);
	cJSON_AddBoolToObject(row, "over", a.efficiency > 1);
	add_bar(row, &a, p.amount * nodes);
	add_unused(row, &a, of);
	add_proposal(row, &p, nodes);
}

/* -- the whole --------------------------------------------------------------------------------- */

static void add_asked_text(cJSON *asked, const struct run *run)
{
	size_t known = 0, requested = 0, limits = 0, shares = 0, nodes = parts_nodes(run);
	struct buf text = {0};

	for (int of = 0; of < ASKED_RESOURCES; of++) {
		struct asked a = asked_of(run, (enum asked_resource)of);
		known += a.amount > 0;
		requested += a.requested;
		limits += strcmp(a.source, SNAPSHOT_ASKED_LIMIT) == 0;
		shares += a.share;
	}
	if (requested)
		buf_str(&text, "What was asked for this run, and what it used of it.");
	else if (limits)
		buf_str(&text, "Nothing was asked for: its limits are what it had.");
	else
		buf_str(&text, "Nothing was asked for: the machine is what it had.");
	if (shares)
		buf_str(&text, " The run is one of several tasks on its node, and the amounts "
		               "are its share.");
	if (nodes > 1)
		buf_printf(&text, " The amounts are sums over %zu nodes.", nodes);
	cJSON_AddBoolToObject(asked, "known", known > 0);
	cJSON_AddBoolToObject(asked, "requested", requested > 0);
	cJSON_AddStringToObject(asked, "text", known ? buf_cstr(&text) : "");
	buf_free(&text);
}

void model_asked_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	const struct snapshot_asked *s = &run->snapshot.asked;
	cJSON *asked = cJSON_AddObjectToObject(model, "asked"), *rows;

	add_asked_text(asked, run);
	model_json_number(asked, "nodes", s->known ? s->of[SNAPSHOT_ASKED_NODES].value : NAN);
	model_json_number(asked, "tasks", s->known ? s->of[SNAPSHOT_ASKED_TASKS].value : NAN);
	rows = cJSON_AddArrayToObject(asked, "rows");
	for (int of = 0; of < ASKED_RESOURCES; of++)
		add_asked_row(rows, in, (enum asked_resource)of);
	add_trial(asked, in);
}
