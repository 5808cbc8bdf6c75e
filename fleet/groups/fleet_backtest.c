/* fleet_backtest: the rule for memory, learnt on the earlier half and tried on the later one. */
#include "fleet/groups/fleet_backtest.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"

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

double fleet_backtest_growth(const struct fleet_quarters *q)
{
	return growth_of(q->of, FLEET_QUARTERS / 2);
}

/* Lists are ascending, so they are merged. */
static struct memory_value next_value(const struct fleet_weights *const *w, size_t n, size_t *at)
{
	size_t least = n;
	const struct fleet_weight *v;

	for (size_t i = 0; i < n; i++)
		if (at[i] < w[i]->n &&
		    (least == n || w[i]->v[at[i]].value < w[least]->v[at[least]].value))
			least = i;
	v = &w[least]->v[at[least]++];
	return (struct memory_value){v->value, v->runs, v->killed};
}

void fleet_backtest_rule(const struct fleet_weights *const *w, size_t n,
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

void fleet_backtest_make(const struct fleet_quarters *q, double today_b, double lambda,
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
	fleet_backtest_rule(earlier, 2, &now, &rule);
	if (!(rule.runs >= MEMORY_RULE_RUNS))
		return;
	now.plain = true;
	fleet_backtest_rule(earlier, 2, &now, &plain);
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
