/* model_gates: what the conditions of --fail-if answer, and the tests that they make. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report/advice/gate_text.h"
#include "report/model/model.h"
#include "report/prices/offer.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

static bool of_money(const struct gate *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->step[i].word == GATE_MEASURE && g->step[i].measure.kind == MEASURE_COST)
			return true;
	return false;
}

static void judge(const struct gate *g, const struct model_input *in, struct offer_price p,
                  struct gate_result *out)
{
	bool other = *g->currency && *in->keeper->currency &&
	             strcasecmp(g->currency, in->keeper->currency) != 0;

	gate_judge(g, in->runs, other ? (double)NAN : p.hour, out);
	if (other && out->answer == GATE_NOT_JUDGED)
		out->why = "the prices are in another currency";
}

static void add_row(cJSON *rows, const struct gate *g, const struct gate_result *r,
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
	cJSON *row = cJSON_CreateObject();

	gate_sentence(g, r, currency, &text);
	cJSON_AddItemToArray(rows, row);
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

struct counts {
	size_t of[3]; /* by enum gate_answer */
	bool money;
};

static bool is_repeated(const struct opts_list *gates, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(gates->v[i], gates->v[at]) == 0)
			return true;
	return false;
}

/* The rows of one answer; all are counted. A condition was read before, or it would not be here. */
static struct counts add_rows(cJSON *rows, const struct model_input *in, enum gate_answer answer)
{
	struct offer_price p = offer_price_of_run(in->keeper);
	struct counts n = {0};

	for (size_t i = 0; i < in->gates->n; i++) {
		struct gate g;
		struct gate_result r;
		if (is_repeated(in->gates, i) || gate_parse(in->gates->v[i], &g, NULL))
			continue;
		judge(&g, in, p, &r);
		n.of[r.answer]++;
		n.money = n.money || of_money(&g);
		if (r.answer == answer)
			add_row(rows, &g, &r, in->keeper->currency);
	}
	return n;
}

static void add_text(cJSON *gates, const struct counts *n)
{
	size_t all = n->of[GATE_HOLDS] + n->of[GATE_HOLDS_NOT] + n->of[GATE_NOT_JUDGED];
	struct buf text = {0};

	if (n->of[GATE_HOLDS])
		buf_printf(&text, "%zu of %zu gate%s failed", n->of[GATE_HOLDS], all,
		           all == 1 ? "" : "s");
	else
		buf_printf(&text, "%zu of %zu gate%s passed", n->of[GATE_HOLDS_NOT], all,
		           all == 1 ? "" : "s");
	if (n->of[GATE_NOT_JUDGED])
		buf_printf(&text, ", %zu could not be judged", n->of[GATE_NOT_JUDGED]);
	cJSON_AddStringToObject(gates, "text", buf_cstr(&text));
	buf_free(&text);
}

/* Where money is compared: at which price. */
static void add_price(cJSON *gates, const struct model_input *in, bool money)
{
	struct offer_price p = offer_price_of_run(in->keeper);
	char amount[UNITS_SIZE], text[400] = "";

	if (money && !isnan(p.hour))
		snprintf(text, sizeof text, "Cost at %s an hour, the %sprice of %s %s, %s.",
		         units_money(p.hour, in->keeper->currency, amount), p.spot ? "spot " : "",
		         p.server->vendor_id, offer_server(p.server),
		         p.present ? "on which it ran" : "the cheapest server that fits");
	model_json_cut(gates, "price", text, MODEL_JSON_TEXT_MAX);
}

void model_add_gates(cJSON *model, const struct model_input *in)
{
	cJSON *gates = cJSON_AddObjectToObject(model, "gates"), *rows;
	struct counts n;
	bool known = in->gates && in->gates->n;

	cJSON_AddBoolToObject(gates, "known", known);
	if (!known)
		return;
	rows = cJSON_CreateArray();
	n = add_rows(rows, in, GATE_HOLDS);
	add_rows(rows, in, GATE_NOT_JUDGED);
	add_rows(rows, in, GATE_HOLDS_NOT);
	cJSON_AddNumberToObject(gates, "failed", (double)n.of[GATE_HOLDS]);
	cJSON_AddNumberToObject(gates, "not_judged", (double)n.of[GATE_NOT_JUDGED]);
	cJSON_AddStringToObject(gates, "level",
	                        n.of[GATE_HOLDS]        ? "bad"
	                        : n.of[GATE_NOT_JUDGED] ? "warn"
	                                                : "good");
	add_text(gates, &n);
	add_price(gates, in, n.money);
	cJSON_AddItemToObject(gates, "rows", rows);
}
