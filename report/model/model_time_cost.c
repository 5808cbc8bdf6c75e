/* model_time_cost: "time_cost" of the model's prices: time and money on each server. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart_scatter.h"
#include "report/model/model.h"
#include "report/prices/frontier.h"
#include "report/prices/offer.h"
#include "report/runs/parts.h"
#include "report/stats/time_at_run.h"
#include "report/units/model_json.h"

#define POINTS_MAX (KEEPER_SIZED_MAX + 1) /* with this server */
#define ROWS_MAX   10                     /* of the table */

struct time_cost {
	const struct keeper_result *k;
	struct frontier_job job;
	struct time_at time;
	struct keeper_server here; /* at the price that is compared */
	struct frontier_point now, v[POINTS_MAX];
	size_t n;
	struct frontier_picks picks;
};

/* -- points ------------------------------------------------------------------------------------ */

/* The run's own server at the same price is what was measured there. */
static bool is_here(const struct time_cost *t, const struct keeper_server *s)
{
	return offer_is(s, &t->here) && s->price_hour >= t->here.price_hour;
}

/* False where nothing is known of servers of other sizes. */
static bool make_points(struct time_cost *t, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	const struct run *run = &in->runs->v[0];
	bool known = k->present_known;

	if (!k->n_sized || !time_at_run(run, &t->time))
		return false;
	t->k = k;
	t->here = k->present;
	t->here.price_hour = k->spot ? k->present.price_spot : k->present.price_ondemand;
	t->job = (struct frontier_job){&t->time, (double)parts_all_nodes(run), &t->here,
	                               run->snapshot.server.vcpus};
	frontier_point_now(&t->job, &t->here, run->duration, &t->now);
	if (known)
		t->v[t->n++] = t->now;
	for (size_t i = 0; i < k->n_sized; i++)
		if (!known || !is_here(t, &k->sized[i]))
			frontier_point(&t->job, &k->sized[i], &t->v[t->n++]);
	t->n = frontier_sort(t->v, t->n);
	t->picks = frontier_picks(t->v, t->n, run->duration, t->now.cost);
	return t->picks.cheapest != NULL;
}

/* -- words ------------------------------------------------------------------------------------- */

static const char *point_name(const struct frontier_point *p)
{
	return p->now ? "this server" : offer_server(p->server);
}

static void say_point_cost(const struct time_cost *t, const struct frontier_point *p,
                           struct buf *out)
{
	buf_str(out, UNITS_MONEY(UNIT_MONEY, p->cost, t->k->currency));
}

/* "The cheapest run: m7g.large, $0.041, 1 h 52 min; as fast as now for $0.063: c7a.xlarge." */
static void add_frontier_sentence(cJSON *o, const struct time_cost *t)
{
	const struct frontier_point *cheapest = t->picks.cheapest, *fast = t->picks.as_fast;
	struct buf b = {.max = 1024};

	buf_printf(&b, "The cheapest run: %s, ", point_name(cheapest));
	say_point_cost(t, cheapest, &b);
	buf_printf(&b, ", %s", UNITS_SECONDS(cheapest->time.s));
	if (cheapest->now)
		buf_str(&b, "; none of the others costs less");
	else if (fast == cheapest)
		buf_str(&b, ", as fast as now or faster");
	else if (!fast)
		buf_str(&b, "; none is as fast as now");
	else if (fast->now)
		buf_str(&b, "; none that is as fast as now costs less than this server");
	else {
		buf_str(&b, "; as fast as now for ");
		say_point_cost(t, fast, &b);
		buf_printf(&b, ": %s", point_name(fast));
	}
	buf_char(&b, '.');
	model_json_take_cut(o, "sentence", &b, MODEL_JSON_TEXT_MAX);
}

/* "cheapest, as fast as now" */
static void add_marks_of(cJSON *row, const struct time_cost *t, const struct frontier_point *p)
{
	const struct {
		const struct frontier_point *is;
		const char *word;
	} words[] = {{t->picks.cheapest, "cheapest"},
	             {t->picks.fastest, "fastest"},
	             {t->picks.as_fast, "as fast as now"},
	             {t->picks.within, "fastest for today's cost"}};
	struct buf b = {.max = 128};

	if (p->now)
		buf_str(&b, "this server");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		/* The fastest of all says more than the fastest of some. */
		if (words[i].is == p && !(p->now && i > 1) && !(i == 3 && p == t->picks.fastest))
			buf_printf(&b, "%s%s", b.len ? ", " : "", words[i].word);
	model_json_take_cut(row, "is", &b, MODEL_JSON_TEXT_MAX);
}

/* "10 s in which no thread ran + 2 h 3 min on its CPUs / 0.8 (…) = …" */
static void add_row_formula(cJSON *row, const struct time_cost *t, const struct frontier_point *p)
{
	double idle = t->time.of[TIME_AT_ESTIMATE].idle_s;
	double on_cpu = (p->time.s - idle) * p->speed;
	struct buf b = {.max = 512};

	if (idle >= 0.5)
		buf_printf(&b, "%s waiting + ", UNITS_SECONDS(idle));
	buf_printf(&b, "%s on %s", UNITS_SECONDS(on_cpu), UNITS_CPUS(p->server->vcpus));
	if (p->score != FRONTIER_SCORE_UNKNOWN)
		buf_printf(&b, " / %.3g, the speed of a core there (stress-ng, %s)", p->speed,
		           p->score == FRONTIER_SCORE_ONE ? "one core" : "all cores");
	else
		buf_str(&b, " (a score is unknown: a core there is taken to be as fast)");
	buf_printf(&b, " = %s; × ", UNITS_SECONDS(p->time.s));
	buf_str(&b, UNITS_MONEY(UNIT_MONEY_HOUR, p->server->price_hour, t->k->currency));
	if (t->job.nodes > 1)
		buf_printf(&b, " × %.0f nodes", t->job.nodes);
	buf_printf(&b, " = %s", UNITS_MONEY(UNIT_MONEY, p->cost, t->k->currency));
	model_json_take(row, "formula", &b);
}

/* -- the table --------------------------------------------------------------------------------- */

static void add_point(cJSON *rows, const struct time_cost *t, const struct frontier_point *p)
{
	const struct keeper_server *s = p->server;
	cJSON *row = model_json_row(rows);
	char url[OFFER_URL_MAX], label[300];
	bool range = p->time.most > p->time.least * 1.02;

	snprintf(label, sizeof label, "%s %s", offer_vendor_short(s), offer_server(s));
	model_json_cut(row, "label", label, MODEL_JSON_TEXT_MAX);
	model_json_cut(row, "vendor", s->vendor_id, MODEL_JSON_TEXT_MAX);
	model_json_cut(row, "vendor_short", offer_vendor_short(s), MODEL_JSON_TEXT_MAX);
	model_json_cut(row, "server", offer_server(s), MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(row, "api_reference", s->api_reference, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(row, "url", offer_url(s, url), MODEL_JSON_TEXT_MAX);
	add_marks_of(row, t, p);
	cJSON_AddBoolToObject(row, "now", p->now);
	model_json_quantity(row, "cpus", UNIT_COUNT, s->vcpus);
	model_json_quantity(row, "memory", UNIT_BYTES, s->memory_mib * 1048576);
	model_json_quantity(row, "time", UNIT_SECONDS, p->time.s);
	model_json_number(row, "least", p->time.least);
	model_json_number(row, "most", p->time.most);
	model_json_printf(row, "range", range ? "%s to %s" : "", UNITS_SECONDS(p->time.least),
	                  UNITS_SECONDS(p->time.most));
	model_json_money(row, "cost", UNIT_MONEY, p->cost, t->k->currency);
	model_json_money(row, "alone", UNIT_MONEY, p->alone, t->k->currency);
	model_json_money(row, "price_hour", UNIT_MONEY_HOUR, s->price_hour, t->k->currency);
	model_json_number(row, "speed",
	                  p->score == FRONTIER_SCORE_UNKNOWN ? (double)NAN : p->speed);
	model_json_printf(row, "more", p->alike ? "%zu more servers" : "", p->alike);
	if (p->now)
		cJSON_AddNullToObject(row, "formula");
	else
		add_row_formula(row, t, p);
}

static bool is_pick(const struct time_cost *t, const struct frontier_point *p)
{
	return p == t->picks.cheapest || p == t->picks.fastest || p == t->picks.as_fast ||
	       p == t->picks.within;
}

/* The frontier, of which a long one is thinned, and this server. */
static void add_frontier(cJSON *o, const struct time_cost *t)
{
	cJSON *rows = cJSON_AddArrayToObject(o, "frontier");
	size_t on = 0, every, seen = 0;

	for (size_t i = 0; i < t->n; i++)
		on += t->v[i].on;
	every = (on + ROWS_MAX - 1) / ROWS_MAX;
	for (size_t i = 0; i < t->n; i++) {
		const struct frontier_point *p = &t->v[i];
		bool turn = p->on && seen++ % every == 0;
		if (turn || p->now || is_pick(t, p))
			add_point(rows, t, p);
	}
	model_json_number(o, "points", (double)on);
	model_json_number(o, "servers", (double)t->n);
}

/* -- the picture ------------------------------------------------------------------------------- */

static void mark_point(struct chart_scatter *s, const struct frontier_point *p, const char *text)
{
	if (!p || (p->now && s->n_marks))
		return;
	for (size_t i = 0; i < s->n_marks; i++)
		if (s->mark[i].x == p->time.s && s->mark[i].y == p->cost)
			return;
	s->mark[s->n_marks++] = (struct chart_scatter_mark){text, p->time.s, p->cost, false};
}

static void add_frontier_picture(cJSON *o, const struct time_cost *t)
{
	struct chart_scatter_dot dot[POINTS_MAX], joined[POINTS_MAX];
	struct chart_scatter s = {.unit_x = UNIT_SECONDS,
	                          .unit_y = UNIT_MONEY,
	                          .currency = t->k->currency,
	                          .dot = dot,
	                          .joined = joined};

	for (size_t i = 0; i < t->n; i++) {
		const struct frontier_point *p = &t->v[i];
		struct chart_scatter_dot at = {p->time.s, p->cost, 1, p->now};
		if (p->on)
			joined[s.n_joined++] = at;
		if (!p->on || p->now)
			dot[s.n++] = at;
	}
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].now)
			mark_point(&s, &t->v[i], "this server");
	mark_point(&s, t->picks.cheapest, point_name(t->picks.cheapest));
	mark_point(&s, t->picks.fastest, point_name(t->picks.fastest));
	if (t->picks.within)
		mark_point(&s, t->picks.within, point_name(t->picks.within));
	chart_scatter_add(o, &s);
}

/* -- all of it --------------------------------------------------------------------------------- */

static void add_time_cost_notes(cJSON *o, const struct time_cost *t, const struct model_input *in)
{
	struct buf b = {.max = 1024};
	size_t unknown = 0;

	for (size_t i = 0; i < t->n; i++)
		unknown += !t->v[i].now && t->v[i].score == FRONTIER_SCORE_UNKNOWN;
	if (unknown && unknown == t->n - (t->k->present_known ? 1 : 0))
		buf_str(&b, "No speeds of cores are known here and there: all are taken to be "
		            "equally fast. ");
	else if (unknown)
		buf_printf(&b,
		           "Of %zu servers no speed is known: their cores are taken to be as fast "
		           "as here. ",
		           unknown);
	if (in->advice->gpu > 0)
		buf_str(&b, "GPUs are taken to be as fast as here. ");
	buf_str(&b, t->k->sized_why);
	model_json_take_cut(o, "notes", &b, MODEL_JSON_TEXT_MAX);
}

void model_time_cost_add(cJSON *prices, const struct model_input *in)
{
	struct time_cost *t = alloc_failed_note(calloc(1, sizeof *t));
	cJSON *o = model_json_object_if(t && make_points(t, in), prices, "time_cost");

	if (o) {
		add_frontier_sentence(o, t);
		add_time_cost_notes(o, t, in);
		add_frontier(o, t);
		add_frontier_picture(o, t);
	}
	free(t);
}
