/* fleet_ask: what the next runs of a group should ask for. */
#include "fleet/groups/fleet_ask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "report/advice/cpu_rule.h"
#include "report/units/units.h"

/* -- the rule for memory, learnt on the earlier half and tried on the later one ---------------- */

#define GIB_H (QUANTITY_GIB * QUANTITY_HOUR_S)

static void add_logarithms(struct memory_half *h, const struct fleet_weights *w)
{
	for (size_t i = 0; i < w->n; i++) {
		double v = log(w->v[i].value);
		if (!isfinite(v))
			continue;
		h->runs += w->v[i].runs;
		h->sum += w->v[i].runs * v;
		h->squares += w->v[i].runs * v * v;
	}
}

/* From the first n quarters to the next n. */
static double growth_of(const struct fleet_weights *quarter, size_t n)
{
	struct memory_half half[2] = {{0}};

	for (size_t i = 0; i < 2 * n; i++)
		add_logarithms(&half[i >= n], &quarter[i]);
	return memory_growth(&half[0], &half[1]);
}

/* How many times the later half needs what the earlier does (memory_rule.h); 1: no more. */
static double growth_of_quarters(const struct fleet_quarters *q)
{
	return growth_of(q->of, FLEET_QUARTERS / 2);
}

/* Lists are ascending, so they are merged. */
static struct memory_value next_value(const struct fleet_weights *const *w, size_t n, size_t *at)
{
	size_t least = n;
	const struct fleet_weight *v;
	double max;

	for (size_t i = 0; i < n; i++)
		if (at[i] < w[i]->n &&
		    (least == n || w[i]->v[at[i]].value < w[least]->v[at[least]].value))
			least = i;
	v = &w[least]->v[at[least]++];
	max = w[least]->max;
	/* As memory_rule_value. */
	return (struct memory_value){max > 0 && max <= v->high ? max : v->value, v->runs,
	                             v->killed};
}

void fleet_ask_rule(const struct fleet_weights *const *w, size_t n,
                    const struct memory_situation *now, struct memory_rule *out)
{
	size_t at[FLEET_QUARTERS] = {0}, all = 0;
	struct memory_value *v;

	for (size_t i = 0; i < n; i++)
		all += w[i]->n;
	if (!(v = alloc_failed_note(malloc((all + 1) * sizeof *v))))
		all = 0;
	for (size_t k = 0; k < all; k++)
		v[k] = next_value(w, n, at);
	memory_rule_make(v, all, now, out);
	free(v);
}

/* An ask, tried on the later half. */
struct trial {
	struct memory_score score; /* wasted: GiB-hours */
	double used_gib_h, killed;
};

/* A run that fails wastes all that it was given. One that was killed for memory fails: its need
 * is not known. */
static void try_quarter(const struct fleet_weights *w, double ask_b, struct trial *t)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct fleet_weight *v = &w->v[i];
		double failing = fleet_weights_failing(v, ask_b);
		double failed = v->runs > 0 ? failing / v->runs : 0;
		double killed = v->runs > 0 ? v->killed / v->runs : 0;
		double unused_b = fmax(ask_b - v->value, 0);
		t->score.runs += v->runs;
		t->score.failed += failing;
		t->score.wasted += (ask_b * failed + unused_b * (1 - failed)) * v->sum / GIB_H;
		t->used_gib_h += v->value * v->sum * (1 - killed) / GIB_H;
		t->killed += v->killed;
	}
}

static struct trial try_later(const struct fleet_quarters *q, double ask_b)
{
	struct trial t = {.killed = 0};

	try_quarter(&q->of[2], ask_b, &t);
	try_quarter(&q->of[3], ask_b, &t);
	return t;
}

static double largest_killed(const struct fleet_weights *const *w, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < w[i]->n; k++)
			if (w[i]->v[k].killed > 0)
				most = fmax(most, w[i]->v[k].value);
	return most;
}

void fleet_ask_backtest(const struct fleet_quarters *q, double today_b, double lambda,
                        struct fleet_backtest *out)
{
	const struct fleet_weights *earlier[] = {&q->of[0], &q->of[1]};
	struct memory_situation now = {.today_b = today_b,
	                               .lambda = lambda,
	                               .growth = growth_of(q->of, 1),
	                               .killed_most_b = largest_killed(earlier, 2)};
	struct memory_rule rule, plain;
	struct trial t, other;

	*out =
	    (struct fleet_backtest){.ask_b = NAN, .wasted_gib_h = NAN, .asked_wasted_gib_h = NAN};
	fleet_ask_rule(earlier, 2, &now, &rule);
	if (!(rule.runs >= MEMORY_RULE_RUNS))
		return;
	now.plain = true;
	fleet_ask_rule(earlier, 2, &now, &plain);
	t = try_later(q, rule.ask_b);
	other = try_later(q, plain.ask_b);
	if (!(t.score.runs > 0))
		return;
	/* --risk careful pays for failures that no history has shown. */
	out->lost = lambda <= MEMORY_RULE_BALANCED && memory_rule_worse(&t.score, &other.score);
	if (out->lost) {
		t = other;
		rule = plain;
	}
	out->ask_b = rule.ask_b;
	out->learnt = rule.runs;
	out->runs = t.score.runs;
	out->failed = t.score.failed;
	out->wasted_gib_h = t.score.wasted;
	out->used_gib_h = t.used_gib_h;
	out->asked_failed = t.killed;
	if (q->asked_byte_s > 0)
		out->asked_wasted_gib_h = fmax(q->asked_byte_s / GIB_H - out->used_gib_h, 0);
}

/* -- the proposal ------------------------------------------------------------------------------ */

static double failing_runs(const struct fleet_weights *w, double limit)
{
	double runs = 0;

	for (size_t i = 0; i < w->n; i++)
		runs += fleet_weights_failing(&w->v[i], limit);
	return runs;
}

/* Killed with less than the ask. */
static double unknown_runs(const struct fleet_weights *w, double ask)
{
	double runs = 0;

	for (size_t i = 0; i < w->n; i++)
		if (!fleet_weights_fails(&w->v[i], ask))
			runs += w->v[i].killed;
	return runs;
}

double fleet_ask_lambda(const struct fleet_policy *policy)
{
	return policy->lambda > 0 ? policy->lambda : MEMORY_RULE_BALANCED;
}

static bool enough_known(const struct fleet_weights *w, double counted)
{
	return w->n && fleet_weights_runs(w) * 100 >= counted * FLEET_ASK_KNOWN_PERCENT;
}

static void propose_memory(const struct fleet_needs *in, const struct fleet_policy *policy,
                           struct fleet_proposal *out)
{
	const struct fleet_weights *w = &in->memory;
	double most_needed = w->n ? w->v[w->n - 1].value : (double)NAN;
	const struct memory_situation now = {.today_b = in->today_memory_b,
	                                     .lambda = fleet_ask_lambda(policy),
	                                     .growth = growth_of_quarters(&in->quarters),
	                                     .plain = out->backtest.lost,
	                                     .killed_b = in->killed_b > 0 ? in->killed_b : 0,
	                                     .killed_most_b =
	                                         in->killed_most_b > 0 ? in->killed_most_b : 0};

	/* Peaks that are lower bounds are not among them. */
	if (!enough_known(w, in->counted)) {
		out->memory = (struct memory_rule){.ask_b = NAN, .growth = 1};
		out->ask.memory_b = NAN;
		out->again_b = in->most_memory_b;
		out->backtest = (struct fleet_backtest){
		    .ask_b = NAN, .wasted_gib_h = NAN, .asked_wasted_gib_h = NAN};
		return;
	}
	fleet_ask_rule(&w, 1, &now, &out->memory);
	out->ask.memory_b = out->memory.ask_b;
	/* With less than it needs it would fail again. */
	out->again_b = fmax(fmax(in->most_memory_b, most_needed), out->ask.memory_b);
	out->fail_memory = failing_runs(w, out->ask.memory_b);
	out->unknown = unknown_runs(w, out->ask.memory_b);
}

/* Runs that take longer with the proposed CPUs need more time. */
static void propose_time(const struct fleet_needs *in, struct fleet_proposal *out)
{
	double minutes, longer = out->longer > 1 ? out->longer : 1;

	out->wall_p99_s = fleet_weights_percentile(&in->wall, FLEET_ASK_TIME_PERCENT);
	if (isnan(out->wall_p99_s))
		return;
	minutes = fmax(1, ceil(longer * out->wall_p99_s * ADVICE_HEADROOM / 60));
	out->ask.time_s = fmin(minutes * 60, FLEET_ASK_TIME_MAX);
	out->fail_time = failing_runs(&in->wall, out->ask.time_s / longer);
}

static double slowdown_of(const struct fleet_policy *policy)
{
	return policy->slowdown == 0 ? FLEET_TIME_SLOWDOWN : fmax(policy->slowdown, 0);
}

/* The cores that most runs needed, where that shows that they were short of CPU; else 0. */
static double cores_short(const struct fleet_needs *in)
{
	double needed = fleet_weights_percentile(&in->cores, FLEET_ASK_SHORT_PERCENT);

	return in->used_cores > 0 && needed >= FLEET_ASK_SHORT_TIMES * in->used_cores ? needed : 0;
}

/* By the time with other CPUs, if it is known of the runs; but where they needed more CPUs than
 * they had asked for, what they needed. Runs that were mostly short of CPU keep what they needed,
 * and the CPUs that they would miss, as a single run does (report/advice/cpu_rule.h). */
static void propose_cpus(const struct fleet_needs *in, const struct fleet_policy *policy,
                         struct fleet_proposal *out)
{
	double needed = cores_short(in), slowdown = slowdown_of(policy), fewest, kept;
	bool known = in->times.known_s * 100 >= in->wall_s * FLEET_ASK_KNOWN_PERCENT;

	if (needed > 0)
		slowdown = fmin(slowdown, CPU_RULE_FELT);
	fewest = fleet_time_fewest(&in->times, slowdown);
	kept = fmin(floor(needed + 0.5), floor(in->today_cpus));
	if (enough_known(&in->cores, in->counted))
		out->ask.cpus = fmin(fmax(1, floor(out->cores_p95 + 0.5)), FLEET_ASK_COUNT_MAX);
	if (!known || !(fewest > 0))
		return;
	if (!(out->ask.cpus > in->today_cpus)) {
		out->ask.cpus = fmax(fewest, kept);
		out->kept = out->ask.cpus > fewest;
		out->slowdown = slowdown;
	}
	out->longer = fleet_time_longer(&in->times, out->ask.cpus);
}

static double whole_gpus(const struct fleet_needs *in, double p95)
{
	bool used = in->gpus.v[in->gpus.n - 1].value > 0;

	return used ? fmin(fmax(1, ceil(p95)), FLEET_ASK_COUNT_MAX) : 0;
}

void fleet_ask_propose(const struct fleet_needs *in, const struct fleet_policy *policy,
                       struct fleet_proposal *out)
{
	*out = (struct fleet_proposal){
	    .slowdown = NAN,
	    .longer = NAN,
	    .ask = {.cpus = NAN, .memory_b = NAN, .gpus = NAN, .time_s = NAN},
	    .cores_p95 = fleet_weights_percentile(&in->cores, FLEET_ASK_CORES_PERCENT),
	    .gpus_p95 = fleet_weights_percentile(&in->gpus, FLEET_ASK_CORES_PERCENT),
	};
	fleet_ask_backtest(&in->quarters, in->today_memory_b, fleet_ask_lambda(policy),
	                   &out->backtest);
	propose_memory(in, policy, out);
	propose_cpus(in, policy, out);
	propose_time(in, out);
	if (enough_known(&in->gpus, in->counted))
		out->ask.gpus = whole_gpus(in, out->gpus_p95);
}

/* %.2f of a huge number would be 300 digits long. */
static const char *plain_number(double v, char out[32])
{
	snprintf(out, 32, v < 1e15 ? "%.2f" : "%.3g", v);
	return out;
}

/* "1.3 × 912.00 MiB, the largest of 40 runs": A was chosen among these. */
static void say_memory_ask(const struct fleet_proposal *p, struct advice *out)
{
	const struct memory_rule *r = &p->memory;
	char most[32], killed[32], twice[32], why[96], chance[UNITS_SIZE], grown[80] = "";

	out->memory_mib = (long)(p->ask.memory_b / QUANTITY_MIB);
	out->peak_mib = out->memory_mib;
	plain_number(r->most_b / QUANTITY_MIB, most);
	if (r->killed_b > 0) {
		memory_rule_killed_text(r, why);
		snprintf(out->memory_formula, sizeof out->memory_formula,
		         "step(%s MiB, %s, × 2 = %s MiB) = %ld MiB",
		         plain_number(r->killed_b / QUANTITY_MIB, killed), why,
		         plain_number(r->killed_b / QUANTITY_MIB * MEMORY_RULE_KILLED, twice),
		         out->memory_mib);
		return;
	}
	if (r->plain && !r->weak) {
		snprintf(out->memory_formula, sizeof out->memory_formula,
		         "step(%s MiB, the largest of %.0f runs, × 1.2) = %ld MiB: weighing waste "
		         "against failures did worse in the back-test",
		         most, r->runs, out->memory_mib);
		return;
	}
	if (r->weak) {
		snprintf(out->memory_formula, sizeof out->memory_formula,
		         "fewer than %d runs: step(%s MiB, the largest, × 1.2) = %ld MiB",
		         MEMORY_RULE_RUNS, most, out->memory_mib);
		return;
	}
	if (r->growth > 1)
		snprintf(grown, sizeof grown,
		         ", × %.2f because the needs grow, and many runs are ahead", r->growth);
	snprintf(
	    out->memory_formula, sizeof out->memory_formula,
	    "of %.0f runs, of which the largest needs %s MiB, a run needs more than %ld MiB with a "
	    "chance of %s: what costs least if a failed run is worth %.0f runs%s%s",
	    r->runs, most, out->memory_mib, units_share(r->chance, chance), r->lambda, grown,
	    p->backtest.runs < MEMORY_RULE_CHOICE
		? "; too few runs to try that on their later half, as the report of one job does "
		  "run by run"
		: "");
}

static void say_cpu_ask(const struct fleet_proposal *p, struct advice *out)
{
	const char *s = out->cpu == 1 ? "" : "s";
	char value[32], slowdown[UNITS_SIZE];

	if (isnan(p->slowdown))
		snprintf(out->cpu_formula, sizeof out->cpu_formula,
		         "max(1, round(%s cores, the p95 of runs)) = %ld CPU%s%s",
		         plain_number(p->cores_p95, value), out->cpu, s,
		         isnan(p->longer) ? "; the time with other CPUs is unknown" : "");
	else
		snprintf(out->cpu_formula, sizeof out->cpu_formula,
		         "the fewest with which the runs take at most %s longer than with those "
		         "asked for%s: %ld CPU%s, %.3g × as long",
		         units_share(p->slowdown, slowdown),
		         p->kept ? ", but no fewer than most of them would have used" : "",
		         out->cpu, s, p->longer);
}

void fleet_ask_advice(const struct fleet_proposal *p, struct advice *out)
{
	char value[32], more[32];

	*out = (struct advice){
	    .cpu_formula = ADVICE_NOT_MEASURED,
	    .memory_formula = ADVICE_NOT_MEASURED,
	    .gpu_formula = ADVICE_NOT_MEASURED,
	    .vram_formula = ADVICE_NOT_MEASURED,
	    .time_formula = ADVICE_NOT_MEASURED,
	};
	if (!isnan(p->ask.memory_b))
		say_memory_ask(p, out);
	if (!isnan(p->ask.cpus)) {
		out->cpu = (long)p->ask.cpus;
		say_cpu_ask(p, out);
	}
	if (!isnan(p->ask.gpus)) {
		out->gpu = (long)p->ask.gpus;
		snprintf(out->gpu_formula, sizeof out->gpu_formula,
		         out->gpu
		             ? "max(1, %s GPUs at the peak, the p95 of runs, rounded up) = %ld "
		               "GPU%s"
		             : "no run used any GPU: 0 GPUs",
		         plain_number(p->gpus_p95, value), out->gpu, out->gpu == 1 ? "" : "s");
	}
	if (!isnan(p->ask.time_s)) {
		out->time_min = (long)(p->ask.time_s / 60);
		snprintf(out->time_formula, sizeof out->time_formula,
		         "whole minutes of (%s s, the p99 of runs, × 1.2 = %s s) = %ld min",
		         plain_number(p->wall_p99_s, value),
		         plain_number(p->wall_p99_s * ADVICE_HEADROOM, more), out->time_min);
	}
}
