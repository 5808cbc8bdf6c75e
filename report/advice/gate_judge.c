/* gate_judge: computes both sides of a condition, and compares them. */
#include "report/advice/gate_judge.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"

/* What a gate is judged on: a run and its history, or many runs. */
struct gate_facts {
	const struct runs *r;
	double price_hour;
	const double *fleet; /* NULL: a run */
};

/* Over the used runs of the history. NAN without any. */
static double history_value(const struct gate_step *step, const struct runs *r, double price_hour)
{
	double *v = alloc_failed_note(calloc(r->n ? r->n : 1, sizeof *v)), answer = NAN;
	struct stats s;

	for (size_t i = 0; v && i < r->n; i++)
		v[i] = i && r->v[i].used ? measure_value(&step->measure, &r->v[i], price_hour)
		                         : (double)NAN;
	if (v && stats_of(v, NULL, r->n, &s, NULL) == 0)
		answer = step->point == GATE_MIN    ? s.min
		         : step->point == GATE_MAX  ? s.max
		         : step->point == GATE_MEAN ? s.mean
		                                    : s.p50;
	free(v);
	return answer;
}

static double value_of_step(const struct gate_step *s, const struct gate_facts *f)
{
	switch (s->word) {
	case GATE_NUMBER:
		return s->number;
	case GATE_MEASURE:
		return f->fleet ? f->fleet[s->measure.fleet]
		                : measure_value(&s->measure, &f->r->v[0], f->price_hour);
	case GATE_HISTORY:
		return history_value(s, f->r, f->price_hour);
	case GATE_LIMIT:
		return measure_limit(&s->measure, &f->r->v[0]);
	case GATE_ASKED:
		return measure_asked(&s->measure, &f->r->v[0]);
	case GATE_OPERATOR:
		break;
	}
	return NAN;
}

static const char *why_not_judged(const struct gate_step *s, const struct gate_facts *f)
{
	bool efficiency = s->word == GATE_MEASURE && s->measure.kind == MEASURE_EFFICIENCY;

	if (f->fleet)
		return measure_fleets[s->measure.fleet].unknown;
	if (s->word == GATE_ASKED ||
	    (efficiency && isnan(asked_of(&f->r->v[0], s->measure.of).amount)))
		return "it is not known what was asked for";
	return s->measure.kind == MEASURE_COST && s->word != GATE_LIMIT && isnan(f->price_hour)
	           ? "no price is known"
	       : s->word == GATE_HISTORY ? "there is no earlier run to compare with"
	       : s->word == GATE_LIMIT   ? "there is no such limit"
	                                 : "it was not measured";
}

static double apply_operator(char op, double a, double b)
{
	return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : b != 0 ? a / b : NAN;
}

static bool comparison_holds(char op, double a, double b)
{
	return op == '<'   ? a < b
	       : op == '>' ? a > b
	       : op == 'L' ? a <= b
	       : op == 'G' ? a >= b
	       : op == '=' ? a == b
	                   : a != b;
}

static void judge_on(const struct gate *g, const struct gate_facts *f, struct gate_result *out)
{
	double stack[GATE_STEPS];
	size_t n = 0;

	*out =
	    (struct gate_result){.answer = GATE_NOT_JUDGED, .left = NAN, .right = NAN, .why = ""};
	for (size_t i = 0; i + 1 < g->n; i++) {
		const struct gate_step *s = &g->step[i];
		if (s->word == GATE_OPERATOR) {
			n--;
			/* clang-analyzer-core.CallAndMessage: as in check_units */
			stack[n - 1] = apply_operator(s->op, stack[n - 1], stack[n]);
			continue;
		}
		stack[n] = value_of_step(s, f);
		if (isnan(stack[n++]) && !*out->why)
			out->why = why_not_judged(s, f);
	}
	/* clang-analyzer-core.uninitialized.Assign: a comparison has two sides */
	out->left = stack[0];
	out->right = stack[1];
	out->unit = g->unit;
	if (!isfinite(out->left) || !isfinite(out->right)) {
		out->why = *out->why ? out->why : "it divides by 0, or the number is too large";
		return;
	}
	out->answer = comparison_holds(g->step[g->n - 1].op, out->left, out->right)
	                  ? GATE_HOLDS
	                  : GATE_HOLDS_NOT;
}

void gate_judge(const struct gate *g, const struct runs *r, double price_hour,
                struct gate_result *out)
{
	judge_on(g, &(struct gate_facts){r, price_hour, NULL}, out);
}

void gate_judge_fleet(const struct gate *g, const double fleet[MEASURE_FLEET_NAMES],
                      struct gate_result *out)
{
	judge_on(g, &(struct gate_facts){NULL, NAN, fleet}, out);
}
