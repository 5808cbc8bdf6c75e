/* model_advice: the model's "advice", and its "memory": what the ask for memory rests on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/quantity.h"
#include "report/advice/advice_notes.h"
#include "report/advice/confidence.h"
#include "report/advice/snippets.h"
#include "report/chart/chart_scatter.h"
#include "report/model/model_advice.h"
#include "report/model/model_sections.h"
#include "report/runs/parts.h"
#include "report/stats/asked.h"
#include "report/stats/fail_bound.h"
#include "report/units/model_json.h"
#include "report/verdict/verdict.h"

/* -- memory ------------------------------------------------------------------------------------ */

#define MARKS  6  /* asks in the table of prices */
#define POINTS 32 /* of a curve */
#define ROWS   50 /* of the table of runs */

/* A curve of costs ends where it has this times the least. */
#define COST_MOST 4

/* -- memory: sentences ------------------------------------------------------------------------- */

static void add_memory_sentence(cJSON *all, const char *id, const char *level, struct buf *text)
{
	cJSON *one = model_json_row(all);

	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "level", level);
	model_json_take_cut(one, "text", text, MODEL_JSON_TEXT_MAX);
}

/* "5.9 × the input + 14.0 MiB" */
static void say_memory_line(struct buf *text, const struct memory_advice *m)
{
	char name[64];

	memory_input_name(&m->input, name);
	buf_printf(text, "%.3g × %s %s %s", m->fit.b, name, m->fit.a < 0 ? "−" : "+",
	           UNITS_TEXT(UNIT_BYTES, fabs(m->fit.a)));
}

static void say_input(cJSON *all, const struct memory_advice *m)
{
	struct buf text = {0};

	buf_str(&text, "Memory is ");
	say_memory_line(&text, m);
	buf_printf(&text, ", from %.0f runs. For an input of %s, ask for %s.", m->fit.n,
	           UNITS_TEXT(UNIT_BYTES, m->input_b), UNITS_TEXT(UNIT_BYTES, m->ask_b));
	if (m->guess)
		buf_printf(&text, " This is a guess: the largest that was seen is %s%s.",
		           UNITS_TEXT(UNIT_BYTES, m->fit.most_x),
		           m->fit.bends
		               ? ", and runs with the largest all needed more than the line "
		                 "says, so more input may need much more"
		               : "");
	add_memory_sentence(all, "input", m->guess ? "warn" : "info", &text);
	if (!m->trial.runs)
		return;
	buf_str(&text, "Each predicted from the others, ");
	fail_bound_say(&text, (double)m->trial.failed, (double)m->trial.runs,
	               fail_bound((double)m->trial.failed, (double)m->trial.runs));
	buf_char(&text, '.');
	add_memory_sentence(all, "tested", m->trial.failed ? "warn" : "info", &text);
}

static void say_rule(cJSON *all, const struct memory_advice *m)
{
	const struct memory_rule *r = &m->rule;
	struct buf text = {0};

	if (r->killed_b > 0)
		return;
	if (r->recent_b > 0)
		buf_printf(&text,
		           "%s is at least a tenth more than the last %d runs needed: up to %s.",
		           UNITS_TEXT(UNIT_BYTES, m->ask_b), MEMORY_RULE_RECENT,
		           UNITS_TEXT(UNIT_BYTES, r->recent_b));
	else
		buf_printf(&text,
		           "%s costs least, if a run that fails is worth %g runs: %s of runs need "
		           "more, as estimated from %.0f of them.",
		           UNITS_TEXT(UNIT_BYTES, m->ask_b), r->lambda, UNITS_SHARE(r->chance),
		           r->runs);
	add_memory_sentence(all, "price", "info", &text);
}

static void say_lost(cJSON *all, const struct memory_advice *m)
{
	bool by_line = m->fit_lost && !isnan(m->input_b);
	struct buf text = {0};

	buf_printf(&text,
	           "%s would have wasted more on these runs than the largest peak × %.3g, and "
	           "failed no less often, so that is used instead.",
	           by_line ? "The line over the input" : "Weighing waste against failures",
	           MEMORY_RULE_HEADROOM);
	add_memory_sentence(all, "lost", "info", &text);
}

static void say_record(cJSON *all, const struct memory_advice *m)
{
	const struct memory_record *r = &m->record;
	size_t fitted = r->runs - r->failed;
	struct buf text = {0};

	if (r->runs < MEMORY_RULE_RUNS)
		return;
	buf_printf(&text, "Of %zu runs, each predicted from those before it, %zu would have fitted",
	           r->runs, fitted);
	if (fitted)
		buf_printf(&text, ", %s of %s unused on average",
		           UNITS_TEXT(UNIT_BYTES, r->unused_b / (double)fitted),
		           UNITS_TEXT(UNIT_BYTES, r->asked_b / (double)r->runs));
	if (!isnan(m->time_off))
		buf_printf(&text, "; the time was within %.0f%% for half of them",
		           fmax(1, ceil(m->time_off * 100)));
	buf_char(&text, '.');
	add_memory_sentence(all, "record", r->failed ? "warn" : "info", &text);
}

static void say_all(cJSON *memory, const struct model_input *in)
{
	const struct memory_advice *m = in->memory;
	cJSON *all = cJSON_AddArrayToObject(memory, "sentences");
	struct buf text = {0};

	if (m->by == MEMORY_BY_INPUT)
		say_input(all, m);
	else if (m->by == MEMORY_BY_RULE)
		say_rule(all, m);
	if (m->by == MEMORY_BY_PLAIN && (m->fit_lost || m->rule_lost))
		say_lost(all, m);
	say_record(all, m);
	if (in->advice->peak_mib && in->advice->peak_mib != in->advice->memory_mib) {
		buf_printf(&text, "By resource-tracker's rule it would be %ld MiB.",
		           in->advice->peak_mib);
		add_memory_sentence(all, "resource_tracker", "info", &text);
	}
}

/* -- memory: the price of safety --------------------------------------------------------------- */

struct prices {
	struct memory_value value[MEMORY_RULE_LAST]; /* needs; with this run's input, if by it */
	size_t n;
	struct memory_rule rule;
	struct {
		const char *label;
		double ask_b;
		bool drawn;
	} mark[MARKS];
	size_t n_marks;
};

static void add_mark(struct prices *p, const char *label, double ask_b, bool drawn)
{
	if (!(ask_b > 0))
		return;
	p->mark[p->n_marks].label = label;
	p->mark[p->n_marks].ask_b = ask_b;
	p->mark[p->n_marks++].drawn = drawn;
}

static void list_marks(struct prices *p, const struct model_input *in)
{
	static const struct {
		const char *label;
		double lambda;
	} risks[] = {{"--risk thrifty", MEMORY_RULE_THRIFTY},
	             {"--risk balanced", MEMORY_RULE_BALANCED},
	             {"--risk careful", MEMORY_RULE_CAREFUL}};
	const struct run *run = &in->runs->v[0];
	struct memory_situation now = in->memory->now;

	add_mark(p, "proposed", (double)in->advice->memory_mib * QUANTITY_MIB, true);
	add_mark(p, "today", asked_requested(run, ASKED_MEMORY) / (double)parts_nodes(run), true);
	add_mark(p, "resource-tracker", (double)in->advice->peak_mib * QUANTITY_MIB, true);
	for (size_t i = 0; in->memory->by == MEMORY_BY_RULE && i < sizeof risks / sizeof *risks;
	     i++) {
		struct memory_rule rule;
		now.lambda = risks[i].lambda;
		memory_rule_make(p->value, p->n, &now, &rule);
		add_mark(p, risks[i].label, rule.ask_b, false);
	}
}

static double chance_of(const struct prices *p, double ask_b)
{
	return memory_rule_chance(&p->rule, p->value, p->n, ask_b);
}

static double cost_of(const struct prices *p, double ask_b)
{
	return memory_rule_cost(&p->rule, ask_b, chance_of(p, ask_b));
}

static void draw_prices(cJSON *price, const struct prices *p)
{
	struct chart_scatter_point point[POINTS];
	struct chart_scatter_dot dot[MARKS];
	struct chart_scatter_curve curve = {.p = point, .dash = ""};
	struct chart_scatter s = {
	    .unit_x = UNIT_BYTES, .unit_y = UNIT_BYTES, .dot = dot, .curve = &curve, .n_curves = 1};
	double low = p->value[p->n / 2].b, high = p->rule.most_b * 1.5, least = INFINITY;

	for (size_t i = 0; i < p->n_marks; i++) {
		low = fmin(low, p->mark[i].ask_b);
		high = fmax(high, p->mark[i].ask_b);
		least = fmin(least, cost_of(p, p->mark[i].ask_b));
	}
	for (size_t i = 0; i < POINTS; i++) {
		double ask = low * pow(high * 1.05 / low, (double)i / (POINTS - 1));
		double cost = cost_of(p, ask);
		if (cost <= COST_MOST * least)
			point[curve.n++] = (struct chart_scatter_point){ask, cost};
	}
	for (size_t i = 0; i < p->n_marks; i++) {
		double ask = p->mark[i].ask_b, cost = cost_of(p, ask);
		if (!p->mark[i].drawn || cost > COST_MOST * least ||
		    (i > 0 && ask == p->mark[0].ask_b))
			continue;
		/* Nothing is below the least of the curve. */
		s.mark[s.n_marks++] =
		    (struct chart_scatter_mark){p->mark[i].label, ask, cost, i == 0};
		dot[s.n++] = (struct chart_scatter_dot){ask, cost, 1, i > 0};
	}
	chart_scatter_add(price, &s);
}

static void add_price_of_safety(cJSON *memory, const struct model_input *in)
{
	struct prices p = {.n_marks = 0};
	char killed[96] = "";
	cJSON *price, *rows;

	p.n = memory_advice_curve(in->memory, &p.rule, p.value);
	price = model_json_object_if(p.n >= MEMORY_RULE_RUNS, memory, "price");
	if (!price)
		return;
	list_marks(&p, in);
	cJSON_AddStringToObject(price, "heading", "The price of safety");
	model_json_printf(price, "summary",
	                  "What an ask (across) costs (up): its memory, and the chance that a run "
	                  "needs more × %g runs",
	                  p.rule.lambda);
	draw_prices(price, &p);
	model_json_printf(price, "answer", "%s of runs need more than %s",
	                  UNITS_SHARE(chance_of(&p, p.mark[0].ask_b)),
	                  UNITS_TEXT(UNIT_BYTES, p.mark[0].ask_b));
	rows = cJSON_AddArrayToObject(price, "rows");
	for (size_t i = 0; i < p.n_marks; i++) {
		cJSON *row = model_json_row(rows);
		double chance = chance_of(&p, p.mark[i].ask_b);
		cJSON_AddStringToObject(row, "label", p.mark[i].label);
		model_json_quantity(row, "ask", UNIT_BYTES, p.mark[i].ask_b);
		model_json_as_text(row, "chance", UNIT_PERCENT, chance * 100, UNITS_SHARE(chance));
		model_json_quantity(row, "cost", UNIT_BYTES, cost_of(&p, p.mark[i].ask_b));
	}
	if (p.rule.killed > 0)
		snprintf(killed, sizeof killed, "; and %.0f / (%.0f + 0.4) more, killed for memory",
		         p.rule.killed, p.rule.runs);
	model_json_printf(price, "formula",
	                  "cost = A + %g × P × (A + %s); from the largest need m = %s on P = "
	                  "0.7 / (%.0f + 0.4) × (A / m)^(−1 / %.3g), below it (runs above A + "
	                  "0.3) / (%.0f + 0.4)%s",
	                  p.rule.lambda, UNITS_TEXT(UNIT_BYTES, p.rule.against_b),
	                  UNITS_TEXT(UNIT_BYTES, p.rule.most_b), p.rule.runs, p.rule.tail,
	                  p.rule.runs, killed);
}

/* -- memory: memory over the input ------------------------------------------------------------- */

static void draw_input(cJSON *input, const struct memory_advice *m)
{
	struct chart_scatter_dot dot[MEMORY_RULE_LAST];
	struct chart_scatter_point line[2], bound[POINTS];
	double end = fmax(m->fit.most_x, m->guess ? 0 : m->input_b);
	struct chart_scatter_curve curve[] = {{line, 2, ""}, {bound, POINTS, "8 4"}};
	struct chart_scatter s = {
	    .unit_x = UNIT_BYTES, .unit_y = UNIT_BYTES, .dot = dot, .curve = curve, .n_curves = 2};

	for (size_t i = 0; i < m->n_points; i++)
		if (m->point[i].x > 0)
			dot[s.n++] = (struct chart_scatter_dot){m->point[i].x, m->point[i].y, 1,
			                                        m->point[i].more};
	for (size_t i = 0; i < POINTS; i++) {
		double x = m->fit.least_x + (end - m->fit.least_x) * (double)i / (POINTS - 1);
		bound[i] = (struct chart_scatter_point){x, memory_fit_ask(&m->fit, x)};
	}
	for (size_t i = 0; i < 2; i++) {
		double x = i ? end : m->fit.least_x;
		line[i] = (struct chart_scatter_point){x, fmax(0, m->fit.a + m->fit.b * x)};
	}
	s.mark[s.n_marks++] = (struct chart_scatter_mark){"ask", end, bound[POINTS - 1].y, false};
	chart_scatter_add(input, &s);
}

static void add_input(cJSON *memory, const struct memory_advice *m)
{
	cJSON *input = model_json_object_if(m->fit.usable, memory, "input"), *rows;
	struct buf text = {0};
	size_t left = ROWS;
	bool killed = false;

	if (!input)
		return;
	for (size_t i = 0; i < m->n_points; i++)
		killed = killed || (m->point[i].more && m->point[i].x > 0);
	cJSON_AddStringToObject(input, "heading", "Memory over the input");
	say_memory_line(&text, m);
	buf_printf(&text, ", from %.0f runs; dashed is the ask%s", m->fit.n,
	           killed ? ", a ring a run that was killed and needed more" : "");
	model_json_take_cut(input, "summary", &text, MODEL_JSON_TEXT_MAX);
	say_memory_line(&text, m);
	model_json_take_cut(input, "answer", &text, MODEL_JSON_TEXT_MAX);
	draw_input(input, m);
	rows = cJSON_AddArrayToObject(input, "rows");
	for (size_t i = m->n_points; i-- > 0 && left;) {
		cJSON *row;
		if (isnan(m->point[i].x))
			continue;
		row = model_json_row(rows);
		model_json_quantity(row, "input", UNIT_BYTES, m->point[i].x);
		model_json_quantity(row, "memory", UNIT_BYTES, m->point[i].y);
		model_json_quantity(row, "ask", UNIT_BYTES, memory_fit_ask(&m->fit, m->point[i].x));
		cJSON_AddBoolToObject(row, "killed", m->point[i].more);
		left--;
	}
	model_json_printf(input, "formula",
	                  "ask = 1.1 × (%s + %.6g × x + %s × √(1 + v)), v = 1 / %.0f + (x − %s)² / "
	                  "%.6g; at least %s%s; r² = %.3f",
	                  UNITS_TEXT(UNIT_BYTES, m->fit.a), m->fit.b,
	                  UNITS_TEXT(UNIT_BYTES, m->fit.bound), m->fit.n,
	                  UNITS_TEXT(UNIT_BYTES, m->fit.mean_x), m->fit.sxx,
	                  UNITS_TEXT(UNIT_BYTES, m->fit.least_y),
	                  ", within the range seen at most 1.2 times the largest", m->fit.r2);
}

static void add_memory_section(cJSON *advice, const struct model_input *in)
{
	const struct memory_advice *m = in->memory;
	bool known = m && m->by != MEMORY_BY_NOTHING && !m->rule.weak;
	cJSON *memory = model_json_object_if(known, advice, "memory");
	static const char *const by[] = {"", "plain", "rule", "input"};

	if (!memory)
		return;
	cJSON_AddStringToObject(memory, "by", by[m->by]);
	model_json_number(memory, "lambda", m->rule.lambda);
	model_json_quantity(memory, "for_input", UNIT_BYTES, m->input_b);
	say_all(memory, in);
	add_price_of_safety(memory, in);
	add_input(memory, m);
}

/* -- the advice -------------------------------------------------------------------------------- */

/* The amount that was asked for this time, of one node; NAN where nobody asked. */
static double asked_now(const struct run *run, enum asked_resource of)
{
	return asked_requested(run, of) / (of == ASKED_TIME ? 1 : (double)parts_nodes(run));
}

static cJSON *add_advice_item(cJSON *items, const char *id, const char *label, long value,
                              const char *unit, const char *formula)
{
	cJSON *item = model_json_row(items);
	bool known = advice_known(formula);
	char text[64];

	snprintf(text, sizeof text, "%ld %s", value, unit);
	cJSON_AddStringToObject(item, "id", id);
	cJSON_AddStringToObject(item, "label", label);
	model_json_number(item, "value", known ? (double)value : (double)NAN);
	cJSON_AddStringToObject(item, "text", known ? text : ADVICE_NOT_MEASURED);
	cJSON_AddStringToObject(item, "formula", formula);
	return item;
}

static void add_instead(cJSON *item, const struct run *run, enum asked_resource of)
{
	double amount = asked_now(run, of);
	char text[64];

	cJSON_AddStringToObject(item, "instead", isnan(amount) ? "" : asked_text(of, amount, text));
}

/* Without GPUs two zeros would only distract. */
static bool shows_gpus(const struct model_input *in)
{
	const struct advice *a = in->advice;

	return a->gpu || a->vram_mib || in->runs->v[0].snapshot.server.gpu_count > 0;
}

static void add_advice_items(cJSON *advice, const struct model_input *in)
{
	const struct advice *a = in->advice;
	const struct run *run = &in->runs->v[0];
	cJSON *items = cJSON_AddArrayToObject(advice, "items"), *one;
	double may_need;

	one = add_advice_item(items, "cpu", "CPUs", a->cpu, a->cpu == 1 ? "CPU" : "CPUs",
	                      a->cpu_formula);
	add_instead(one, run, ASKED_CPUS);
	one = add_advice_item(items, "memory", "Memory", a->memory_mib, "MiB", a->memory_formula);
	add_instead(one, run, ASKED_MEMORY);
	may_need = verdict_asked_may_need(run, a);
	if (isnan(may_need))
		cJSON_AddNullToObject(one, "may_need");
	else
		model_json_quantity(one, "may_need", UNIT_BYTES, may_need);
	if (shows_gpus(in)) {
		one = add_advice_item(items, "gpu", "GPUs", a->gpu, a->gpu == 1 ? "GPU" : "GPUs",
		                      a->gpu_formula);
		add_instead(one, run, ASKED_GPUS);
		one = add_advice_item(items, "vram", "GPU memory", a->vram_mib, "MiB",
		                      a->vram_formula);
		cJSON_AddStringToObject(one, "instead", "");
	}
	if (a->time_min) {
		one = add_advice_item(items, "time", "Time limit", a->time_min, "min",
		                      a->time_formula);
		add_instead(one, run, ASKED_TIME);
	}
}

void model_advice_snippets(cJSON *advice, const struct advice *a)
{
	struct snippet snippet[SNIPPETS_MAX];
	cJSON *snippets = cJSON_AddArrayToObject(advice, "snippets");
	size_t n = snippets_make(a, snippet, SNIPPETS_MAX);

	for (size_t i = 0; i < n; i++) {
		cJSON *one = model_json_row(snippets);
		cJSON_AddStringToObject(one, "id", snippet[i].id);
		cJSON_AddStringToObject(one, "label", snippet[i].label);
		cJSON_AddStringToObject(one, "text", snippet[i].text);
	}
}

/* The values of labels that name what ran the job, and the snippets for them: of a task in a
 * pipeline that is the engine, which asks the scheduler. */
static const struct {
	const char *key, *value, *snippet;
} runners[] = {
    {"workflow", "nextflow", "nextflow"},        {"workflow", "snakemake", "snakemake"},
    {"workflow", "metaflow", "metaflow"},        {"scheduler", "slurm", "slurm"},
    {"scheduler", "aws-batch", "aws_batch"},     {"scheduler", "kubernetes", "kubernetes"},
    {"ci.provider", "github-actions", "github"}, {"ci.provider", "gitlab", "gitlab"},
};

/* Marks the snippet for what ran this job, if that is known. */
static void mark_own_snippet(cJSON *snippets, const struct snapshot_pairs *labels)
{
	const char *own = "";
	cJSON *one;

	for (size_t k = 0; k < sizeof runners / sizeof *runners && !*own; k++)
		for (size_t i = 0; i < labels->n; i++)
			if (strcmp(labels->v[i].key, runners[k].key) == 0 &&
			    strcmp(labels->v[i].value, runners[k].value) == 0)
				own = runners[k].snippet;
	cJSON_ArrayForEach (one, snippets) {
		const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "id"));
		cJSON_AddBoolToObject(one, "own", id && strcmp(id, own) == 0);
	}
}

static void add_advice_notes(cJSON *advice, const struct model_input *in)
{
	struct advice_note note[ADVICE_NOTES_MAX];
	cJSON *notes = cJSON_AddArrayToObject(advice, "notes");
	size_t n = advice_notes_make(in->runs, in->advice, note);

	for (size_t i = 0; i < n; i++) {
		cJSON *one = model_json_row(notes);
		cJSON_AddStringToObject(one, "id", note[i].id);
		cJSON_AddStringToObject(one, "level", note[i].level);
		model_json_cut(one, "text", note[i].text, MODEL_JSON_TEXT_MAX);
	}
	cJSON_AddBoolToObject(advice, "has_notes", n > 0);
}

static void add_confidence(cJSON *advice, const struct runs *r)
{
	struct confidence_basis basis;
	struct confidence c;
	cJSON *one = cJSON_AddObjectToObject(advice, "confidence");

	confidence_basis_of(r, &basis);
	confidence_say(&basis, &c);
	cJSON_AddStringToObject(one, "word", c.word);
	cJSON_AddStringToObject(one, "level", c.level);
	model_json_cut(one, "text", c.text, MODEL_JSON_TEXT_MAX);
}

/* The advice by resource-tracker's own rules, from which the items may differ. */
static void add_resource_tracker(cJSON *advice, const struct advice *a)
{
	cJSON *o = cJSON_AddObjectToObject(advice, "resource_tracker");
	bool cpu = advice_known(a->cpu_formula), gpu = advice_known(a->gpu_formula);

	model_json_number(o, "cpu", cpu ? (double)a->cpu_mean : (double)NAN);
	model_json_number(o, "memory", a->peak_mib ? (double)a->peak_mib : (double)NAN);
	model_json_number(o, "gpu", gpu ? (double)a->gpu : (double)NAN);
	model_json_number(o, "vram",
	                  advice_known(a->vram_formula) ? (double)a->vram_mib : (double)NAN);
}

void model_advice_add(cJSON *model, const struct model_input *in)
{
	const struct advice *a = in->advice;
	cJSON *advice = cJSON_AddObjectToObject(model, "advice");

	cJSON_AddBoolToObject(advice, "known",
	                      advice_known(a->cpu_formula) || advice_known(a->memory_formula));
	cJSON_AddStringToObject(advice, "basis", in->basis);
	add_resource_tracker(advice, a);
	cJSON_AddNumberToObject(advice, "nodes", a->nodes > 1 ? (double)a->nodes : 1);
	add_advice_items(advice, in);
	model_advice_snippets(advice, a);
	mark_own_snippet(cJSON_GetObjectItemCaseSensitive(advice, "snippets"),
	                 &in->runs->v[0].snapshot.job.labels);
	add_advice_notes(advice, in);
	add_confidence(advice, in->runs);
	add_memory_section(advice, in);
}
