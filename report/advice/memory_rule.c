/* memory_rule: how much memory to ask for, from what earlier runs needed. */
#include "report/advice/memory_rule.h"

#include <math.h>
#include <stdio.h>

#include "core/base/quantity.h"
#include "core/numbers/log_bucket.h"
#include "report/advice/advice.h"

/* Over a need, so that one like it fits. */
#define ABOVE 1.02

/* Benard's median rank: the largest of n is exceeded with a chance of about 0.7 / (n + 0.4). */
#define RANK_ABOVE 0.3
#define RANK_ALL   0.4

/* A growth is clear from these values on. */
#define GROWTH_T     3.5
#define GROWTH_LEAST 1.05

static const double above_most[] = {1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.75, 2, 2.5};

static double rounded(double b)
{
	return (double)advice_step(b / QUANTITY_MIB) * QUANTITY_MIB;
}

static bool is_value(const struct memory_value *v)
{
	return v->b > 0 && isfinite(v->b) && v->runs > 0;
}

/* Hill's estimate, from the top down: the k largest against the next. */
static double tail_of(const struct memory_value *v, size_t n, double runs)
{
	double k = fmin(floor(2 * sqrt(runs)), runs - 1), left = k, sum = 0;

	if (!(k > 0))
		return MEMORY_RULE_TAIL;
	for (size_t i = n; i-- > 0;) {
		double these = fmin(left, v[i].runs);
		if (!is_value(&v[i]))
			continue;
		/* The (k + 1)th largest is in this value. */
		if (v[i].runs > left)
			return fmax(MEMORY_RULE_TAIL, (sum - (k - left) * log(v[i].b)) / k);
		sum += these * log(v[i].b);
		left -= these;
	}
	return MEMORY_RULE_TAIL;
}

/* Runs with this value that are known to need it. */
static double finished_runs(const struct memory_value *v)
{
	return is_value(v) ? v->runs - v->killed : 0;
}

/* With so many finished runs above it; those count for asks below the largest need. */
static double chance_with(const struct memory_rule *r, double above, double ask_b)
{
	double tail =
	    (1 - RANK_ABOVE) * pow(ask_b / r->most_b, -1 / fmax(MEMORY_RULE_TAIL, r->tail));
	double beyond = ask_b < r->most_b ? above + RANK_ABOVE : tail;

	return (r->killed + beyond) / (r->runs + RANK_ALL);
}

double memory_rule_chance(const struct memory_rule *rule, const struct memory_value *v, size_t n,
                          double ask_b)
{
	double above = 0;

	for (size_t i = n; i-- > 0 && v[i].b > ask_b;)
		above += finished_runs(&v[i]);
	return chance_with(rule, above, ask_b);
}

double memory_rule_cost(const struct memory_rule *rule, double ask_b, double chance)
{
	return ask_b + rule->lambda * chance * (ask_b + rule->against_b);
}

struct least {
	double ask_b, cost;
};

static void try_ask(const struct memory_rule *r, double above, double b, struct least *out)
{
	double ask = rounded(b), cost = memory_rule_cost(r, ask, chance_with(r, above, ask));

	if (cost < out->cost)
		*out = (struct least){ask, cost};
}

static double least_cost(const struct memory_rule *r, const struct memory_value *v, size_t n)
{
	struct least best = {NAN, INFINITY};
	double above = 0, beyond = 0;
	size_t j = n;

	for (size_t k = 0; k < sizeof above_most / sizeof *above_most; k++)
		try_ask(r, 0, r->most_b * above_most[k], &best);
	/* Down to the median; j follows the ask, which is above its value. */
	for (size_t i = n; i-- > 0 && above * 2 < r->runs;) {
		double ask = rounded(v[i].b * ABOVE);
		if (!is_value(&v[i]))
			continue;
		for (; j > 0 && v[j - 1].b > ask; j--)
			beyond += finished_runs(&v[j - 1]);
		try_ask(r, beyond, v[i].b * ABOVE, &best);
		above += v[i].runs;
	}
	return best.ask_b;
}

double memory_rule_killed(const struct memory_situation *s, double killed, double runs)
{
	return killed > 0 && killed * s->lambda >= runs ? fmax(s->killed_b, s->killed_most_b)
	                                                : s->killed_b;
}

bool memory_rule_worse(const struct memory_score *rule, const struct memory_score *plain)
{
	return rule->runs >= MEMORY_RULE_CHOICE && rule->failed >= plain->failed &&
	       rule->wasted > plain->wasted;
}

/* At least what the latest runs call for, and those that were killed. */
static void lift(const struct memory_situation *s, struct memory_rule *out)
{
	double killed_b = memory_rule_killed(s, out->killed, out->runs);
	double again = rounded(killed_b * MEMORY_RULE_KILLED);
	double recent = rounded(s->recent_b * MEMORY_RULE_ABOVE_RECENT);

	if (!out->plain && s->recent_b > 0 && recent > out->ask_b) {
		out->ask_b = recent;
		out->recent_b = s->recent_b;
	}
	if (killed_b > 0 && !(out->ask_b >= again)) {
		out->ask_b = again;
		out->killed_b = killed_b;
		out->killed_often = killed_b > s->killed_b;
		out->recent_b = 0;
	}
}

void memory_rule_make(const struct memory_value *v, size_t n, const struct memory_situation *s,
                      struct memory_rule *out)
{
	*out = (struct memory_rule){.ask_b = NAN, .growth = 1};
	for (size_t i = 0; i < n; i++)
		if (is_value(&v[i])) {
			out->runs += v[i].runs;
			out->killed += v[i].killed;
			out->most_b = v[i].b;
		}
	out->weak = out->runs < MEMORY_RULE_RUNS;
	out->against_b = fmax(out->most_b, isfinite(s->today_b) ? s->today_b : 0);
	out->plain = out->weak || s->plain;
	if (out->runs > 0 && out->plain) {
		out->ask_b = rounded(out->most_b * MEMORY_RULE_HEADROOM);
	} else if (out->runs > 0) {
		out->lambda = s->lambda;
		out->tail = tail_of(v, n, out->runs);
		out->ask_b = least_cost(out, v, n);
		if (s->growth > 1) {
			out->growth = s->growth;
			out->ask_b = rounded(out->ask_b * s->growth);
		}
	}
	lift(s, out);
	if (out->runs > 0)
		out->chance = memory_rule_chance(out, v, n, out->ask_b);
}

void memory_rule_killed_text(const struct memory_rule *rule, char out[96])
{
	if (rule->killed_often)
		snprintf(out, 96, "the largest limit that killed %.0f of %.0f run%s", rule->killed,
		         rule->runs, rule->runs == 1 ? "" : "s");
	else
		snprintf(out, 96, "the limit that killed the latest runs");
}

double memory_rule_need(const struct memory_need *v)
{
	double b = v->killed ? v->limit_b : v->need_b;

	return b > 0 && isfinite(b) ? b : (double)NAN;
}

double memory_rule_value(double need_b, double most_b)
{
	int bucket = log_bucket(need_b);

	return bucket == log_bucket(most_b) ? most_b : log_bucket_middle(bucket);
}

static double mean_error(const struct memory_half *h, double mean)
{
	/* Below this, it is what rounding leaves of equal numbers. */
	double squares = fmax(h->squares - h->runs * mean * mean, h->squares * 1e-13);

	return squares / (h->runs - 1) / h->runs;
}

double memory_growth(const struct memory_half *earlier, const struct memory_half *later)
{
	double before = earlier->sum / earlier->runs, after = later->sum / later->runs;
	double up = after - before, error;

	if (!(earlier->runs >= 2) || !(later->runs >= 2) || !(up >= log(GROWTH_LEAST)))
		return 1;
	error = sqrt(mean_error(earlier, before) + mean_error(later, after));
	return up > GROWTH_T * error ? fmin(exp(up), MEMORY_RULE_GROWTH) : 1;
}
