/* ci_model_jobs: a row for each job, in its group, and the same as a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fleet/ci/ci_choose.h"
#include "fleet/ci/ci_model.h"
#include "fleet/groups/fleet_model_words.h"
#include "report/units/model_json.h"

#define BAR  90    /* units of the drawing: what today's cost is wide */
#define SAME 0.005 /* times that differ by less */

static const struct {
	const char *id, *label, *text;
} groups[CI_GROUPS] = {
    [CI_FAILS_LESS] = {"fails_less", "Would fail less",
                       "Runs were killed because memory ran out; the proposed runner has more."},
    [CI_SAVES_MONEY] = {"saves_money", "Saves money",
                        "The cheapest runner that is large enough, and not much slower."},
    [CI_SAVES_TIME] = {"saves_time", "Saves time",
                       "A faster runner, on which the job costs no more than today."},
    [CI_TEST_FIRST] = {"test_first", "Test first",
                       "Too little is known of these jobs, or they would change to another "
                       "architecture or to a container."},
    [CI_KEEP] = {"keep", "Stays as it is", "Nothing in the table is better."},
};

/* -- words ------------------------------------------------------------------------------------- */

static void add_quantity(cJSON *row, const char *key, enum unit u, double v)
{
	if (isnan(v))
		model_json_as_text(row, key, u, v, "unknown");
	else
		model_json_money(row, key, u, v, NULL);
}

/* Four digits are enough for a rate, "$0.006". */
static void say_rate(double usd, struct buf *out)
{
	if (usd > 0)
		buf_printf(out, "$%.4g a minute", usd);
	else
		buf_str(out, "free");
}

static void say_machine(double vcpus, double memory_b, struct buf *out)
{
	if (isnan(vcpus))
		buf_str(out, "unknown CPUs");
	else
		buf_str(out, UNITS_CPUS(vcpus));
	buf_printf(out, ", %s",
	           isnan(memory_b) ? "unknown memory" : UNITS_TEXT(UNIT_BYTES, memory_b));
}

static void describe_runner(cJSON *row, const char *key, const struct ci_runner *r,
                            const struct ci_job *j)
{
	cJSON *o = cJSON_AddObjectToObject(row, key);
	struct buf text = {0};

	cJSON_AddBoolToObject(o, "known", r != NULL);
	model_json_cut(o, "label", r ? r->label : "unknown", CI_MODEL_NAME);
	if (r)
		say_machine(r->vcpus, r->memory_b, &text);
	else
		say_machine(j->vcpus, j->memory_b, &text);
	if (r && strcmp(r->arch, "x64") != 0)
		buf_printf(&text, ", %s", r->arch);
	if (r) {
		buf_str(&text, ", ");
		say_rate(r->usd_minute, &text);
	}
	model_json_take_cut(o, "text", &text, CI_MODEL_NAME);
	cJSON_AddBoolToObject(o, "larger", r && r->kind == CI_LARGER);
}

/* -- what the change does ---------------------------------------------------------------------- */

static const char *today_label(const struct ci_job *j)
{
	return j->today ? j->today->label : "today's runner";
}

static void say_money(const struct ci *c, double before, double after, struct buf *out)
{
	double month = ci_monthly(c, after - before);

	if (isnan(before) || isnan(after) || isnan(month))
		return;
	if (fabs(month) < 0.005)
		buf_str(out, ", at the same cost");
	else
		buf_printf(out, ", %s a month %s", UNITS_MONEY(UNIT_MONEY, fabs(month), NULL),
		           month < 0 ? "less" : "more");
}

static void say_change_of_time(double before, double after, struct buf *out)
{
	if (fabs(after - before) < SAME * before)
		buf_printf(out, "as fast (p95 %s)", CI_MODEL_SECONDS(before));
	else
		buf_printf(out, "p95 %s instead of %s", CI_MODEL_SECONDS(after),
		           CI_MODEL_SECONDS(before));
}

static void say_offer(const struct ci *c, const struct ci_job *j, const struct ci_offer *o,
                      struct buf *out)
{
	buf_printf(out, "%s instead of %s: ", o->runner->label, today_label(j));
	say_change_of_time(j->before.p95_s, o->after.p95_s, out);
	say_money(c, j->before.usd, o->after.usd, out);
}

static void add_offer(cJSON *row, const char *key, const struct ci *c, const struct ci_job *j,
                      const struct ci_offer *o)
{
	bool shown = o->runner && o->runner != j->today && o->runner != j->offer.runner;
	cJSON *one = model_json_object_if(shown, row, key);
	struct buf text = {0};

	if (!one)
		return;
	say_offer(c, j, o, &text);
	model_json_take_cut(one, "text", &text, MODEL_JSON_TEXT_MAX);
	model_json_cut(one, "label", o->runner->label, CI_MODEL_NAME);
	add_quantity(one, "p95", UNIT_SECONDS, o->after.p95_s);
	add_quantity(one, "usd", UNIT_MONEY, ci_monthly(c, o->after.usd));
}

static void say_need(const struct ci_job *j, struct buf *out)
{
	if (isnan(j->memory.ask_b)) {
		buf_str(out, "How much memory it needs is unknown");
		return;
	}
	buf_printf(out, "It needs %s and 1 GiB for what runs beside it",
	           UNITS_TEXT(UNIT_BYTES, j->memory.ask_b));
	if (j->killed > 0)
		buf_printf(out, "; %s of %zu runs %s killed because memory ran out",
		           UNITS_COUNT(j->killed), j->n, j->killed == 1 ? "was" : "were");
	if (j->offer.runner && j->offer.tried > 0)
		buf_printf(out, "; %s of %s runs would have had too little",
		           UNITS_COUNT(j->offer.fails), UNITS_COUNT(j->offer.tried));
}

/* What keeps a proposal from being sure. */
static void say_doubts(const struct ci_job *j, struct buf *out)
{
	if (!j->today)
		buf_str(out,
		        j->several
		            ? " Several runners of the table, with other prices, fit its machine: "
		              "record it with --tag runner=LABEL."
		            : " Its runner is not in the table of prices: --runner-prices.");
	if (!j->offer.runner)
		buf_str(out, j->finished > 0 ? " No runner of the table holds it in that time."
		                             : " No run of it has finished.");
	if (j->safer)
		buf_printf(out, " Its runner has less than that; the cheapest that has it is %s.",
		           j->safer->label);
	if (j->finished < FLEET_RUNS_FEW && j->finished > 0)
		buf_printf(out, " Only %s finished.", j->finished == 1 ? "one run" : "a few runs");
	if (!j->times_known)
		buf_str(out, " How long it takes with other CPUs is unknown.");
	if (j->others)
		buf_printf(out, " %s older run%s on another machine do%s not count.",
		           UNITS_COUNT((double)j->others), j->others == 1 ? "" : "s",
		           j->others == 1 ? "es" : "");
	if (!*j->arch)
		buf_str(out, " Its architecture was not recorded: x64 is assumed.");
	if (j->offer.runner && j->offer.runner != j->today && j->offer.runner->kind == CI_LARGER)
		buf_str(out, " An organisation sets up its larger runners, and names them: use "
		             "your name for it.");
}

static void add_jobs_steps(cJSON *row, const struct ci_job *j)
{
	cJSON *steps = cJSON_AddArrayToObject(row, "steps");

	for (size_t i = 0; i < j->n_steps && j->n_steps > 1; i++) {
		cJSON *one = model_json_row(steps);
		model_json_cut(one, "name", j->step[i].name, CI_MODEL_NAME);
		add_quantity(one, "runs", UNIT_COUNT, j->step[i].runs);
		add_quantity(one, "p50", UNIT_SECONDS, j->step[i].p50_s);
		add_quantity(one, "memory", UNIT_BYTES, j->step[i].memory_b);
	}
	cJSON_AddBoolToObject(row, "has_steps", j->n_steps > 1);
}

/* -- a row ------------------------------------------------------------------------------------- */

static void add_job_names(cJSON *row, const struct ci_job *j)
{
	model_json_cut(row, "name", *j->name ? j->name : "unknown", CI_MODEL_NAME);
	model_json_cut(row, "workflow", *j->workflow ? j->workflow : "–", CI_MODEL_NAME);
	model_json_cut(row, "repository", j->repository, CI_MODEL_NAME);
	model_json_cut(row, "provider", j->provider, CI_MODEL_NAME);
}

static void add_before_after(cJSON *row, const struct ci *c, const struct ci_job *j)
{
	static const struct ci_figures none = {NAN, NAN, NAN, NAN, NAN};
	const struct ci_figures *a = j->offer.runner ? &j->offer.after : &none, *b = &j->before;
	double share = a->usd / b->usd;

	add_quantity(row, "p50_before", UNIT_SECONDS, b->p50_s);
	add_quantity(row, "p50_after", UNIT_SECONDS, a->p50_s);
	add_quantity(row, "p95_before", UNIT_SECONDS, b->p95_s);
	add_quantity(row, "p95_after", UNIT_SECONDS, a->p95_s);
	add_quantity(row, "minutes_before", UNIT_COUNT, ci_monthly(c, b->minutes));
	add_quantity(row, "minutes_after", UNIT_COUNT, ci_monthly(c, a->minutes));
	add_quantity(row, "usd_before", UNIT_MONEY, ci_monthly(c, b->usd));
	add_quantity(row, "usd_after", UNIT_MONEY, ci_monthly(c, a->usd));
	if (isfinite(share))
		cJSON_AddNumberToObject(row, "bar", round(BAR * fmin(share, 1)));
	else
		cJSON_AddNullToObject(row, "bar");
}

static void add_jobs_job(cJSON *rows, const struct ci *c, const struct ci_job *j)
{
	cJSON *row = model_json_row(rows);
	struct buf text = {0}, why = {0};
	bool changes = j->offer.runner && j->offer.runner != j->today;

	add_job_names(row, j);
	add_quantity(row, "runs", UNIT_COUNT, (double)j->n);
	add_quantity(row, "runs_month", UNIT_COUNT, ci_monthly(c, (double)j->n));
	describe_runner(row, "today", j->today, j);
	cJSON_AddBoolToObject(row, "changes", changes);
	if (j->offer.runner)
		describe_runner(row, "proposed", j->offer.runner, j);
	else
		cJSON_AddNullToObject(row, "proposed");
	add_before_after(row, c, j);
	model_json_cut(row, "confidence", fleet_model_confidence(j->confidence), CI_MODEL_NAME);
	cJSON_AddStringToObject(row, "level", j->confidence == FLEET_WEAK ? "warn" : "info");
	if (changes)
		say_offer(c, j, &j->offer, &text);
	model_json_take_cut(row, "text", &text, MODEL_JSON_TEXT_MAX);
	say_need(j, &why);
	buf_str(&why, ".");
	say_doubts(j, &why);
	model_json_take_cut(row, "why", &why, MODEL_JSON_TEXT_MAX);
	add_offer(row, "fastest", c, j, &j->fastest);
	add_offer(row, "other", c, j, &j->other);
	add_jobs_steps(row, j);
}

/* -- the table, for CSV ------------------------------------------------------------------------ */

static const char *const columns[] = {"group",
                                      "repository",
                                      "workflow",
                                      "job",
                                      "runs",
                                      "runs_month",
                                      "today",
                                      "proposed",
                                      "p50_before_s",
                                      "p50_after_s",
                                      "p95_before_s",
                                      "p95_after_s",
                                      "minutes_before_month",
                                      "minutes_after_month",
                                      "usd_before_month",
                                      "usd_after_month",
                                      "confidence"};

static void add_job_cell(cJSON *row, double v)
{
	cJSON_AddItemToArray(row, isfinite(v) ? cJSON_CreateNumber(v) : cJSON_CreateNull());
}

static void add_job_cells(cJSON *rows, const struct ci *c, const struct ci_job *j)
{
	static const struct ci_figures none = {NAN, NAN, NAN, NAN, NAN};
	const struct ci_figures *a = j->offer.runner ? &j->offer.after : &none, *b = &j->before;
	cJSON *row = cJSON_CreateArray();

	cJSON_AddItemToArray(rows, row);
	model_json_cut(row, NULL, groups[j->group].id, CI_MODEL_NAME);
	model_json_cut(row, NULL, j->repository, CI_MODEL_NAME);
	model_json_cut(row, NULL, j->workflow, CI_MODEL_NAME);
	model_json_cut(row, NULL, j->name, CI_MODEL_NAME);
	add_job_cell(row, (double)j->n);
	add_job_cell(row, ci_monthly(c, (double)j->n));
	model_json_cut(row, NULL, j->today ? j->today->label : "", CI_MODEL_NAME);
	model_json_cut(row, NULL, j->offer.runner ? j->offer.runner->label : "", CI_MODEL_NAME);
	add_job_cell(row, b->p50_s);
	add_job_cell(row, a->p50_s);
	add_job_cell(row, b->p95_s);
	add_job_cell(row, a->p95_s);
	add_job_cell(row, ci_monthly(c, b->minutes));
	add_job_cell(row, ci_monthly(c, a->minutes));
	add_job_cell(row, ci_monthly(c, b->usd));
	add_job_cell(row, ci_monthly(c, a->usd));
	model_json_cut(row, NULL, fleet_model_confidence(j->confidence), CI_MODEL_NAME);
}

static void add_job_table(cJSON *model, const struct ci *c)
{
	cJSON *table = cJSON_AddObjectToObject(model, "table");
	cJSON *heads = cJSON_AddArrayToObject(table, "columns");
	cJSON *rows = cJSON_AddArrayToObject(table, "rows");

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		cJSON_AddStringToObject(model_json_row(heads), "id", columns[i]);
	for (size_t i = 0; i < c->n; i++)
		add_job_cells(rows, c, &c->v[i]);
}

void ci_model_jobs_add(cJSON *model, const struct ci *c)
{
	cJSON *all = cJSON_AddArrayToObject(model, "groups"), *rows = NULL;
	size_t shown = c->n < CI_MODEL_ROWS ? c->n : CI_MODEL_ROWS;

	for (size_t i = 0; i < shown; i++) {
		enum ci_group group = c->v[i].group;
		if (!i || group != c->v[i - 1].group) {
			cJSON *one = model_json_row(all);
			cJSON_AddStringToObject(one, "id", groups[group].id);
			cJSON_AddStringToObject(one, "label", groups[group].label);
			cJSON_AddStringToObject(one, "text", groups[group].text);
			rows = cJSON_AddArrayToObject(one, "rows");
		}
		add_jobs_job(rows, c, &c->v[i]);
	}
	if (c->n > shown)
		model_json_printf(model, "more", "%s more jobs are in the CSV and in the JSON.",
		                  UNITS_COUNT((double)(c->n - shown)));
	add_job_table(model, c);
}
