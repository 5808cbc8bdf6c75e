/* gate_results: conditions → answers, in the order in which they are shown. */
#include "report/advice/gate_results.h"

#include <math.h>
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

static void judge_gate(struct gate_outcome *o, const struct runs *r,
                       const struct keeper_result *prices)
{
	const char *currency = o->gate.currency;
	bool other = *currency && *prices->currency && strcasecmp(currency, prices->currency) != 0;

	gate_judge(&o->gate, r, other ? (double)NAN : offer_price_of_run(prices).hour, &o->result);
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

int gate_results_of(const struct opts_list *conditions, const struct runs *r,
                    const struct keeper_result *prices, struct gate_results *out, struct err *e)
{
	static const enum gate_answer order[] = {GATE_HOLDS, GATE_NOT_JUDGED, GATE_HOLDS_NOT};
	struct gate_outcome *judged;
	size_t n = 0;

	*out = (struct gate_results){0};
	memcpy(out->currency, prices->currency, sizeof out->currency);
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
		if (is_repeated(conditions, i) || gate_parse(conditions->v[i], &o->gate, NULL))
			continue;
		judge_gate(o, r, prices);
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

void gate_results_free(struct gate_results *g)
{
	free(g->v);
	*g = (struct gate_results){0};
}
