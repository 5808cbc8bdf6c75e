/* model_gates: the model's answers to the conditions of --fail-if. */
#include "report/model/model_gates.h"

#include <math.h>
#include <stdio.h>

#include "report/advice/gate_text.h"
#include "report/model/model_sections.h"
#include "report/prices/offer.h"
#include "report/runs/parts.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

static void add_gate(cJSON *rows, const struct gate *g, const struct gate_result *r,
                     const char *currency)
{
	static const struct {
		const char *answer, *level;
	} words[] = {
	    [GATE_HOLDS] = {"fails", "bad"},
	    [GATE_HOLDS_NOT] = {"passes", "good"},
	    [GATE_NOT_JUDGED] = {"not judged", "warn"},
	};
	struct gate_display d = gate_display(g);
	struct buf text = {0};
	cJSON *row = model_json_row(rows);

	gate_sentence(g, r, currency, &text);
	model_json_cut(row, "expression", g->text, MODEL_JSON_TEXT_MAX);
	cJSON_AddStringToObject(row, "answer", words[r->answer].answer);
	cJSON_AddStringToObject(row, "level", words[r->answer].level);
	cJSON_AddBoolToObject(row, "failed", r->answer == GATE_HOLDS);
	cJSON_AddBoolToObject(row, "judged", r->answer != GATE_NOT_JUDGED);
	model_json_cut(row, "text", buf_cstr(&text), MODEL_JSON_TEXT_MAX);
	model_json_money(row, "left", d.unit, r->left * d.factor, currency);
	model_json_money(row, "right", d.unit, r->right * d.factor, currency);
	cJSON_AddStringToObject(row, "why", r->why);
	buf_free(&text);
}

/* "1 of 3 gates failed"; of one, "the gate failed". */
static void add_gates_text(cJSON *gates, const struct gate_results *g)
{
	static const char *const of_one[] = {
	    [GATE_HOLDS] = "the gate failed",
	    [GATE_HOLDS_NOT] = "the gate passed",
	    [GATE_NOT_JUDGED] = "the gate could not be judged",
	};
	struct buf text = {0};

	if (g->n == 1) {
		cJSON_AddStringToObject(gates, "text", of_one[g->v[0].result.answer]);
		return;
	}
	if (g->count[GATE_HOLDS])
		buf_printf(&text, "%zu of %zu gates failed", g->count[GATE_HOLDS], g->n);
	else
		buf_printf(&text, "%zu of %zu gates passed", g->count[GATE_HOLDS_NOT], g->n);
	if (g->count[GATE_NOT_JUDGED])
		buf_printf(&text, ", %zu could not be judged", g->count[GATE_NOT_JUDGED]);
	model_json_take(gates, "text", &text);
}

/* The price behind a gate on the run's cost. */
static const char *gates_price(const struct model_input *in, char out[400])
{
	struct offer_price p = offer_price_of_run(in->keeper);
	char amount[UNITS_SIZE];

	*out = '\0';
	if (in->gates->cost && !isnan(p.hour))
		snprintf(out, 400, "Cost at %s an hour, the %sprice of %s %s, %s.",
		         units_money(p.hour, in->keeper->currency, amount), p.spot ? "spot " : "",
		         p.server->vendor_id, offer_server(p.server),
		         p.present ? "on which it ran" : "the cheapest server that fits");
	return out;
}

/* Says that parts which were not recorded are missing in all numbers. */
static void say_gates_missing(const struct run *run, struct buf *text)
{
	if (!parts_missing(run->parts))
		return;
	buf_str(text, "Judged on ");
	parts_recorded_text(run->parts, text);
	buf_str(text, ": the others were not recorded.");
}

void model_gates_of(cJSON *model, const struct gate_results *g, const char *price,
                    const char *missing)
{
	cJSON *gates = cJSON_AddObjectToObject(model, "gates"), *rows;
	bool known = g && g->n;
	const char *level;

	cJSON_AddBoolToObject(gates, "known", known);
	if (!known)
		return;
	cJSON_AddNumberToObject(gates, "failed", (double)g->count[GATE_HOLDS]);
	cJSON_AddNumberToObject(gates, "not_judged", (double)g->count[GATE_NOT_JUDGED]);
	level = g->count[GATE_NOT_JUDGED] ? "warn" : "good";
	cJSON_AddStringToObject(gates, "level", g->count[GATE_HOLDS] ? "bad" : level);
	add_gates_text(gates, g);
	model_json_cut(gates, "price", price, MODEL_JSON_TEXT_MAX);
	model_json_cut(gates, "missing", missing, MODEL_JSON_TEXT_MAX);
	rows = cJSON_AddArrayToObject(gates, "rows");
	for (size_t i = 0; i < g->n; i++)
		add_gate(rows, &g->v[i].gate, &g->v[i].result, g->currency);
}

void model_gates_add(cJSON *model, const struct model_input *in)
{
	struct buf missing = {0};
	char price[400] = "";

	if (in->gates && in->gates->n) {
		gates_price(in, price);
		say_gates_missing(&in->runs->v[0], &missing);
	}
	model_gates_of(model, in->gates, price, buf_cstr(&missing));
	buf_free(&missing);
}
