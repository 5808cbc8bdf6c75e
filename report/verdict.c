/* verdict: the plain sentences at the top of a report, each from facts that are there. */
#include <math.h>
#include <stdio.h>

#include "../core/buf.h"
#include "figures.h"
#include "history.h"
#include "model.h"
#include "tree.h"
#include "units.h"

/* Thresholds, all in one place. */
#define MEMORY_NEARLY_FULL 0.9 /* of the machine's memory */
#define CPUS_MOSTLY_IDLE   0.5 /* mean cores of the CPUs that were there */

typedef const char *level; /* "good", "info", "warn", "bad" */

/* Writes a sentence, and returns its level; NULL where there is nothing to say. */
typedef level (*rule)(const struct model_input *in, struct buf *text);

/* A share as a percentage: whole where it is 10 or more, else with one decimal. */
static const char *percent_of(double share, char out[UNITS_SIZE])
{
	double percent = share * 100;

	if (percent > 0 && percent < 0.1)
		snprintf(out, UNITS_SIZE, "under 0.1%%");
	else
		units_percent(stats_round(percent, percent < 10 ? 1 : 0), out);
	return out;
}

static level say_status(const struct model_input *in, struct buf *text)
{
	static const level levels[] = {"good", "bad", "bad", "warn", "info"};
	char sentence[256];

	buf_str(text, model_status_text(&in->runs->v[0], sentence));
	return levels[in->runs->v[0].status];
}

static level say_duration(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	char s[64], t[64];

	if (isnan(run->duration))
		return NULL;
	buf_printf(text, "It ran for %s; %zu sample%s",
	           tree_text(TREE_SECONDS, run->duration, NULL, s), run->samples,
	           run->samples == 1 ? "" : "s");
	if (!isnan(run->interval))
		buf_printf(text, ", one each %s", tree_text(TREE_SECONDS, run->interval, NULL, t));
	buf_str(text, ".");
	return "info";
}

static const char *whose(const struct run *run, enum metric_id tree)
{
	return run->stats[tree].n ? "The job" : "The machine";
}

static level say_memory(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	double peak = model_stats(run, METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED)->max;
	double all = run->snapshot.server.memory_b, share = peak / all;
	char s[64], t[64], percent[UNITS_SIZE];

	if (isnan(peak))
		return NULL;
	buf_printf(text, "%s used at most %s of memory", whose(run, METRIC_PROCESS_MEMORY),
	           tree_text(TREE_BYTES, peak, NULL, s));
	if (!(all > 0)) {
		buf_str(text, ".");
		return "info";
	}
	buf_printf(text, ", %s of the machine's %s.", percent_of(share, percent),
	           tree_text(TREE_BYTES, all, NULL, t));
	return share >= MEMORY_NEARLY_FULL ? "warn" : "info";
}

static level say_cpu(const struct model_input *in, struct buf *text)
{
	const struct run *run = &in->runs->v[0];
	const struct stats *busy =
	    model_stats(run, METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE);
	double cpus = run->snapshot.server.vcpus;
	char s[64], t[64], percent[UNITS_SIZE], count[UNITS_SIZE];

	if (isnan(busy->mean))
		return NULL;
	buf_printf(text, "%s kept %s busy on average and %s at its peak",
	           whose(run, METRIC_PROCESS_CPU_USAGE), tree_text(TREE_CORES, busy->mean, NULL, s),
	           units_cores(busy->max, t));
	if (!(cpus > 0)) {
		buf_str(text, ".");
		return "info";
	}
	buf_printf(text, ": %s of the machine's %s CPU%s.", percent_of(busy->mean / cpus, percent),
	           units_count(cpus, count), cpus == 1 ? "" : "s");
	/* Others may have kept the rest of them busy. */
	if (cpus < 2 || busy->mean / cpus >= CPUS_MOSTLY_IDLE ||
	    !(run->stats[METRIC_SYSTEM_CPU_USAGE].mean / cpus < CPUS_MOSTLY_IDLE))
		return "info";
	buf_str(text, " Most of them were idle.");
	return "warn";
}

static level say_advice(const struct model_input *in, struct buf *text)
{
	const struct advice *a = in->advice;

	if (!advice_known(a->cpu_formula) || !advice_known(a->memory_formula))
		return NULL;
	buf_printf(text, "Next time, ask for %ld CPU%s and %ld MiB of memory", a->cpu,
	           a->cpu == 1 ? "" : "s", a->memory_mib);
	if (a->gpu)
		buf_printf(text, ", with %ld GPU%s and %ld MiB of GPU memory", a->gpu,
		           a->gpu == 1 ? "" : "s", a->vram_mib);
	buf_str(text, ".");
	return "info";
}

static level say_cost(const struct model_input *in, struct buf *text)
{
	const struct keeper_result *k = in->keeper;
	double duration = in->runs->v[0].duration;
	char price[64], cost[64];

	if (!k->known || isnan(duration))
		return NULL;
	buf_printf(
	    text, "The cheapest server that fits is %s %s at %s: this run would cost %s there.",
	    *k->server[0].vendor_name ? k->server[0].vendor_name : k->server[0].vendor_id,
	    *k->server[0].name ? k->server[0].name : k->server[0].server_id,
	    tree_text(TREE_MONEY_HOUR, k->server[0].price_hour, k->currency, price),
	    tree_text(TREE_MONEY, cost_run(k->server[0].price_hour, duration), k->currency, cost));
	return "info";
}

static void add_change(struct buf *text, const char *name, double now, double then)
{
	double percent = (now / then - 1) * 100;
	char number[UNITS_SIZE];

	if (!isfinite(percent))
		return;
	buf_printf(text, "%s %s %s%s", text->len ? "," : "", name, percent >= 0 ? "+" : "\u2212",
	           units_percent(fabs(stats_round(percent, 0)), number));
}

static double average(const struct runs *r, double (*value)(const struct run *run))
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 1; i < r->n; i++)
		if (r->v[i].used && !isnan(value(&r->v[i]))) {
			sum += value(&r->v[i]);
			n++;
		}
	return n ? sum / (double)n : NAN;
}

static double duration_of(const struct run *run)
{
	return run->duration;
}

static double cores_of(const struct run *run)
{
	return run->stats[METRIC_PROCESS_CPU_USAGE].mean;
}

static double peak_of(const struct run *run)
{
	return run->stats[METRIC_PROCESS_MEMORY].max;
}

static level say_history(const struct model_input *in, struct buf *text)
{
	const struct run *now = &in->runs->v[0];
	size_t used = history_used(in->runs);
	struct buf changes = {0};

	add_change(&changes, "duration", now->duration, average(in->runs, duration_of));
	add_change(&changes, "mean CPU", cores_of(now), average(in->runs, cores_of));
	add_change(&changes, "peak memory", peak_of(now), average(in->runs, peak_of));
	if (changes.len)
		buf_printf(text, "Against the average of %zu earlier run%s:%s.", used,
		           used == 1 ? "" : "s", buf_cstr(&changes));
	buf_free(&changes);
	return text->len ? "info" : NULL;
}

static const struct {
	const char *id;
	rule say;
} rules[] = {
    {"status", say_status}, {"duration", say_duration}, {"memory", say_memory},   {"cpu", say_cpu},
    {"advice", say_advice}, {"cost", say_cost},         {"history", say_history},
};

void verdict_add(cJSON *model, const struct model_input *in)
{
	cJSON *verdict = cJSON_GetObjectItemCaseSensitive(model, "verdict");

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		struct buf text = {0};
		level how = rules[i].say(in, &text);
		if (how) {
			cJSON *one = cJSON_CreateObject();
			cJSON_AddItemToArray(verdict, one);
			cJSON_AddStringToObject(one, "id", rules[i].id);
			cJSON_AddStringToObject(one, "level", how);
			tree_cut(one, "text", buf_cstr(&text), TREE_TEXT_MAX);
		}
		buf_free(&text);
	}
}
