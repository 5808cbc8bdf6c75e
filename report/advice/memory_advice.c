/* memory_advice: how much memory to ask for, from all that is known of a job's runs. */
#include "report/advice/memory_advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/quantity.h"
#include "report/advice/advice.h"
#include "report/units/units.h"

/* A record of fewer runs shows nothing. */
#define RECORD_RUNS 5

static double stepped(double b)
{
	return isnan(b) ? b : (double)advice_step(b / QUANTITY_MIB) * QUANTITY_MIB;
}

static int run_earlier_first(const void *a, const void *b)
{
	const struct memory_run *x = a, *y = b;

	return (x->need.start > y->need.start) - (x->need.start < y->need.start);
}

/* -- what was known at one time ---------------------------------------------------------------- */

/* The runs up to one of them: their needs and times, ascending. */
struct past {
	struct memory_value need[MEMORY_RULE_LAST];
	double wall[MEMORY_RULE_LAST];
	size_t n, n_walls;
	double latest[MEMORY_RULE_RECENT];      /* needs, a ring */
	double killed, killed_b, killed_most_b; /* as in memory_rule.h */
};

static void learn(struct past *p, const struct memory_run *run)
{
	double b = memory_rule_need(&run->need);
	size_t at = p->n;

	if (run->wall_s > 0 && isfinite(run->wall_s)) {
		size_t k = p->n_walls++;
		for (; k > 0 && p->wall[k - 1] > run->wall_s; k--)
			p->wall[k] = p->wall[k - 1];
		p->wall[k] = run->wall_s;
	}
	if (isnan(b))
		return;
	p->latest[p->n % MEMORY_RULE_RECENT] = b;
	for (; at > 0 && p->need[at - 1].b > b; at--)
		p->need[at] = p->need[at - 1];
	p->need[at] = (struct memory_value){b, 1, run->need.killed};
	p->n++;
	p->killed_b = run->need.killed ? fmax(p->killed_b, b) : 0;
	if (run->need.killed) {
		p->killed++;
		p->killed_most_b = fmax(p->killed_most_b, b);
	}
}

static struct memory_situation situation(const struct past *p, double today_b, double lambda)
{
	struct memory_situation now = {.today_b = today_b,
	                               .lambda = lambda,
	                               .killed_b = p->killed_b,
	                               .killed_most_b = p->killed_most_b};

	for (size_t i = 0; i < MEMORY_RULE_RECENT; i++)
		now.recent_b = fmax(now.recent_b, p->latest[i]);
	return now;
}

static void make_rule(const struct past *p, const struct memory_situation *now,
                      struct memory_value value[MEMORY_RULE_LAST], struct memory_rule *out)
{
	for (size_t i = 0; i < p->n; i++) {
		value[i] = p->need[i];
		value[i].b = memory_rule_value(p->need[i].b, p->need[p->n - 1].b);
	}
	memory_rule_make(value, p->n, now, out);
}

static double plain_ask(const struct past *p, const struct memory_situation *now)
{
	double most_b = p->n ? p->need[p->n - 1].b : (double)NAN;
	double killed_b = memory_rule_killed(now, p->killed, (double)p->n);

	return stepped(fmax(most_b * MEMORY_RULE_HEADROOM, killed_b * MEMORY_RULE_KILLED));
}

/* -- the track record -------------------------------------------------------------------------- */

/* A run that was killed with less than the ask counts as one that fails: its need is not known. */
static void keep_score(struct memory_record *r, double ask_b, const struct memory_need *need)
{
	double b = memory_rule_need(need);
	bool failed = need->killed || ask_b < b;

	if (isnan(ask_b) || isnan(b))
		return;
	r->runs++;
	r->failed += failed;
	r->asked_b += ask_b;
	r->unused_b += failed ? 0 : ask_b - b;
	r->wasted_b += failed ? ask_b : ask_b - b;
}

static struct memory_score record_score(const struct memory_record *r)
{
	return (struct memory_score){(double)r->runs, (double)r->failed, r->wasted_b};
}

static bool is_worse(const struct memory_record *r, const struct memory_record *plain)
{
	struct memory_score mine = record_score(r), other = record_score(plain);

	return memory_rule_worse(&mine, &other);
}

static int smaller_number_first(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct tried {
	struct memory_record plain, rule, fit;
	struct memory_record line, beside; /* where there was a line, and the plain way there */
	double off[MEMORY_RULE_LAST];      /* of times */
	size_t n_off;
};

/* Whether there is a line over what came before run i, and it is of any use for that run. */
static bool fit_before(const struct memory_point *v, size_t i, struct memory_fit *fit)
{
	if (i < MEMORY_FIT_RUNS || isnan(v[i].x))
		return false;
	memory_fit_make(v, i, fit);
	return fit->usable;
}

static double expected_time(const struct past *p, const struct memory_point *wall, size_t i)
{
	struct memory_fit fit;

	if (fit_before(wall, i, &fit))
		return fit.a + fit.b * wall[i].x;
	return p->n_walls ? p->wall[p->n_walls / 2] : (double)NAN;
}

/* Each run from those before it. */
static void try_all(const struct memory_run *v, size_t n, const struct memory_advice *m,
                    const struct memory_point *wall, struct past *p, struct tried *t)
{
	struct memory_value value[MEMORY_RULE_LAST];

	for (size_t i = 0; i < n; learn(p, &v[i]), i++) {
		struct memory_situation now;
		struct memory_rule rule;
		struct memory_fit fit;
		double off = expected_time(p, wall, i) / v[i].wall_s - 1;
		if (isfinite(off) && v[i].wall_s > 0)
			t->off[t->n_off++] = fabs(off);
		if (!p->n)
			continue;
		now = situation(p, m->now.today_b, m->now.lambda);
		make_rule(p, &now, value, &rule);
		keep_score(&t->plain, plain_ask(p, &now), &v[i].need);
		keep_score(&t->rule, rule.ask_b, &v[i].need);
		if (fit_before(m->point, i, &fit)) {
			rule.ask_b = stepped(fmax(memory_fit_ask(&fit, m->point[i].x),
			                          p->killed_b * MEMORY_RULE_KILLED));
			keep_score(&t->line, rule.ask_b, &v[i].need);
			keep_score(&t->beside, plain_ask(p, &now), &v[i].need);
		}
		keep_score(&t->fit, rule.ask_b, &v[i].need);
	}
}

/* -- the choice -------------------------------------------------------------------------------- */

static void fit_input(const struct memory_run *v, size_t n, const struct memory_request *q,
                      struct memory_point *wall, struct memory_advice *out)
{
	out->input = memory_input_choose(v, n, out->point, &out->fit, &out->trial);
	out->n_points = n;
	for (size_t i = 0; i < n; i++)
		wall[i] = (struct memory_point){
		    .x = out->input.of ? out->point[i].x : v[i].need.input_b, .y = v[i].wall_s};
	memory_fit_make(wall, n, &out->wall);
	if (!q->with)
		return;
	out->input_b =
	    out->input.of ? memory_input_bytes(&out->input, q->with) : q->with->need.input_b;
	out->guess = out->fit.usable && memory_fit_is_guess(&out->fit, out->input_b);
	if (out->wall.usable && !isnan(out->input_b))
		out->wall_most_s = memory_fit_most(&out->wall, out->input_b);
}

/* Where inputs are known, and say nothing of the memory, what makes runs differ is not known. An
 * input that all runs have alike, such as their script, says nothing either way. */
static double lambda_of(const struct memory_run *v, size_t n, const struct memory_request *q)
{
	double least = INFINITY, most = 0;
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(v[i].need.input_b) || v[i].need.killed)
			continue;
		known++;
		least = fmin(least, v[i].need.input_b);
		most = fmax(most, v[i].need.input_b);
	}
	if (q->lambda > 0)
		return q->lambda;
	return known >= MEMORY_FIT_RUNS && most > least ? MEMORY_RULE_CAREFUL
	                                                : MEMORY_RULE_BALANCED;
}

/* Whether twice a limit that killed decides, where it is not the rule that asks. */
static void note_killed_limit(const struct past *p, struct memory_advice *m)
{
	double killed_b = memory_rule_killed(&m->now, p->killed, (double)p->n);
	bool lifted = killed_b * MEMORY_RULE_KILLED > m->rule.most_b * MEMORY_RULE_HEADROOM;

	m->rule.killed_b = lifted ? killed_b : 0;
	m->rule.killed_often = lifted && killed_b > m->now.killed_b;
}

static void choose(const struct past *p, struct memory_advice *m)
{
	bool by_input = m->fit.usable && !isnan(m->input_b);

	m->by = MEMORY_BY_NOTHING;
	if (by_input && !m->fit_lost) {
		m->by = MEMORY_BY_INPUT;
		m->ask_b = stepped(
		    fmax(memory_fit_ask(&m->fit, m->input_b), p->killed_b * MEMORY_RULE_KILLED));
	} else if (p->n) {
		m->by = m->rule.weak || m->rule_lost || by_input ? MEMORY_BY_PLAIN : MEMORY_BY_RULE;
		m->ask_b = m->by == MEMORY_BY_PLAIN ? plain_ask(p, &m->now) : m->rule.ask_b;
		if (m->by == MEMORY_BY_PLAIN)
			note_killed_limit(p, m);
	}
}

void memory_advice_make(struct memory_run *v, size_t n, const struct memory_request *q,
                        struct memory_advice *out)
{
	struct memory_point wall[MEMORY_RULE_LAST];
	struct past known = {0}, past = {0};
	struct tried t = {0};
	double lambda;
	size_t k = 0;

	*out = (struct memory_advice){
	    .ask_b = NAN, .input_b = NAN, .wall_most_s = NAN, .time_off = NAN};
	if (n)
		qsort(v, n, sizeof *v, run_earlier_first);
	for (size_t i = 0; i < n; i++)
		if (!isnan(memory_rule_need(&v[i].need)))
			v[k++] = v[i];
	n = k > MEMORY_RULE_LAST ? MEMORY_RULE_LAST : k;
	v += k - n;
	fit_input(v, n, q, wall, out);
	lambda = lambda_of(v, n, q);
	for (size_t i = 0; i < n; i++)
		learn(&known, &v[i]);
	out->now = situation(&known, q->today_b, lambda);
	make_rule(&known, &out->now, out->value, &out->rule);
	out->n_values = known.n;
	if (known.n > RECORD_RUNS) {
		try_all(v, n, out, wall, &past, &t);
		/* A user who asks with care pays for failures that no history has shown. */
		out->rule_lost = lambda <= MEMORY_RULE_BALANCED &&
		                 plain_ask(&known, &out->now) != out->rule.ask_b &&
		                 is_worse(&t.rule, &t.plain);
		out->fit_lost = out->fit.usable && is_worse(&t.line, &t.beside);
		out->plain = t.plain;
		qsort(t.off, t.n_off, sizeof *t.off, smaller_number_first);
		out->time_off = t.n_off >= RECORD_RUNS ? t.off[t.n_off / 2] : (double)NAN;
	}
	choose(&known, out);
	if (out->by == MEMORY_BY_INPUT)
		out->record = t.fit;
	else
		out->record = out->by == MEMORY_BY_RULE ? t.rule : t.plain;
}

/* -- for pictures, and lines to paste ---------------------------------------------------------- */

static int smaller_value_first(const void *a, const void *b)
{
	const struct memory_value *x = a, *y = b;

	return (x->b > y->b) - (x->b < y->b);
}

size_t memory_advice_curve(const struct memory_advice *m, struct memory_rule *rule,
                           struct memory_value out[MEMORY_RULE_LAST])
{
	size_t n = 0;

	if (m->by != MEMORY_BY_INPUT) {
		*rule = m->rule;
		memcpy(out, m->value, sizeof m->value);
		return m->n_values;
	}
	for (size_t i = 0; i < m->n_points; i++) {
		double b =
		    m->fit.a + m->fit.b * m->input_b + memory_fit_missed_by(&m->fit, &m->point[i]);
		if (b > 0 && !m->point[i].more)
			out[n++] = (struct memory_value){b, 1, 0};
	}
	qsort(out, n, sizeof *out, smaller_value_first);
	memory_rule_make(out, n,
	                 &(struct memory_situation){.today_b = NAN, .lambda = m->now.lambda}, rule);
	return n;
}

void memory_advice_line(const struct memory_advice *m, struct advice_line *out)
{
	static const enum advice_line_of of[] = {ADVICE_LINE_NONE, ADVICE_LINE_ALL,
	                                         ADVICE_LINE_LARGEST, ADVICE_LINE_ONE};

	*out = (struct advice_line){.of = ADVICE_LINE_NONE};
	if (m->by != MEMORY_BY_INPUT)
		return;
	memory_input_line(&m->fit, out);
	out->of = of[m->input.of];
	out->least_mib = fmax(out->least_mib, MEMORY_RULE_KILLED * m->now.killed_b / QUANTITY_MIB);
	memory_input_name(&m->input, out->name);
}

/* -- its formula ------------------------------------------------------------------------------- */

static void mib_text(double b, char out[32])
{
	snprintf(out, 32, b / QUANTITY_MIB < 1e15 ? "%s%.2f" : "%s%.3g", b < 0 ? "−" : "",
	         fabs(b) / QUANTITY_MIB);
}

void memory_advice_formula(const struct memory_advice *m, char *out, size_t size)
{
	const struct memory_rule *r = &m->rule;
	double share = 1 / m->fit.n + pow(m->input_b - m->fit.mean_x, 2) / m->fit.sxx;
	char most[32], other[32], killed[32], why[96];
	long step = (long)(m->ask_b / QUANTITY_MIB);

	mib_text(r->most_b, most);
	mib_text(r->killed_b, killed);
	if (m->by == MEMORY_BY_INPUT) {
		mib_text(m->fit.a, most);
		mib_text(m->fit.bound, other);
		snprintf(out, size,
		         "step(1.1 × (%s MiB + %.4g × %s of input + %s MiB × %.2f)) = %ld MiB",
		         most, m->fit.b, UNITS_TEXT(UNIT_BYTES, m->input_b), other, sqrt(1 + share),
		         step);
	} else if (r->killed_b > 0 && m->by != MEMORY_BY_NOTHING) {
		memory_rule_killed_text(r, why);
		snprintf(out, size, "step(%s MiB, %s, × 2) = %ld MiB", killed, why, step);
	} else if (m->by == MEMORY_BY_RULE && r->recent_b > 0) {
		mib_text(r->recent_b, other);
		snprintf(out, size, "step(%s MiB, the most of the last %d runs, × %.3g) = %ld MiB",
		         other, MEMORY_RULE_RECENT, MEMORY_RULE_ABOVE_RECENT, step);
	} else if (m->by == MEMORY_BY_RULE) {
		mib_text(r->against_b, other);
		snprintf(out, size,
		         "the step A with the lowest A + %g × P × (A + %s MiB), from %.0f runs of "
		         "up to %s MiB = %ld MiB (P = %s)",
		         r->lambda, other, r->runs, most, step, UNITS_SHARE(r->chance));
	} else if (m->by == MEMORY_BY_PLAIN) {
		snprintf(out, size, "step(%s MiB, the most of %.0f run%s, × %.3g) = %ld MiB", most,
		         r->runs, r->runs == 1 ? "" : "s", MEMORY_RULE_HEADROOM, step);
	} else {
		snprintf(out, size, ADVICE_NOT_MEASURED);
	}
}
