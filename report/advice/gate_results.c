/* gate_results: conditions → answers, in the order in which they are shown. */
#include "report/advice/gate_results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/prices/offer.h"

static bool is_about_cost(const struct gate *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->step[i].word == GATE_MEASURE && g->step[i].measure.kind == MEASURE_COST)
			return true;
	return false;
}

/* The subject of the conditions: a run, or many runs. */
struct gate_judge_input {
	const struct runs *r;
	const struct keeper_result *prices;
	const struct history_changes *history;
	const double *fleet;  /* NULL: a run */
	const char *currency; /* of money; "": unknown */
};

static int parse_condition(const char *text, const struct gate_judge_input *in, struct gate *g)
{
	return in->fleet ? gate_parse_fleet(text, g, NULL) : gate_parse(text, g, NULL);
}

static void judge_gate(struct gate_outcome *o, const struct gate_judge_input *in)
{
	const char *currency = o->gate.currency;
	bool other = *currency && *in->currency && strcasecmp(currency, in->currency) != 0;

	if (in->fleet)
		gate_judge_fleet(&o->gate, in->fleet, &o->result);
	else
		gate_judge(&o->gate, in->r,
		           other ? (double)NAN : offer_price_of_run(in->prices).hour, in->history,
		           &o->result);
	if (other && o->result.answer == GATE_NOT_JUDGED)
		o->result.why = "the prices are in another currency";
}

static bool is_repeated(const struct opts_list *conditions, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(conditions->v[i], conditions->v[at]) == 0)
			return true;
	return false;
}

static int judge_all(const struct opts_list *conditions, const struct gate_judge_input *in,
                     struct gate_results *out, struct err *e)
{
	static const enum gate_answer order[] = {GATE_HOLDS, GATE_NOT_JUDGED, GATE_HOLDS_NOT};
	struct gate_outcome *judged;
	size_t n = 0;

	*out = (struct gate_results){0};
	snprintf(out->currency, sizeof out->currency, "%s", in->currency);
	if (!conditions->n)
		return 0;
	judged = calloc(conditions->n, sizeof *judged);
	out->v = calloc(conditions->n, sizeof *out->v);
	if (!judged || !out->v) {
		free(judged);
		gate_results_free(out);
		return err_set(e, "no memory for the gates");
	}
	for (size_t i = 0; i < conditions->n; i++) {
		struct gate_outcome *o = &judged[n];
		if (is_repeated(conditions, i) || parse_condition(conditions->v[i], in, &o->gate))
			continue;
		judge_gate(o, in);
		out->count[o->result.answer]++;
		out->cost = out->cost || is_about_cost(&o->gate);
		n++;
	}
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < n; i++)
			if (judged[i].result.answer == order[k])
				out->v[out->n++] = judged[i];
	free(judged);
	return 0;
}

int gate_results_of(const struct opts_list *conditions, const struct runs *r,
                    const struct keeper_result *prices, const struct history_changes *history,
                    struct gate_results *out, struct err *e)
{
	const struct gate_judge_input in = {
	    .r = r, .prices = prices, .history = history, .currency = prices->currency};

	return judge_all(conditions, &in, out, e);
}

int gate_results_of_fleet(const struct opts_list *conditions,
                          const double fleet[MEASURE_FLEET_NAMES], const char *currency,
                          struct gate_results *out, struct err *e)
{
	const struct gate_judge_input in = {.fleet = fleet, .currency = currency};

	return judge_all(conditions, &in, out, e);
}

void gate_results_free(struct gate_results *g)
{
	free(g->v);
	*g = (struct gate_results){0};
}
