/* model_prices: the model's "prices", their "time_cost" and "time_at": time and money elsewhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "core/numbers/stats.h"
#include "report/advice/recommend.h"
#include "report/chart/chart_scatter.h"
#include "report/model/model_sections.h"
#include "report/prices/frontier.h"
#include "report/prices/keeper_file.h"
#include "report/prices/keeper_records.h"
#include "report/prices/offer.h"
#include "report/prices/speed.h"
#include "report/prices/start_command.h"
#include "report/runs/parts.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

/* -- how long it would take with other CPUs ---------------------------------------------------- */

/* Pixels of the picture: on the right and above there is room for times, below for CPUs. */
#define PLOT_W 246
#define PLOT_H 84
#define EDGE   4
#define TOP    18
#define FOOT   18
#define APART  26 /* numbers of CPUs; closer ones cannot both be read */
#define ABOVE  6  /* from a dot up to its time */
#define MIDDLE 4  /* from the middle of a line of text down to its baseline */
#define LINE_H 14 /* of a line of text */
#define TIME_W 80 /* of a time, at most */

static double per_run(const struct cpu_rule *c, double s)
{
	return s / (double)(c->runs ? c->runs : 1);
}

static struct time_at_range rule_range(const struct cpu_rule *c, double cpus)
{
	struct time_at_range t = time_at_free_cpus(&c->sums, cpus);

	return (struct time_at_range){per_run(c, t.s), per_run(c, t.least), per_run(c, t.most)};
}

static const char *rule_mark(const struct cpu_rule *c, double cpus)
{
	if (cpus == c->cpus)
		return cpus == c->asked ? "as asked, proposed" : "proposed";
	return cpus == c->asked ? "as asked" : "";
}

static void add_rule_row(cJSON *rows, const struct cpu_rule *c, double cpus)
{
	struct time_at_range t = rule_range(c, cpus);
	char least[64], most[64], text[64];
	cJSON *row = model_json_row(rows);

	units_text(UNIT_SECONDS, t.least, NULL, least);
	units_text(UNIT_SECONDS, t.most, NULL, most);
	units_text(UNIT_SECONDS, t.s, NULL, text);
	model_json_number(row, "cpus", cpus);
	model_json_quantity(row, "time", UNIT_SECONDS, t.s);
	model_json_number(row, "least_s", t.least);
	model_json_number(row, "most_s", t.most);
	if (strcmp(least, most) != 0)
		model_json_printf(row, "range", "%s to %s", least, most);
	else
		cJSON_AddNullToObject(row, "range");
	model_json_number(row, "core_hours", stats_digits(cpus * t.s / QUANTITY_HOUR_S, 3));
	cJSON_AddBoolToObject(row, "many", cpus != 1);
	cJSON_AddBoolToObject(row, "marked", *rule_mark(c, cpus) != '\0');
	cJSON_AddStringToObject(row, "mark", rule_mark(c, cpus));
}

/* Numbers of CPUs that are powers of two apart are equally far apart. */
static double picture_x(double cpus, double most)
{
	return stats_round(EDGE + PLOT_W * (most > 1 ? log2(cpus) / log2(most) : 0.5), 0);
}

static double picture_y(double s, double most_s)
{
	return stats_round(TOP + PLOT_H - PLOT_H * s / most_s, 0);
}

/* The line of estimates, and the band from the most, forwards, to the least, backwards. */
static void add_rule_lines(cJSON *svg, const struct cpu_rule *c, const double *cpus, size_t n,
                           double top)
{
	struct buf line = {0}, band = {0};

	for (size_t i = 0; i < n; i++) {
		struct time_at_range t = rule_range(c, cpus[i]);
		double x = picture_x(cpus[i], cpus[n - 1]);
		buf_printf(&line, "%s%g,%g", i ? " " : "", x, picture_y(t.s, top));
		buf_printf(&band, "%s%g,%g", i ? " " : "", x, picture_y(t.most, top));
	}
	for (size_t i = n; i-- > 0;)
		buf_printf(&band, " %g,%g", picture_x(cpus[i], cpus[n - 1]),
		           picture_y(rule_range(c, cpus[i]).least, top));
	model_json_take(svg, "line", &line);
	model_json_take(svg, "band", &band);
}

/* Dots of the CPUs asked for and proposed, from the right, each with its time: above it, and above
 * that of the next one; beside it where the plot ends. */
static void add_rule_dots(cJSON *svg, const struct cpu_rule *c, const double *cpus, size_t n,
                          double top)
{
	cJSON *marks = cJSON_AddArrayToObject(svg, "marks");
	double next_x = INFINITY, next_label = 0;

	for (size_t i = n; i-- > 0;) {
		double s = rule_range(c, cpus[i]).s, x = picture_x(cpus[i], cpus[n - 1]);
		double y = picture_y(s, top), label = y - ABOVE;
		cJSON *mark;
		if (!*rule_mark(c, cpus[i]))
			continue;
		if (i == n - 1)
			label = y + MIDDLE;
		else if (next_x - x < TIME_W)
			label = fmin(label, next_label - LINE_H);
		next_x = x;
		next_label = label;
		mark = model_json_row(marks);
		model_json_number(mark, "x", x);
		model_json_number(mark, "y", y);
		model_json_number(mark, "text_x", i == n - 1 ? x + ABOVE : x);
		model_json_number(mark, "text_y", label);
		cJSON_AddStringToObject(mark, "text", UNITS_SECONDS(s));
	}
}

/* Below the plot; those of the dots come first. */
static void add_rule_ticks(cJSON *svg, const struct cpu_rule *c, const double *cpus, size_t n)
{
	cJSON *ticks = cJSON_AddArrayToObject(svg, "ticks");
	double taken[CPU_RULE_ROWS];
	size_t used = 0;

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n; i++) {
			double x = picture_x(cpus[i], cpus[n - 1]);
			bool free = (*rule_mark(c, cpus[i]) == '\0') == (pass == 1);
			cJSON *tick;
			for (size_t k = 0; k < used; k++)
				free = free && fabs(taken[k] - x) >= APART;
			if (!free)
				continue;
			taken[used++] = x;
			tick = model_json_row(ticks);
			model_json_number(tick, "x", x);
			model_json_number(tick, "cpus", cpus[i]);
		}
}

static void add_rule_picture(cJSON *o, const struct cpu_rule *c, const double *cpus, size_t n)
{
	double top = rule_range(c, cpus[0]).most;
	cJSON *svg = model_json_object_if(n > 1, o, "svg");

	if (!svg)
		return;
	model_json_number(svg, "height", TOP + PLOT_H + FOOT);
	model_json_number(svg, "bottom", TOP + PLOT_H);
	model_json_number(svg, "right", EDGE + PLOT_W);
	model_json_number(svg, "foot", TOP + PLOT_H + FOOT - EDGE);
	add_rule_lines(svg, c, cpus, n, top);
	add_rule_dots(svg, c, cpus, n, top);
	add_rule_ticks(svg, c, cpus, n);
}

static void add_time_at_section(cJSON *model, const struct model_input *in)
{
	const struct cpu_rule *c = &in->advice->by_time;
	cJSON *o = model_json_object_if(c->known, model, "time_at"), *rows;
	double cpus[CPU_RULE_ROWS];
	struct buf text = {0};
	char formula[352];
	size_t n;

	if (!o)
		return;
	n = cpu_rule_list(c, cpus);
	cJSON_AddBoolToObject(o, "shown", cpu_rule_is_worth(c));
	model_json_number(o, "asked", c->asked);
	model_json_number(o, "proposed", c->cpus);
	model_json_number(o, "slowdown", c->slowdown);
	model_json_number(o, "widest", stats_digits(time_at_widest(&c->sums), 3));
	model_json_number(o, "runs", (double)c->runs);
	cpu_rule_sentence(c, &text);
	model_json_take(o, "text", &text);
	cpu_rule_formula(c, formula, sizeof formula);
	cJSON_AddStringToObject(o, "formula", formula);
	rows = cJSON_AddArrayToObject(o, "rows");
	for (size_t i = 0; i < n; i++)
		add_rule_row(rows, c, cpus[i]);
	add_rule_picture(o, c, cpus, n);
}

/* -- time and cost of servers ------------------------------------------------------------------ */

#define POINTS_MAX (KEEPER_SIZED_MAX + 1) /* with this server */
#define ROWS_MAX   10                     /* of the table */

struct time_cost {
	const struct keeper_result *k;
	struct recommend_job of;
	struct frontier_point now, v[POINTS_MAX];
	size_t n;
	struct frontier_picks picks;
};

/* -- time and cost: points --------------------------------------------------------------------- */

/* The run's own server at the same price is what was measured there. */
static bool is_here(const struct time_cost *t, const struct keeper_server *s)
{
	return offer_is(s, &t->of.here) && s->price_hour >= t->of.here.price_hour;
}

/* Without points where nothing is known of servers of other sizes. */
static void make_points(struct time_cost *t, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	const struct run *run = &in->runs->v[0];
	bool known = k->present_known;

	t->k = k;
	recommend_job(in->runs, k, &t->of);
	if (!k->n_sized || !t->of.job.time)
		return;
	frontier_point_now(&t->of.job, &t->of.here, run->duration, &t->now);
	if (known)
		t->v[t->n++] = t->now;
	for (size_t i = 0; i < k->n_sized; i++)
		if (!known || !is_here(t, &k->sized[i]))
			frontier_point(&t->of.job, &k->sized[i], &t->v[t->n++]);
	t->n = frontier_sort(t->v, t->n);
	t->picks = frontier_picks(t->v, t->n, &t->now);
}

/* -- time and cost: words ---------------------------------------------------------------------- */

static const char *point_name(const struct frontier_point *p)
{
	return p->now ? "this server" : offer_server(p->server);
}

/* "$0.041 ($0.029 to $0.057)" */
static void say_with_range(enum unit unit, const struct time_at_range *t, const char *currency,
                           struct buf *out)
{
	char text[64], range[UNITS_RANGE_SIZE];

	units_text(unit, t->s, currency, text);
	units_range(unit, t->least, t->most, currency, range);
	buf_printf(out, *range ? "%s (%s)" : "%s", text, range);
}

static void say_point_cost(const struct time_cost *t, const struct frontier_point *p,
                           struct buf *out)
{
	say_with_range(UNIT_MONEY, &p->cost, t->k->currency, out);
}

/* Among frontier_picks.as_fast. */
static const char *as_fast_words(const struct time_cost *t, const struct frontier_point *p)
{
	return frontier_about_as_fast(p, &t->now) ? "about as fast as now" : "as fast as now";
}

/* "The cheapest run: m7g.large, $0.041 ($0.029 to $0.057), 1 h 52 min (1 h 20 min to 2 h 37 min);
 * about as fast as now for $0.063 ($0.045 to $0.088): c7a.xlarge." */
static void add_frontier_sentence(cJSON *o, const struct time_cost *t)
{
	const struct frontier_point *cheapest = t->picks.cheapest, *fast = t->picks.as_fast;
	struct buf b = {.max = 1024};

	buf_printf(&b, "The cheapest run: %s, ", point_name(cheapest));
	say_point_cost(t, cheapest, &b);
	buf_str(&b, ", ");
	say_with_range(UNIT_SECONDS, &cheapest->time, NULL, &b);
	if (cheapest->now)
		buf_str(&b, "; none of the others costs less");
	else if (fast == cheapest)
		buf_printf(&b, ", %s",
		           frontier_about_as_fast(fast, &t->now) ? "about as fast as now"
		                                                 : "as fast as now or faster");
	else if (!fast)
		buf_str(&b, "; none is as fast as now");
	else if (fast->now)
		buf_str(&b, "; none that is as fast as now costs less than this server");
	else {
		buf_printf(&b, "; %s for ", as_fast_words(t, fast));
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
	             {t->picks.as_fast, t->picks.as_fast ? as_fast_words(t, t->picks.as_fast) : ""},
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
	double idle = frontier_idle_s(&t->of.job);
	double on_cpu = (p->time.s - idle) * p->speed.times;
	struct buf b = {.max = 512};

	if (p->measured) {
		buf_printf(&b, "measured: the median of %zu run%s there is %s; × ", p->measured,
		           p->measured > 1 ? "s" : "", UNITS_SECONDS(p->time.s));
		goto price;
	}
	if (idle >= 0.5)
		buf_printf(&b, "%s waiting + ", UNITS_SECONDS(idle));
	buf_printf(&b, "%s on %s", UNITS_SECONDS(on_cpu), UNITS_CPUS(p->server->vcpus));
	if (p->speed.by != SPEED_UNKNOWN) {
		buf_printf(&b, " / %.3g, the speed of a core there (", p->speed.times);
		speed_words(&t->of.job.measure, p->speed.by, &b);
	} else
		buf_str(&b, " (a score is unknown: a core there is taken to be as fast");
	buf_printf(&b, "; ÷ and × %g) = %s; × ", p->speed.range, UNITS_SECONDS(p->time.s));
price:
	buf_str(&b, UNITS_MONEY(UNIT_MONEY_HOUR, p->server->price_hour, t->k->currency));
	if (t->of.job.nodes > 1)
		buf_printf(&b, " × %.0f nodes", t->of.job.nodes);
	buf_printf(&b, " = %s", UNITS_MONEY(UNIT_MONEY, p->cost.s, t->k->currency));
	model_json_take(row, "formula", &b);
}

/* -- time and cost: the table ------------------------------------------------------------------ */

static void add_point(cJSON *rows, const struct time_cost *t, const struct frontier_point *p)
{
	const struct keeper_server *s = p->server;
	cJSON *row = model_json_row(rows);
	char url[OFFER_URL_MAX], label[300], range[UNITS_RANGE_SIZE];
	struct buf score = {.max = 128};

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
	model_json_quantity(row, "memory", UNIT_BYTES, s->memory_mib * QUANTITY_MIB);
	model_json_quantity(row, "time", UNIT_SECONDS, p->time.s);
	model_json_number(row, "least", p->time.least);
	model_json_number(row, "most", p->time.most);
	units_range(UNIT_SECONDS, p->time.least, p->time.most, NULL, range);
	cJSON_AddStringToObject(row, "range", range);
	model_json_money(row, "cost", UNIT_MONEY, p->cost.s, t->k->currency);
	model_json_number(row, "cost_least", stats_round(p->cost.least, 6));
	model_json_number(row, "cost_most", stats_round(p->cost.most, 6));
	units_range(UNIT_MONEY, p->cost.least, p->cost.most, t->k->currency, range);
	cJSON_AddStringToObject(row, "cost_range", range);
	model_json_number(row, "measured", (double)p->measured);
	if (s->start_s > 0)
		model_json_quantity(row, "start", UNIT_SECONDS, s->start_s);
	else
		cJSON_AddNullToObject(row, "start");
	model_json_money(row, "alone", UNIT_MONEY, p->alone, t->k->currency);
	model_json_money(row, "price_hour", UNIT_MONEY_HOUR, s->price_hour, t->k->currency);
	model_json_number(row, "speed",
	                  p->speed.by == SPEED_UNKNOWN ? (double)NAN : p->speed.times);
	speed_words(&t->of.job.measure, p->now ? SPEED_UNKNOWN : p->speed.by, &score);
	model_json_take(row, "score", &score);
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

/* The frontier, of which a long one is thinned, and the servers that runs were on. */
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
		if (turn || p->measured || is_pick(t, p))
			add_point(rows, t, p);
	}
	model_json_number(o, "points", (double)on);
	model_json_number(o, "servers", (double)t->n);
}

/* -- time and cost: the picture ---------------------------------------------------------------- */

static void mark_point(struct chart_scatter *s, const struct frontier_point *p, const char *text)
{
	if (!p || (p->now && s->n_marks))
		return;
	for (size_t i = 0; i < s->n_marks; i++)
		if (s->mark[i].x == p->time.s && s->mark[i].y == p->cost.s)
			return;
	s->mark[s->n_marks++] = (struct chart_scatter_mark){text, p->time.s, p->cost.s, false};
}

static void add_frontier_picture(cJSON *o, const struct time_cost *t)
{
	struct chart_scatter_dot dot[POINTS_MAX], joined[POINTS_MAX];
	struct chart_scatter_range range[POINTS_MAX + 1];
	struct chart_scatter s = {.unit_x = UNIT_SECONDS,
	                          .unit_y = UNIT_MONEY,
	                          .ratios = true,
	                          .currency = t->k->currency,
	                          .dot = dot,
	                          .joined = joined,
	                          .range = range};
	char cheapest[300];

	for (size_t i = 0; i < t->n; i++) {
		const struct frontier_point *p = &t->v[i];
		struct chart_scatter_dot at = {p->time.s, p->cost.s, 1, p->now};
		range[s.n_joined] = (struct chart_scatter_range){p->time.least, p->time.most};
		if (p->on)
			joined[s.n_joined++] = at;
		if (!p->on || p->now)
			dot[s.n++] = at;
	}
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].now)
			mark_point(&s, &t->v[i], "this server");
	snprintf(cheapest, sizeof cheapest, "cheapest: %s", point_name(t->picks.cheapest));
	mark_point(&s, t->picks.cheapest, cheapest);
	chart_scatter_add(o, &s);
}

/* -- time and cost: all of it ------------------------------------------------------------------ */

/* Which scores were compared. */
static void add_score_note(const struct time_cost *t, const size_t by[SPEED_MEASURE + 1],
                           struct buf *out)
{
	if (by[SPEED_MEASURE]) {
		buf_str(out, "Speeds of cores are from the scores of ");
		speed_words(&t->of.job.measure, SPEED_MEASURE, out);
		buf_str(out, ". ");
	}
	if (by[SPEED_STRESS_NG])
		buf_printf(out,
		           "%s known only from stress-ng's score, which says little: these times "
		           "may be %g times as long, or as short. ",
		           by[SPEED_MEASURE] ? "Of some servers speeds are" : "Speeds of cores are",
		           SPEED_RANGE_UNKNOWN);
}

static void add_time_cost_notes(cJSON *o, const struct time_cost *t, const struct model_input *in)
{
	struct buf b = {.max = 1024};
	size_t by[SPEED_MEASURE + 1] = {0}, unknown;

	for (size_t i = 0; i < t->n; i++)
		if (!t->v[i].measured)
			by[t->v[i].speed.by]++;
	add_score_note(t, by, &b);
	unknown = by[SPEED_UNKNOWN];
	if (unknown && !by[SPEED_MEASURE] && !by[SPEED_STRESS_NG])
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

/* "$0.0075 to $0.0097", in "9 min to 12 min", on "Hetzner ccx.4". */
static void add_cheapest_run(cJSON *o, const struct time_cost *t)
{
	const struct frontier_point *p = t->picks.cheapest;
	const struct keeper_server *s = p->server;
	cJSON *one = cJSON_AddObjectToObject(o, "cheapest");
	struct buf place = {.max = 512};
	char range[UNITS_RANGE_SIZE];

	buf_printf(&place, "%s %s", offer_vendor_short(s), offer_server(s));
	if (*s->region)
		buf_printf(&place, " in %s", s->region);
	model_json_take_cut(one, "place", &place, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(one, "now", p->now);
	model_json_number(one, "measured", (double)p->measured);
	model_json_money(one, "cost", UNIT_MONEY, p->cost.s, t->k->currency);
	model_json_number(one, "cost_least", stats_round(p->cost.least, 6));
	model_json_number(one, "cost_most", stats_round(p->cost.most, 6));
	units_range(UNIT_MONEY, p->cost.least, p->cost.most, t->k->currency, range);
	cJSON_AddStringToObject(one, "cost_range", range);
	model_json_quantity(one, "time", UNIT_SECONDS, p->time.s);
	units_range(UNIT_SECONDS, p->time.least, p->time.most, NULL, range);
	cJSON_AddStringToObject(one, "range", range);
}

static void add_time_cost_section(cJSON *prices, const struct model_input *in,
                                  const struct time_cost *t)
{
	cJSON *o = model_json_object_if(t->picks.cheapest != NULL, prices, "time_cost");

	if (!o)
		return;
	add_frontier_sentence(o, t);
	add_cheapest_run(o, t);
	add_time_cost_notes(o, t, in);
	add_frontier(o, t);
	add_frontier_picture(o, t);
}

/* -- how to start a server that is proposed ---------------------------------------------------- */

/* "On demand in us-east-1, zone use1-az1: $0.17 an hour, a price of 2026-07-01." */
static void say_place(const struct keeper_result *k, const struct keeper_server *s, struct buf *out)
{
	buf_str(out, k->spot ? "Spot" : "On demand");
	if (*s->region)
		buf_printf(out, " in %s", s->region);
	if (*s->zone)
		buf_printf(out, ", zone %s", s->zone);
	buf_printf(out, ": %s", UNITS_MONEY(UNIT_MONEY_HOUR, s->price_hour, k->currency));
	if (*s->price_day)
		buf_printf(out, ", a price of %s", s->price_day);
	buf_str(out, *s->region ? ". " : ", in a region that is not known. ");
}

static void say_run_there(const struct keeper_result *k, const struct frontier_point *p,
                          struct buf *out)
{
	if (!(p->time.s > 0) || !isfinite(p->time.s))
		return;
	buf_str(out, p->measured ? "Runs there took " : "The run would take ");
	say_with_range(UNIT_SECONDS, &p->time, NULL, out);
	buf_str(out, " and cost ");
	say_with_range(UNIT_MONEY, &p->cost, k->currency, out);
	if (p->server->start_s > 0)
		buf_printf(out, "; a fresh server takes %s to start",
		           UNITS_SECONDS(p->server->start_s));
	buf_char(out, '.');
}

static void add_proposed_server(cJSON *rows, const struct time_cost *t,
                                const struct keeper_server *s, const char *is)
{
	cJSON *row = model_json_row(rows);
	struct buf text = {.max = 1024}, line = {.max = 1024};
	struct frontier_point p;

	frontier_point(&t->of.job, s, &p);
	cJSON_AddStringToObject(row, "is", is);
	model_json_cut(row, "vendor", s->vendor_id, MODEL_JSON_TEXT_MAX);
	model_json_cut(row, "vendor_short", offer_vendor_short(s), MODEL_JSON_TEXT_MAX);
	model_json_cut(row, "server", offer_server(s), MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(row, "api_reference", s->api_reference, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(row, "region", s->region, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(row, "zone", s->zone, MODEL_JSON_TEXT_MAX);
	cJSON_AddStringToObject(row, "allocation", t->k->spot ? "spot" : "ondemand");
	model_json_money(row, "price_hour", UNIT_MONEY_HOUR, s->price_hour, t->k->currency);
	model_json_cut_or_null(row, "price_day", s->price_day, MODEL_JSON_TEXT_MAX);
	model_json_quantity(row, "time", UNIT_SECONDS, p.time.s);
	model_json_number(row, "least", p.time.least);
	model_json_number(row, "most", p.time.most);
	model_json_money(row, "cost", UNIT_MONEY, p.cost.s, t->k->currency);
	model_json_number(row, "cost_least", stats_round(p.cost.least, 6));
	model_json_number(row, "cost_most", stats_round(p.cost.most, 6));
	model_json_number(row, "measured", (double)p.measured);
	say_place(t->k, s, &text);
	say_run_there(t->k, &p, &text);
	model_json_take_cut(row, "text", &text, MODEL_JSON_TEXT_MAX);
	start_command_add(s, t->k->spot, &line);
	model_json_cut_or_null(row, "command", buf_cstr(&line), MODEL_JSON_TEXT_MAX);
	buf_free(&line);
}

/* The servers of the cheapest run, unless that is this one, and of the lowest price per hour. */
static void add_proposals(cJSON *prices, const struct time_cost *t)
{
	cJSON *rows = cJSON_AddArrayToObject(prices, "proposed");
	const struct frontier_point *run = t->picks.cheapest;
	const struct keeper_server *hour = &t->k->server[0];
	bool same = run && t->k->known && offer_is(run->server, hour);

	if (run && !run->now)
		add_proposed_server(rows, t, run->server,
		                    same ? "cheapest, lowest price per hour" : "cheapest");
	if (t->k->known && !(same && !run->now))
		add_proposed_server(rows, t, hour, "lowest price per hour");
}

/* -- prices ------------------------------------------------------------------------------------ */

/* The costs are calculated from these. */
struct offers {
	const struct keeper_result *k;
	double duration, runs_per_month; /* NAN: unknown */
	double nodes;                    /* each of them is paid for */
	const struct frontier_job *job;
};

/* -- prices: costs of one server --------------------------------------------------------------- */

/* Marks the billing terms that the service does not have. */
static const char *assumed(const struct cost_billing *b)
{
	if (b->min_assumed)
		return b->increment_assumed ? " (assumed)" : " (minimum assumed)";
	return b->increment_assumed ? " (steps assumed)" : "";
}

/* "at least 1 min, by the second", "in steps of 1 h". */
static void add_billing(cJSON *one, const struct keeper_server *s)
{
	struct cost_billing b = offer_billing(s);
	char least[UNITS_SIZE + 16] = "", step[UNITS_SIZE + 16] = "by the second";

	if (b.min_s > b.increment_s)
		snprintf(least, sizeof least, "at least %s, ", UNITS_SECONDS(b.min_s));
	if (b.increment_s > 1)
		snprintf(step, sizeof step, "in steps of %s", UNITS_SECONDS(b.increment_s));
	model_json_printf(one, "billing", "%s%s%s", least, step, assumed(&b));
}

static void add_month(cJSON *one, const char *key, double run, const struct offers *o)
{
	if (isnan(o->runs_per_month))
		cJSON_AddNullToObject(one, key);
	else
		model_json_money(one, key, UNIT_MONEY, run * o->runs_per_month, o->k->currency);
}

/* spot: price_hour is a spot price, so the costs are costs of a spot server. */
static void add_server_costs(cJSON *one, const struct keeper_server *s, bool spot,
                             const struct offers *o)
{
	const char *currency = o->k->currency;
	double run = o->nodes * cost_run(s->price_hour, o->duration);
	double fresh = o->nodes * offer_alone(s, s->price_hour, o->duration);

	cJSON_AddBoolToObject(one, "spot", spot);
	model_json_money(one, "price_hour", UNIT_MONEY_HOUR, s->price_hour, currency);
	model_json_money(one, "price_ondemand", UNIT_MONEY_HOUR, s->price_ondemand, currency);
	model_json_money(one, "price_spot", UNIT_MONEY_HOUR, s->price_spot, currency);
	model_json_money(one, "price_month", UNIT_MONEY, s->price_month, currency);
	model_json_money(one, "run_cost", UNIT_MONEY, run, currency);
	model_json_money(one, "alone", UNIT_MONEY, fresh, currency);
	add_billing(one, s);
	add_month(one, "run_cost_month", run, o);
	add_month(one, "alone_month", fresh, o);
	model_json_quantity(one, "score", UNIT_COUNT, s->score);
}

static void add_estimate(cJSON *one, const struct keeper_server *s, const struct offers *o)
{
	struct frontier_point p;
	struct buf score = {.max = 128};
	cJSON *estimate;
	char range[UNITS_RANGE_SIZE];

	frontier_point(o->job, s, &p);
	estimate = model_json_object_if(p.time.s > 0 && isfinite(p.time.s), one, "estimate");
	if (!estimate)
		return;
	model_json_quantity(estimate, "duration", UNIT_SECONDS, p.time.s);
	model_json_number(estimate, "least", p.time.least);
	model_json_number(estimate, "most", p.time.most);
	units_range(UNIT_SECONDS, p.time.least, p.time.most, NULL, range);
	cJSON_AddStringToObject(estimate, "range", range);
	model_json_money(estimate, "run_cost", UNIT_MONEY, p.cost.s, o->k->currency);
	units_range(UNIT_MONEY, p.cost.least, p.cost.most, o->k->currency, range);
	cJSON_AddStringToObject(estimate, "cost_range", range);
	model_json_money(estimate, "alone", UNIT_MONEY, p.alone, o->k->currency);
	add_month(estimate, "run_cost_month", p.cost.s, o);
	add_month(estimate, "alone_month", p.alone, o);
	model_json_number(estimate, "measured", (double)p.measured);
	speed_words(&o->job->measure, p.speed.by, &score);
	model_json_take(estimate, "score", &score);
}

/* By what other programs and the vendor's API know the server. */
static void add_server_ids(cJSON *one, const struct keeper_server *s)
{
	char url[OFFER_URL_MAX];

	model_json_cut(one, "vendor", s->vendor_id, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(one, "server_id", s->server_id, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(one, "api_reference", s->api_reference, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(one, "url", offer_url(s, url), MODEL_JSON_TEXT_MAX);
}

static void add_record(cJSON *one, const struct keeper_server *s,
                       const struct keeper_records *records)
{
	cJSON *record = keeper_records_get(records, s->record);

	cJSON_AddItemToObject(one, "record", record ? record : cJSON_CreateNull());
}

static void add_offer_row(cJSON *servers, const struct keeper_server *s, size_t rank,
                          const struct offers *o)
{
	cJSON *one = model_json_row(servers);
	char label[300];

	snprintf(label, sizeof label, "%s %s", offer_vendor(s), offer_server(s));
	cJSON_AddNumberToObject(one, "rank", (double)rank);
	cJSON_AddBoolToObject(one, "best", rank == 1);
	add_server_ids(one, s);
	model_json_cut(one, "vendor_name", offer_vendor(s), MODEL_JSON_TEXT_MAX);
	model_json_cut(one, "vendor_short", offer_vendor_short(s), MODEL_JSON_TEXT_MAX);
	model_json_cut(one, "server", offer_server(s), MODEL_JSON_TEXT_MAX);
	model_json_cut(one, "label", label, MODEL_JSON_TEXT_MAX);
	model_json_quantity(one, "cpus", UNIT_COUNT, s->vcpus);
	model_json_quantity(one, "memory", UNIT_BYTES, s->memory_mib * QUANTITY_MIB);
	model_json_quantity(one, "gpus", UNIT_COUNT, s->gpu_count);
	model_json_cut_or_null(one, "arch", s->arch, MODEL_JSON_NAME_MAX);
	add_server_costs(one, s, o->k->spot, o);
	add_estimate(one, s, o);
	if (o->k->records)
		add_record(one, s, o->k->records);
}

static void add_present_server(cJSON *prices, const struct offers *o)
{
	const struct keeper_server *s = &o->k->present;
	cJSON *present;
	char label[300];

	model_json_cut(prices, "present_why", o->k->present_why, MODEL_JSON_TEXT_MAX);
	present = model_json_object_if(o->k->present_known, prices, "present");
	if (!present)
		return;
	snprintf(label, sizeof label, "%s %s", s->vendor_id, offer_server(s));
	model_json_cut(present, "label", label, MODEL_JSON_TEXT_MAX);
	add_server_ids(present, s);
	model_json_cut(present, "vendor_short", offer_vendor_short(s), MODEL_JSON_TEXT_MAX);
	model_json_quantity(present, "cpus", UNIT_COUNT, s->vcpus);
	model_json_quantity(present, "memory", UNIT_BYTES, s->memory_mib * QUANTITY_MIB);
	add_server_costs(present, s, false, o);
	model_json_cut(present, "where", o->k->present_where, MODEL_JSON_TEXT_MAX);
}

/* -- prices: savings --------------------------------------------------------------------------- */

/* "Saves $0.0013 (75%) ", then end; null if either cost is unknown. */
static void add_saved(cJSON *prices, const char *key, double present, double recommended,
                      const struct offer_pair *pair, const char *currency, const char *end)
{
	struct cost_savings s = cost_saved(present, recommended);
	cJSON *savings = model_json_object_if(s.known, prices, key);

	if (!savings)
		return;
	model_json_number(savings, "percent", s.percent);
	model_json_number(savings, "amount", s.amount);
	model_json_printf(savings, "text", "%s %s (%s) %s%s", s.extra ? "Extra cost of" : "Saves",
	                  UNITS_MONEY(UNIT_MONEY, fabs(s.amount), currency),
	                  UNITS_PERCENT(fabs(s.percent)), end, pair->end);
	cJSON_AddBoolToObject(savings, "extra", s.extra);
	cJSON_AddBoolToObject(savings, "spot", pair->spot);
}

static void add_savings(cJSON *prices, const struct offers *o)
{
	const struct keeper_server *here = &o->k->present, *there = &o->k->server[0];
	struct offer_pair pair = offer_pair(o->k);
	double now = o->nodes * cost_run(pair.here, o->duration);
	struct keeper_server at_price = *there;
	struct frontier_point p;
	char range[UNITS_RANGE_SIZE], end[320];

	cJSON_AddStringToObject(prices, "savings_why", pair.why);
	add_saved(prices, "savings", now, o->nodes * cost_run(pair.there, o->duration), &pair,
	          o->k->currency, "for a run that takes as long there");
	add_saved(prices, "savings_alone", o->nodes * offer_alone(here, pair.here, o->duration),
	          o->nodes * offer_alone(there, pair.there, o->duration), &pair, o->k->currency,
	          "for one that takes as long, alone on a fresh server");
	at_price.price_hour = pair.there;
	frontier_point(o->job, &at_price, &p);
	units_range(UNIT_SECONDS, p.time.least, p.time.most, NULL, range);
	snprintf(end, sizeof end, "for a run, if it takes %s there (%s%s)", UNITS_SECONDS(p.time.s),
	         p.measured ? "measured" : "predicted: ", p.measured ? "" : range);
	if (!p.measured && p.speed.by == SPEED_UNKNOWN)
		p.cost.s = NAN;
	add_saved(prices, "savings_estimate", now, p.cost.s, &pair, o->k->currency, end);
}

/* -- prices: all of them ----------------------------------------------------------------------- */

/* Flags for the template, which omits columns that would be empty. */
static void add_offer_columns(cJSON *prices, const struct keeper_result *k)
{
	bool spot = false, ondemand = false, month = false, gpus = false;

	for (size_t i = 0; i < k->n; i++) {
		spot |= !k->spot && k->server[i].price_spot > 0;
		ondemand |= k->spot && k->server[i].price_ondemand > 0;
		month |= k->server[i].price_month > 0;
		gpus |= k->server[i].gpu_count > 0;
	}
	cJSON_AddBoolToObject(prices, "spot", k->spot);
	cJSON_AddBoolToObject(prices, "has_spot", spot);
	cJSON_AddBoolToObject(prices, "has_ondemand", ondemand);
	cJSON_AddBoolToObject(prices, "has_month", month);
	cJSON_AddBoolToObject(prices, "has_gpus", gpus);
}

static void add_offers(cJSON *prices, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	struct offers o = {.k = k,
	                   .duration = in->runs->v[0].duration,
	                   .nodes = (double)parts_all_nodes(&in->runs->v[0]),
	                   .runs_per_month =
	                       in->runs_per_month > 0 ? (double)in->runs_per_month : (double)NAN};
	struct recommend_job *of = alloc_failed_note(calloc(1, sizeof *of));
	cJSON *servers;

	if (!of)
		return;
	recommend_job(in->runs, k, of);
	o.job = &of->job;

	model_json_number(prices, "runs_per_month", o.runs_per_month);
	add_offer_columns(prices, k);
	add_present_server(prices, &o);
	servers = cJSON_AddArrayToObject(prices, "servers");
	for (size_t i = 0; i < k->n; i++)
		add_offer_row(servers, &k->server[i], i + 1, &o);
	add_savings(prices, &o);
	free(of);
}

/* -- prices: the whole section ----------------------------------------------------------------- */

/* "Prices are from a file of 2026-10-01 (--keeper-file), 45 days old: save a new one." */
static void add_file_note(cJSON *prices, const struct keeper_result *k, double now)
{
	double days = floor((now - k->file_at) / QUANTITY_DAY_S);
	struct buf b = {.max = 256};
	char at[UNITS_SIZE];

	if (k->file_at > 0)
		buf_printf(&b, "Prices are from a file of %.10s (--keeper-file)",
		           units_time_iso(k->file_at, at));
	if (k->file_at > 0 && days * QUANTITY_DAY_S >= KEEPER_FILE_OLD_S)
		buf_printf(&b, ", %.0f days old: save a new one with --keeper-save", days);
	if (b.len)
		buf_char(&b, '.');
	model_json_take_cut(prices, "from_file", &b, MODEL_JSON_TEXT_MAX);
}

/* The age of expired prices, relative to the report's own time, so that the same cache always gives
 * the same bytes. */
static void add_age(cJSON *prices, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double age = fmax(in->now - k->retrieved_at, 0);
	char sentence[640] = "";

	if (!*k->age_why) {
		cJSON_AddNullToObject(prices, "age");
	} else {
		model_json_quantity(prices, "age", UNIT_SECONDS, age);
		snprintf(sentence, sizeof sentence, "These prices are %s old, from the cache: %s.",
		         UNITS_SECONDS(age), k->age_why);
	}
	model_json_cut(prices, "age_why", sentence, MODEL_JSON_TEXT_MAX);
	add_file_note(prices, k, in->now);
	snprintf(sentence, sizeof sentence, "Prices are not cached: %s.", k->cache_why);
	model_json_cut(prices, "cache_why", *k->cache_why ? sentence : "", MODEL_JSON_TEXT_MAX);
}

static void add_prices_section(cJSON *model, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	cJSON *prices = cJSON_AddObjectToObject(model, "prices");
	struct time_cost *t = alloc_failed_note(calloc(1, sizeof *t));
	char attribution[160] = "";

	if (k->known || k->present_known)
		keeper_attribution(k->retrieved_at, attribution);
	cJSON_AddBoolToObject(prices, "known", k->known);
	model_json_cut(prices, "why", k->why, MODEL_JSON_TEXT_MAX);
	model_json_cut(prices, "currency", k->currency, MODEL_JSON_TEXT_MAX);
	model_json_cut(prices, "asked", k->asked, MODEL_JSON_TEXT_MAX);
	/* If no server is known, "why" already includes filters_why. */
	model_json_cut(prices, "filters_why", k->known ? k->filters_why : "", MODEL_JSON_TEXT_MAX);
	add_age(prices, in);
	add_offers(prices, in);
	if (t) {
		make_points(t, in);
		add_time_cost_section(prices, in, t);
		add_proposals(prices, t);
	}
	free(t);
	cJSON_AddStringToObject(prices, "attribution", attribution);
}

void model_prices_add(cJSON *model, const struct model_input *in)
{
	add_time_at_section(model, in);
	add_prices_section(model, in);
}
