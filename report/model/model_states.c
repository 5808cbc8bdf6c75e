/* model_states: the model's "states" and "phases": where the time of the run went. */
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart_states.h"
#include "report/model/model_sections.h"
#include "report/runs/parts.h"
#include "report/stats/phase_usage.h"
#include "report/stats/state_use.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

#define TEXT_STATES 3    /* of a table's cell */
#define TEXT_LEAST  0.01 /* a smaller share is not in it, nor in the legend of a bar */
#define BAR_LEAST   0.5  /* of 100: a narrower part of a bar would be invisible */

static void add_state_piece(cJSON *row, enum states_id k, double x, double share)
{
	cJSON_AddStringToObject(row, "id", states_word(k));
	cJSON_AddStringToObject(row, "name", state_words[k].name);
	cJSON_AddStringToObject(row, "colour", state_words[k].colour);
	model_json_number(row, "x", stats_round(x, 2));
	model_json_number(row, "width", stats_round(share * 100, 2));
}

void model_states_bar(cJSON *row, const struct state_use *u, const struct snapshot_wait *wait)
{
	cJSON *bar = model_json_object_if(u->known, row, "states"), *pieces;
	enum states_id order[STATES_N];
	size_t n = state_use_sorted(u, order), said = 0;
	struct buf text = {0};
	double x = 0;

	if (!bar)
		return;
	for (; said < n && said < TEXT_STATES && u->of[order[said]].share >= TEXT_LEAST; said++) {
		buf_printf(&text, "%s%s %s", said ? ", " : "", state_words[order[said]].name,
		           UNITS_SHARE(u->of[order[said]].share));
		if (!wait || states_find(wait->state) != order[said])
			continue;
		buf_str(&text, " (");
		model_json_cut_text(&text, wait->name, MODEL_JSON_NAME_MAX);
		buf_char(&text, ')');
	}
	model_json_number(bar, "largest", u->of[order[0]].share);
	model_json_take(bar, "text", &text);
	pieces = cJSON_AddArrayToObject(bar, "pieces");
	for (int k = 0; k < STATES_N; k++) {
		double share = u->of[k].share;
		if (share * 100 >= BAR_LEAST)
			add_state_piece(model_json_row(pieces), (enum states_id)k, x, share);
		x += share * 100;
	}
}

/* -- of the whole run -------------------------------------------------------------------------- */

static void add_state_range(cJSON *row, const struct state_use *u, enum states_id k)
{
	struct buf text = {0};
	cJSON *range = model_json_object_if(state_use_has_range(u, k), row, "range");

	if (!range)
		return;
	state_use_share(u, k, &text);
	model_json_quantity(range, "least", UNIT_SECONDS, stats_round(u->of[k].least_s, 3));
	model_json_quantity(range, "most", UNIT_SECONDS, stats_round(u->of[k].most_s, 3));
	model_json_take(range, "text", &text);
}

/* Whether there are any. */
static bool add_state_waits(cJSON *row, const struct state_use *u, enum states_id k)
{
	cJSON *all = cJSON_AddArrayToObject(row, "waits");

	for (size_t i = 0; i < u->n_waits; i++) {
		cJSON *one;
		if (states_find(u->waits[i].state) != k || !*u->waits[i].name)
			continue;
		one = model_json_row(all);
		model_json_cut(one, "name", u->waits[i].name, MODEL_JSON_NAME_MAX);
		model_json_quantity(one, "seconds", UNIT_SECONDS, stats_round(u->waits[i].s, 3));
	}
	return cJSON_GetArraySize(all) > 0;
}

/* The node that was in a state for the largest part of its time. Whether there is one. */
static bool add_state_node(cJSON *row, const struct run *run, enum states_id k)
{
	double share;
	const struct parts_node *node = state_use_most(run, k, &share);
	cJSON *one = model_json_object_if(node && *node->name, row, "node");

	if (!one)
		return false;
	model_json_cut(one, "name", node->name, MODEL_JSON_NAME_MAX);
	cJSON_AddStringToObject(one, "text", UNITS_SHARE(share));
	return true;
}

static void add_state_rows(cJSON *states, const struct state_use *u, const struct run *run)
{
	cJSON *rows = cJSON_AddArrayToObject(states, "rows");
	bool has_waits = false;
	double x = 0;

	for (int k = 0; k < STATES_N; k++) {
		enum states_id id = (enum states_id)k;
		cJSON *row;
		if (!(u->of[k].s > 0))
			continue;
		row = model_json_row(rows);
		add_state_piece(row, id, x, u->of[k].share);
		cJSON_AddBoolToObject(row, "slight", u->of[k].share < TEXT_LEAST);
		x += u->of[k].share * 100;
		cJSON_AddStringToObject(row, "label", state_words[k].is);
		model_json_quantity(row, "seconds", UNIT_SECONDS, stats_round(u->of[k].s, 3));
		model_json_as_text(row, "share", UNIT_PERCENT, stats_round(u->of[k].share * 100, 1),
		                   UNITS_SHARE(u->of[k].share));
		add_state_range(row, u, id);
		has_waits |= add_state_waits(row, u, id);
		has_waits |= add_state_node(row, run, id);
	}
	cJSON_AddBoolToObject(states, "has_waits", has_waits);
}

/* "on a CPU 18%, waiting for the disk 62%": largest first. */
static void add_states_text(cJSON *states, const struct state_use *u)
{
	enum states_id order[STATES_N];
	size_t n = state_use_sorted(u, order);
	struct buf text = {0};

	for (size_t i = 0; i < n; i++) {
		buf_printf(&text, "%s%s ", i ? ", " : "", state_words[order[i]].is);
		state_use_share(u, order[i], &text);
	}
	model_json_take(states, "text", &text);
}

static void add_states_how(cJSON *states, const struct state_use *u, const struct run *run)
{
	bool range = false;

	for (int k = 0; k < STATES_N; k++)
		range = range || state_use_has_range(u, (enum states_id)k);

	const struct {
		double share;
		const char *words;
	} ways[] = {{u->exact, "measured exactly"},
	            {u->sampled, "estimated from samples"},
	            {u->bound, range ? "known as a range" : "known within narrow bounds"}};
	struct buf text = {0};

	for (size_t i = 0; i < sizeof ways / sizeof *ways && !isnan(u->exact); i++)
		if (ways[i].share >= 0.0005)
			buf_printf(&text, "%s%s in %s%s", text.len ? ", " : "It is ", ways[i].words,
			           UNITS_SHARE(ways[i].share), text.len ? "" : " of the time");
	if (range && text.len)
		buf_str(&text, ", because waits of several threads may overlap");
	if (run->parts && run->parts->n_nodes > 1)
		buf_printf(&text, "%smean of %zu nodes", text.len ? "; " : "", run->parts->n_nodes);
	else if (run->parts && run->parts->n > 1)
		buf_printf(&text, "%smean of %zu tasks", text.len ? "; " : "", run->parts->n);
	model_json_take(states, "how", &text);
}

/* -- phases ------------------------------------------------------------------------------------ */

static void add_phase_measure(cJSON *array, enum phase_usage_measure m, const struct phase_stats *s)
{
	const struct phase_usage_column *c = &phase_usage_columns[m];
	cJSON *one = model_json_row(array);

	cJSON_AddStringToObject(one, "id", c->id);
	cJSON_AddStringToObject(one, "label", c->label);
	model_json_quantity(one, "min", c->unit, s->min);
	model_json_quantity(one, "max", c->unit, s->max);
	model_json_quantity(one, "mean", c->unit, s->mean);
	model_json_quantity(one, "sd", c->unit, s->sd);
}

/* "once"; "3 times, 0.95 s on average". */
static void add_times_text(cJSON *row, size_t count, double mean)
{
	if (count > 1)
		model_json_printf(row, "times", "%s times, %s on average",
		                  UNITS_COUNT((double)count), UNITS_SECONDS(mean));
	else
		cJSON_AddStringToObject(row, "times", "once");
}

static void add_phase_row(cJSON *rows, const struct phase_usage *u, size_t index, double length)
{
	const struct phase_usage_name *p = &u->name[index];
	cJSON *row = model_json_row(rows), *array;
	struct state_use states;
	double share = p->total_s / length, mean = stats_round(p->total_s / (double)p->count, 3);

	model_json_cut(row, "name", p->name, MODEL_JSON_NAME_MAX);
	model_json_number(row, "index", (double)index);
	model_json_quantity(row, "count", UNIT_COUNT, (double)p->count);
	model_json_quantity(row, "total", UNIT_SECONDS, stats_round(p->total_s, 3));
	model_json_quantity(row, "mean", UNIT_SECONDS, mean);
	add_times_text(row, p->count, mean);
	model_json_quantity(row, "share", UNIT_PERCENT,
	                    share > 1 ? 100 : stats_round(share * 100, 1));
	states = state_use_of_seconds(p->states_s);
	model_states_bar(row, &states, NULL);
	array = cJSON_AddArrayToObject(row, "measures");
	for (int m = 0; m < PHASE_USAGE_MEASURES; m++)
		if (u->measured[m])
			add_phase_measure(array, (enum phase_usage_measure)m, &p->of[m]);
}

/* For the charts' script. */
static void add_bands(cJSON *phases, const struct phase_usage *u)
{
	cJSON *data = cJSON_AddObjectToObject(phases, "data");
	cJSON *names = cJSON_AddArrayToObject(data, "names");
	cJSON *bands = cJSON_AddArrayToObject(data, "bands");

	for (size_t i = 0; i < u->n; i++)
		model_json_cut(names, NULL, u->name[i].name, MODEL_JSON_NAME_MAX);
	for (size_t i = 0; i < u->n_spans; i++) {
		cJSON *band = cJSON_CreateArray();
		cJSON_AddItemToArray(bands, band);
		model_json_number(band, NULL, (double)u->span[i].name);
		model_json_number(band, NULL, u->span[i].from);
		model_json_number(band, NULL, u->span[i].to);
	}
}

static void add_phase_table(cJSON *phases, const struct phase_usage *u, const struct run *run)
{
	cJSON *heads = cJSON_AddArrayToObject(phases, "measures");
	cJSON *rows = cJSON_AddArrayToObject(phases, "rows");
	bool states = false;

	for (int m = 0; m < PHASE_USAGE_MEASURES; m++) {
		cJSON *head;
		if (!u->measured[m])
			continue;
		head = model_json_row(heads);
		cJSON_AddStringToObject(head, "id", phase_usage_columns[m].id);
		cJSON_AddStringToObject(head, "label", phase_usage_columns[m].label);
	}
	for (size_t i = 0; i < u->n; i++) {
		add_phase_row(rows, u, i, run->duration);
		states |= state_use_of_seconds(u->name[i].states_s).known;
	}
	cJSON_AddBoolToObject(phases, "has_states", states);
	add_bands(phases, u);
}

static void add_phases_section(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	cJSON *phases = cJSON_AddObjectToObject(model, "phases");
	struct phase_usage *u = alloc_failed_note(calloc(1, sizeof *u));

	/* Without memory alloc_failed() is true, and there will be no model. */
	if (!u || phase_usage_of(run, u, NULL))
		goto out;
	cJSON_AddBoolToObject(phases, "known", u->n > 0);
	model_json_number(phases, "left_out", (double)u->left_out);
	if (u->n)
		add_phase_table(phases, u, run);
out:
	free(u);
}

/* -- both -------------------------------------------------------------------------------------- */

static void add_states_section(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	struct state_use u = state_use_of(run);
	cJSON *states = cJSON_AddObjectToObject(model, "states");

	cJSON_AddBoolToObject(states, "known", u.known);
	if (!u.known)
		return;
	model_json_quantity(states, "total", UNIT_SECONDS, stats_round(u.total_s, 3));
	add_states_text(states, &u);
	add_states_how(states, &u, run);
	add_state_rows(states, &u, run);
	chart_states_add(states, run);
}

void model_states_add(cJSON *model, const struct model_input *in)
{
	add_phases_section(model, in);
	add_states_section(model, in);
}
