/* ci_model_make: everything that the page of rtrack-fleet ci shows, as one JSON tree. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/ci/ci_choose.h"
#include "fleet/ci/ci_model.h"
#include "fleet/groups/fleet_model_words.h"
#include "report/render/output_formats.h"
#include "report/units/model_json.h"

#define DAY_TEXT 10 /* bytes of 2026-11-01 */

/* -- what it is of ----------------------------------------------------------------------------- */

static void add_days_covered(cJSON *model, const struct ci *c)
{
	cJSON *period = cJSON_AddObjectToObject(model, "period");
	bool known = isfinite(c->first) && isfinite(c->last);
	char from[UNITS_SIZE], to[UNITS_SIZE];

	cJSON_AddBoolToObject(period, "known", known);
	cJSON_AddBoolToObject(period, "monthly", isfinite(c->period_s));
	model_json_time(period, "first", c->first);
	model_json_time(period, "last", c->last);
	model_json_number(period, "days", c->period_s / 86400);
	if (!known)
		cJSON_AddStringToObject(period, "text", "no runs");
	else
		model_json_printf(period, "text", "%.*s to %.*s", DAY_TEXT,
		                  units_time_iso(c->first, from), DAY_TEXT,
		                  units_time_iso(c->last, to));
}

/* -- the verdict ------------------------------------------------------------------------------- */

struct sums {
	double runs, usd, saved, minutes; /* of the jobs whose cost is known */
	size_t by_group[CI_GROUPS], unknown;
};

/* Only what may be done without a test counts as saved. */
static struct sums add_up(const struct ci *c)
{
	struct sums s = {.runs = 0};

	for (size_t i = 0; i < c->n; i++) {
		const struct ci_job *j = &c->v[i];
		s.by_group[j->group]++;
		s.runs += (double)j->n;
		if (isnan(j->before.usd)) {
			s.unknown++;
			continue;
		}
		s.usd += j->before.usd;
		s.minutes += j->before.minutes;
		if (j->group < CI_TEST_FIRST)
			s.saved += j->before.usd - j->offer.after.usd;
	}
	return s;
}

static void say(cJSON *verdict, const char *id, const char *level, struct buf *text)
{
	cJSON *row = model_json_row(verdict);

	cJSON_AddStringToObject(row, "id", id);
	cJSON_AddStringToObject(row, "level", level);
	model_json_take_cut(row, "text", text, MODEL_JSON_TEXT_MAX);
}

static const char *plural(double n)
{
	return n == 1 ? "" : "s";
}

static void say_what(const struct ci *c, const struct sums *s, cJSON *verdict)
{
	struct buf text = {0};

	buf_printf(&text, "%s run%s of %s job%s", UNITS_COUNT(s->runs), plural(s->runs),
	           UNITS_COUNT((double)c->n), plural((double)c->n));
	if (c->n > s->unknown && isfinite(c->period_s))
		buf_printf(&text, ", %s billed minutes and %s a month",
		           UNITS_COUNT(round(ci_monthly(c, s->minutes))),
		           UNITS_MONEY(UNIT_MONEY, ci_monthly(c, s->usd), NULL));
	if (s->unknown && s->unknown < c->n)
		buf_printf(&text, "; what %s of the jobs cost%s is unknown",
		           UNITS_COUNT((double)s->unknown), s->unknown == 1 ? "s" : "");
	buf_str(&text, ".");
	say(verdict, "runs", "info", &text);
}

static void say_how_many(const struct ci *c, const struct sums *s, cJSON *verdict)
{
	size_t changes =
	    s->by_group[CI_FAILS_LESS] + s->by_group[CI_SAVES_MONEY] + s->by_group[CI_SAVES_TIME];
	double month = ci_monthly(c, s->saved);
	struct buf text = {0};

	if (!changes) {
		buf_str(&text, "No job has a better runner in the table without a test.");
		say(verdict, "changes", "good", &text);
		return;
	}
	buf_printf(&text, "%s job%s should run on %s", UNITS_COUNT((double)changes),
	           plural((double)changes), changes == 1 ? "another runner" : "other runners");
	if (isfinite(month) && fabs(month) >= 0.005)
		buf_printf(&text, ", which %s %s a month", month > 0 ? "saves" : "costs",
		           UNITS_MONEY(UNIT_MONEY, fabs(month), NULL));
	buf_printf(&text, ": %zu would fail less, %zu cost less, %zu take less time.",
	           s->by_group[CI_FAILS_LESS], s->by_group[CI_SAVES_MONEY],
	           s->by_group[CI_SAVES_TIME]);
	say(verdict, "changes", s->by_group[CI_FAILS_LESS] ? "warn" : "info", &text);
}

static void say_missing(const struct ci *c, const struct ci_model_input *in, cJSON *verdict)
{
	struct buf text = {0};

	if (!c->n) {
		buf_str(&text, "There is no recording of a CI job: none has the label ci.job.");
		say(verdict, "none", "warn", &text);
	}
	if (c->n && isnan(c->period_s)) {
		buf_str(&text, "The runs cover less than a day: what they cost in a month is "
		               "unknown.");
		say(verdict, "period", "warn", &text);
	}
	if (c->cut) {
		buf_printf(&text, "Only the newest %s recordings were read.",
		           UNITS_COUNT((double)CI_ROWS_MAX));
		say(verdict, "cut", "warn", &text);
	}
	if (c->more_jobs) {
		buf_printf(&text, "%s recordings of jobs beyond the first %zu are left out.",
		           UNITS_COUNT((double)c->more_jobs), CI_JOBS_MAX);
		say(verdict, "more_jobs", "warn", &text);
	}
	if (c->unfinished) {
		buf_printf(&text,
		           "%s recording%s left out: without an end, or with numbers that cannot "
		           "be true.",
		           UNITS_COUNT((double)c->unfinished),
		           c->unfinished == 1 ? " is" : "s are");
		say(verdict, "unfinished", "info", &text);
	}
	if (in->all_failed) {
		buf_printf(&text, "%s file%s could not be read.",
		           UNITS_COUNT((double)in->all_failed), plural((double)in->all_failed));
		say(verdict, "unread", "warn", &text);
	}
}

/* -- prices ------------------------------------------------------------------------------------ */

static void add_price_row(cJSON *rows, const struct ci_runner *r)
{
	cJSON *row = model_json_row(rows);
	char day[UNITS_SIZE];

	model_json_cut(row, "provider", r->provider, CI_MODEL_NAME);
	model_json_cut(row, "label", r->label, CI_MODEL_NAME);
	model_json_number(row, "vcpus", r->vcpus);
	model_json_quantity(row, "memory", UNIT_BYTES, r->memory_b);
	model_json_cut(row, "arch", r->arch, CI_MODEL_NAME);
	model_json_number(row, "usd_minute", r->usd_minute);
	model_json_printf(row, "usd_text", "$%.4g", r->usd_minute);
	model_json_printf(row, "day", "%.*s", DAY_TEXT, units_time_iso(r->known, day));
	model_json_cut(row, "source", r->source, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(row, "link", strncmp(r->source, "https://", 8) == 0);
}

static bool has_provider(const struct ci *c, const char *provider)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->v[i].provider, provider) == 0)
			return true;
	return false;
}

/* Of the providers that the jobs are on, or of all where there are no jobs. */
static void add_price_table(cJSON *model, const struct ci *c, const struct ci_model_input *in)
{
	cJSON *prices = cJSON_AddObjectToObject(model, "prices");
	cJSON *rows = cJSON_AddArrayToObject(prices, "rows");
	double known = NAN;
	char day[UNITS_SIZE];
	struct buf text = {0};

	for (size_t i = 0; i < in->prices->n; i++) {
		const struct ci_runner *r = &in->prices->v[i];
		if (c->n && !has_provider(c, r->provider))
			continue;
		known = fmin(known, r->known);
		add_price_row(rows, r);
	}
	if (isnan(known))
		buf_str(&text, "The table of prices has none of these providers.");
	else
		buf_printf(&text,
		           "Prices as of %.*s%s%s, without taxes, discounts and the minutes "
		           "that a plan includes.",
		           DAY_TEXT, units_time_iso(known, day), in->prices_file ? ", from " : "",
		           in->prices_file ? in->prices_file : "");
	model_json_take_cut(prices, "text", &text, MODEL_JSON_TEXT_MAX);
	model_json_time(prices, "known", known);
	cJSON_AddBoolToObject(prices, "old", in->now - known > CI_PRICES_OLD_S);
	if (in->now - known > CI_PRICES_OLD_S)
		cJSON_AddStringToObject(prices, "warning",
		                        "These prices are older than a year: check them, and give "
		                        "today's with --runner-prices.");
	else
		cJSON_AddNullToObject(prices, "warning");
}

/* -- the patch --------------------------------------------------------------------------------- */

static void add_plan_row(cJSON *rows, const struct ci_plan_item *item)
{
	cJSON *row = model_json_row(rows);
	const struct ci_job *j = item->job;

	model_json_cut(row, "workflow", *j->workflow ? j->workflow : "–", CI_MODEL_NAME);
	model_json_cut(row, "name", j->name, CI_MODEL_NAME);
	model_json_cut(row, "label", j->offer.runner->label, CI_MODEL_NAME);
	model_json_cut(row, "file", item->file ? item->file->path : "", MODEL_JSON_NAME_MAX);
	model_json_number(row, "line", item->change.label ? (double)item->change.place.line : NAN);
	model_json_cut(row, "why", item->why.msg, MODEL_JSON_TEXT_MAX);
}

static void add_plan(cJSON *model, const struct ci_plan *plan)
{
	cJSON *patch = model_json_object_if(plan != NULL, model, "patch");
	cJSON *changed, *by_hand;

	if (!patch)
		return;
	changed = cJSON_AddArrayToObject(patch, "changed");
	by_hand = cJSON_AddArrayToObject(patch, "by_hand");
	for (size_t i = 0; i < plan->n; i++)
		add_plan_row(plan->v[i].change.label ? changed : by_hand, &plan->v[i]);
	cJSON_AddBoolToObject(patch, "has_by_hand", cJSON_GetArraySize(by_hand) > 0);
	if (plan->n)
		model_json_printf(patch, "summary", "It changes the runner of %s of %s job%s.",
		                  UNITS_COUNT((double)plan->changed), UNITS_COUNT((double)plan->n),
		                  plural((double)plan->n));
	else
		cJSON_AddStringToObject(patch, "summary",
		                        "There is none: no job changes without a test.");
	cJSON_AddStringToObject(patch, "text", buf_cstr(&plan->patch));
}

static void add_method(cJSON *model, const struct ci_model_input *in)
{
	model_json_printf(
	    model, "method",
	    "The proposed runner is the cheapest of the table that holds the memory that the job "
	    "should ask for (a run that fails is worth %s runs) and 1 GiB for what runs beside it, "
	    "and with which the predicted p95 of the time is at most %s longer than today's. Each "
	    "run is predicted from its recording: the same CPU work on other numbers of CPUs, each "
	    "as fast as today's. Each run is billed as its provider does: GitHub rounds a job up "
	    "to whole minutes. Only what was recorded of a job is counted, so steps without "
	    "rtrack-collect come on top, before and after.",
	    UNITS_COUNT(in->lambda), UNITS_SHARE(in->slowdown));
}

cJSON *ci_model_make(const struct ci *c, const struct ci_model_input *in)
{
	cJSON *model = cJSON_CreateObject(), *verdict;
	struct sums s = add_up(c);

	if (!model)
		return NULL;
	model_json_head(model, CI_MODEL_FORMAT, in->integration, in->now,
	                in->title ? in->title : "CI runners");
	add_days_covered(model, c);
	model_json_cut(model, "source", in->source ? in->source : "", MODEL_JSON_TEXT_MAX);
	fleet_model_words_filters(model, in->where, in->since, in->until);
	model_json_number(model, "runs", s.runs);
	model_json_number(model, "jobs", (double)c->n);
	model_json_number(model, "usd_month", c->n > s.unknown ? ci_monthly(c, s.usd) : NAN);
	model_json_number(model, "saved_month", c->n > s.unknown ? ci_monthly(c, s.saved) : NAN);
	verdict = cJSON_AddArrayToObject(model, "verdict");
	if (c->n) {
		say_what(c, &s, verdict);
		say_how_many(c, &s, verdict);
	}
	say_missing(c, in, verdict);
	ci_model_jobs_add(model, c);
	add_price_table(model, c, in);
	add_plan(model, in->plan);
	add_method(model, in);
	if (alloc_failed()) {
		cJSON_Delete(model);
		return NULL;
	}
	return model;
}
