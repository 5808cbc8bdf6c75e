/* pipeline_model_chain: the model's "chain": the tasks that ended last, each before the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/pipeline/pipeline_model_parts.h"
#include "fleet/pipeline/pipeline_model_words.h"
#include "report/units/model_json.h"

#define SAID 5

static void add_link(cJSON *rows, const struct pipeline_parts *x, size_t i)
{
	const struct pipeline_link *link = &x->chain.link[i];
	const struct pipeline_attempt *a = &x->p->attempt[link->at];
	cJSON *row = model_json_row(rows);
	struct buf name = {0};

	model_json_number(row, "number", (double)(i + 1));
	pipeline_model_words_name(x, a, &name);
	model_json_take_cut(row, "name", &name, MODEL_JSON_NAME_MAX);
	pipeline_model_words_quantity(row, "before", UNIT_SECONDS, link->before_s);
	pipeline_model_words_quantity(row, "slot", UNIT_SECONDS, link->slot_s);
	pipeline_model_words_quantity(row, "start", UNIT_SECONDS, a->start - x->p->begin);
	pipeline_model_words_quantity(row, "wall", UNIT_SECONDS, a->end - a->start);
	cJSON_AddStringToObject(row, "ended", pipeline_model_words_ended(a->ended));
	cJSON_AddBoolToObject(row, "failed", pipeline_failed(a->ended));
}

struct chained {
	size_t process;
	double s;
};

static int by_chained(const void *a, const void *b)
{
	const struct chained *x = a, *y = b;

	if (x->s != y->s)
		return x->s > y->s ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

/* "ALIGN 63% of the time, CALL 7%; between them 12%; waiting for a slot 18%" */
static void add_chain_text(cJSON *chain, const struct pipeline_parts *x, double all)
{
	const struct pipeline *p = x->p;
	struct chained *v = alloc_failed_note(calloc(p->n_processes + 1, sizeof *v));
	struct buf text = {0};

	for (size_t k = 0; v && k < p->n_processes; k++)
		v[k].process = k;
	for (size_t i = 0; v && i < x->chain.n; i++) {
		const struct pipeline_attempt *a = &p->attempt[x->chain.link[i].at];
		v[a->of_process].s += a->end - a->start;
	}
	if (v)
		qsort(v, p->n_processes, sizeof *v, by_chained);
	for (size_t k = 0; v && k < SAID && k < p->n_processes && v[k].s > 0; k++) {
		const char *name = p->process[v[k].process].name;
		buf_str(&text, k ? ", " : "");
		model_json_cut_text(&text, *name ? name : "unknown", PIPELINE_MODEL_NAME);
		buf_printf(&text, " %s%s", UNITS_SHARE(v[k].s / all), k ? "" : " of the time");
	}
	if (x->chain.before_s > 0)
		buf_printf(&text, "; no task of it ran or was submitted for %s",
		           UNITS_SECONDS(x->chain.before_s));
	if (x->chain.slot_s > 0)
		buf_printf(&text, "; waiting for a slot for %s", UNITS_SECONDS(x->chain.slot_s));
	buf_char(&text, '.');
	model_json_take_cut(chain, "text", &text, MODEL_JSON_TEXT_MAX);
	free(v);
}

void pipeline_model_chain_add(cJSON *model, const struct pipeline_parts *x)
{
	const struct pipeline_chain *c = &x->chain;
	cJSON *chain = cJSON_AddObjectToObject(model, "chain"), *rows;
	double all = c->run_s + c->before_s + c->slot_s;
	size_t from = c->n > PIPELINE_MODEL_ROWS ? c->n - PIPELINE_MODEL_ROWS : 0;
	bool slots = false;

	cJSON_AddBoolToObject(chain, "known", c->n > 0 && all > 0);
	if (!c->n || !(all > 0))
		return;
	pipeline_model_words_quantity(chain, "all", UNIT_SECONDS, all);
	pipeline_model_words_quantity(chain, "run", UNIT_SECONDS, c->run_s);
	pipeline_model_words_quantity(chain, "before", UNIT_SECONDS, c->before_s);
	pipeline_model_words_quantity(chain, "slot", UNIT_SECONDS, c->slot_s);
	pipeline_model_words_quantity(chain, "n", UNIT_COUNT, (double)c->n);
	add_chain_text(chain, x, all);
	rows = cJSON_AddArrayToObject(chain, "rows");
	for (size_t i = from; i < c->n; i++) {
		add_link(rows, x, i);
		slots |= isfinite(c->link[i].slot_s);
	}
	cJSON_AddBoolToObject(chain, "has_slots", slots);
	if (from)
		model_json_printf(chain, "shown", "The last %zu of %s", c->n - from,
		                  UNITS_COUNT((double)c->n));
	else
		model_json_printf(chain, "shown", "All of them, in the order of time");
}
