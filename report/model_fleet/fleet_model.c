/* fleet_model: everything that the fleet page shows, as one JSON tree. */
#include "report/model_fleet/fleet_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "report/model/model_gates.h"
#include "report/stats/fail_bound.h"
#include "report/units/model_json.h"

#define DAY 86400.0

/* -- words that several parts use -------------------------------------------------------------- */

void fleet_model_quantity(cJSON *parent, const char *key, enum unit u, double v,
                          const struct fleet_model_input *in)
{
	if (isfinite(v) || units_is_money(u))
		model_json_money(parent, key, u, v, in->currency);
	else
		model_json_as_text(parent, key, u, v, "unknown");
}

void fleet_model_name(const struct fleet *f, const struct fleet_group *g, struct buf *out)
{
	for (size_t i = 0; i < f->keys || !i; i++) {
		const char *key = g->key[i];
		buf_str(out, i ? " · " : "");
		/* A name of megabytes is cut later: nobody needs to copy it whole. */
		buf_add(out, key && *key ? key : "unknown",
		        key && *key ? strnlen(key, 2 * MODEL_JSON_NAME_MAX) : strlen("unknown"));
	}
}

const char *fleet_model_process(const struct fleet_group *g, const struct fleet_model_input *in)
{
	size_t n = in->group_by ? in->group_by->n : 0;

	for (size_t i = 0; i < n && i < CATALOG_KEYS; i++)
		if (strcmp(in->group_by->v[i], "name") == 0)
			return g->key[i] ? g->key[i] : "";
	return !n && g->key[0] ? g->key[0] : "";
}

static void add_part_of_ask(struct buf *out, const char *text)
{
	buf_printf(out, "%s%s", out->len ? ", " : "", text);
}

void fleet_model_ask_text(const struct fleet_ask *a, struct buf *out)
{
	char text[64];

	if (a->cpus > 0)
		add_part_of_ask(out, units_cpus(a->cpus, text));
	if (a->memory_b > 0)
		add_part_of_ask(out, units_text(UNIT_BYTES, a->memory_b, NULL, text));
	if (a->gpus > 0)
		add_part_of_ask(out, units_gpus(a->gpus, text));
	if (a->time_s > 0)
		add_part_of_ask(out, units_text(UNIT_SECONDS, a->time_s, NULL, text));
}

double fleet_model_ask(double v)
{
	return v > 0 ? v : NAN;
}

double fleet_model_used(double asked, const struct fleet_hours *h)
{
	return asked > 0 && h->asked > 0 ? asked * (h->used / h->asked) : NAN;
}

const char *fleet_model_confidence(enum fleet_confidence c)
{
	static const char *const words[] = {
	    [FLEET_WEAK] = "weak", [FLEET_FAIR] = "fair", [FLEET_GOOD] = "good"};

	return words[c];
}

void fleet_model_say_trial(const struct fleet_group *g, struct buf *out)
{
	double unknown = g->counted - g->tried;
	char count[UNITS_SIZE];

	if (g->tried > 0)
		fail_bound_say(out, g->would_fail, g->tried);
	if (unknown > 0)
		buf_printf(
		    out, "%s%s run%s killed for memory with less, and nobody knows how much %s",
		    g->tried > 0 ? "; " : "", units_count(unknown, count),
		    unknown == 1 ? " was" : "s were", unknown == 1 ? "it needs" : "they need");
}

void fleet_model_tried_text(const struct fleet_group *g, struct buf *out)
{
	char failed[UNITS_SIZE], tried[UNITS_SIZE];

	if (g->tried > 0)
		buf_printf(out, "%s of %s", units_count(g->would_fail, failed),
		           units_count(g->tried, tried));
	else
		buf_str(out, "unknown");
}

const char *fleet_model_share(double part, double of, char out[32])
{
	*out = '\0';
	return of > 0 && isfinite(part / of) ? units_share(part / of, out) : out;
}

bool fleet_model_has_money(const struct fleet *f)
{
	return isfinite(f->usage.money);
}

bool fleet_model_has_machine_hours(const struct fleet *f)
{
	return !fleet_model_has_money(f) && isfinite(f->usage.machine_h);
}

struct fleet_model_cost fleet_model_cost(const struct fleet *f, const struct fleet_usage *u)
{
	if (fleet_model_has_money(f))
		return (struct fleet_model_cost){UNIT_MONEY, u->money, u->recoverable};
	return (struct fleet_model_cost){UNIT_MACHINE_HOURS, u->machine_h,
	                                 u->machine_recoverable_h};
}

const char *fleet_model_hours_text(double v, char out[64])
{
	const char *unit = units_name(UNIT_MACHINE_HOURS);

	if (!isfinite(v))
		return "unknown";
	units_text(UNIT_MACHINE_HOURS, v, NULL, out);
	out[strlen(out) - strlen(unit) - 1] = '\0';
	return out;
}

double fleet_model_period_days(const struct fleet *f)
{
	return floor(f->last / DAY) - floor(f->first / DAY) + 1;
}

bool fleet_model_has_gpus(const struct fleet *f)
{
	return f->usage.gpus.asked > 0;
}

const char *fleet_model_date(double unix_s, enum fleet_date how, char out[64])
{
	static const char *const months[] = {"January",   "February", "March",    "April",
	                                     "May",       "June",     "July",     "August",
	                                     "September", "October",  "November", "December"};
	time_t t = (time_t)fmin(fmax(unix_s, 0), 253402300799.0);
	struct tm tm = {0};
	const char *month;
	int year;

	gmtime_r(&t, &tm);
	month = months[tm.tm_mon % 12];
	year = tm.tm_year + 1900;
	if (how == FLEET_DATE_OF_MONTH)
		snprintf(out, 64, "%d", tm.tm_mday);
	else if (how == FLEET_DATE_OF_YEAR)
		snprintf(out, 64, "%d %s", tm.tm_mday, month);
	else if (how == FLEET_DATE_SHORT)
		snprintf(out, 64, "%d %.3s", tm.tm_mday, month);
	else if (how == FLEET_DATE_MONTH)
		snprintf(out, 64, "%.3s %04d", month, year);
	else
		snprintf(out, 64, "%d %s %04d", tm.tm_mday, month, year);
	return out;
}

/* -- the head ---------------------------------------------------------------------------------- */

/* "1 to 30 November 2026, 30 days", as short as it is unambiguous. */
static void add_period_text(cJSON *period, double first, double last, double days)
{
	char from[64], to[64], other[64], count[UNITS_SIZE];
	bool same_month = strcmp(fleet_model_date(first, FLEET_DATE_MONTH, from),
	                         fleet_model_date(last, FLEET_DATE_MONTH, other)) == 0;
	bool same_year = strcmp(from + strlen(from) - 4, other + strlen(other) - 4) == 0;
	struct buf text = {0};

	fleet_model_date(last, FLEET_DATE_WHOLE, to);
	fleet_model_date(first,
	                 same_month  ? FLEET_DATE_OF_MONTH
	                 : same_year ? FLEET_DATE_OF_YEAR
	                             : FLEET_DATE_WHOLE,
	                 from);
	if (days > 1)
		buf_printf(&text, "%s to %s, %s days", from, to, units_count(days, count));
	else
		buf_str(&text, to);
	model_json_take(period, "text", &text);
}

static void add_period(cJSON *model, const struct fleet *f)
{
	cJSON *period = cJSON_AddObjectToObject(model, "period");
	bool known = isfinite(f->first) && isfinite(f->last);

	cJSON_AddBoolToObject(period, "known", known);
	if (!known) {
		cJSON_AddStringToObject(period, "text", f->runs > 0 ? "unknown time" : "no runs");
		return;
	}
	model_json_time(period, "first", f->first);
	model_json_time(period, "last", f->last);
	add_period_text(period, f->first, f->last, fleet_model_period_days(f));
}

static void add_filter(cJSON *filters, struct buf *all, const char *option, const char *value)
{
	struct buf text = {0};

	if (!value || !*value)
		return;
	buf_printf(&text, "%s%.*s", option, (int)MODEL_JSON_TEXT_MAX, value);
	model_json_cut(filters, NULL, buf_cstr(&text), MODEL_JSON_TEXT_MAX);
	buf_printf(all, "%s%s", all->len ? ", " : "", buf_cstr(&text));
	buf_free(&text);
}

static void add_filters(cJSON *model, const struct fleet_model_input *in)
{
	cJSON *filters = cJSON_AddArrayToObject(model, "filters");
	struct buf text = {0};

	for (size_t i = 0; in->where && i < in->where->n; i++)
		add_filter(filters, &text, "", in->where->v[i]);
	add_filter(filters, &text, "since ", in->since);
	add_filter(filters, &text, "until ", in->until);
	cJSON_AddBoolToObject(model, "has_filters", cJSON_GetArraySize(filters) > 0);
	model_json_cut(model, "filters_text", buf_cstr(&text), MODEL_JSON_TEXT_MAX);
	buf_free(&text);
}

/* "Job, user": the name of the job is the first word of the page's terms. */
static void add_group_by(cJSON *model, const struct fleet_model_input *in)
{
	cJSON *keys = cJSON_AddArrayToObject(model, "group_by");
	struct buf head = {0};
	size_t n = in->group_by ? in->group_by->n : 0;

	for (size_t i = 0; i < (n ? n : 1); i++) {
		const char *key = n ? in->group_by->v[i] : "name";
		model_json_cut(keys, NULL, key, MODEL_JSON_NAME_MAX);
		buf_printf(&head, "%s%.*s", i ? ", " : "", (int)MODEL_JSON_NAME_MAX,
		           strcmp(key, "name") == 0 ? "job" : key);
	}
	if (head.s && *head.s >= 'a' && *head.s <= 'z')
		*head.s = (char)(*head.s - 'a' + 'A');
	model_json_cut(model, "group_head", buf_cstr(&head), MODEL_JSON_NAME_MAX);
	buf_free(&head);
}

static void add_failed_inputs(cJSON *model, const struct fleet_model_input *in)
{
	cJSON *inputs = cJSON_AddArrayToObject(model, "inputs");
	size_t n = in->n_failed < FLEET_MODEL_INPUTS ? in->n_failed : FLEET_MODEL_INPUTS;
	size_t all = in->all_failed > n ? in->all_failed : n;
	struct buf more = {0};
	char count[UNITS_SIZE];

	for (size_t i = 0; i < n; i++) {
		cJSON *one = cJSON_CreateObject();
		model_json_cut(one, "error", in->failed[i].msg, MODEL_JSON_TEXT_MAX);
		cJSON_AddItemToArray(inputs, one);
	}
	if (all > n)
		buf_printf(&more, "%s more files could not be read.",
		           units_count((double)(all - n), count));
	model_json_take(model, "inputs_more", &more);
	cJSON_AddBoolToObject(model, "has_inputs_left_out", all > 0);
}

/* A gate is a test case; a fleet itself neither fails nor passes. */
static void add_gates_junit(cJSON *model, const struct fleet_model_input *in)
{
	static const struct gate_results none;
	const struct gate_results *g = in->gates ? in->gates : &none;
	cJSON *junit = cJSON_AddObjectToObject(model, "junit");

	cJSON_AddNumberToObject(junit, "tests", (double)g->n);
	cJSON_AddNumberToObject(junit, "failures", (double)g->count[GATE_HOLDS]);
	cJSON_AddNumberToObject(junit, "skipped", (double)g->count[GATE_NOT_JUDGED]);
}

cJSON *fleet_model(const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *model = cJSON_CreateObject();

	if (!model)
		return NULL;
	model_json_head(model, FLEET_MODEL_FORMAT, in->integration, in->now,
	                in->title ? in->title : "Fleet");
	add_period(model, f);
	model_json_cut(model, "source", in->source ? in->source : "", MODEL_JSON_TEXT_MAX);
	add_filters(model, in);
	add_group_by(model, in);
	cJSON_AddBoolToObject(model, "has_money", fleet_model_has_money(f));
	cJSON_AddBoolToObject(model, "has_machine_hours", fleet_model_has_machine_hours(f));
	model_json_cut(model, "money_basis", in->money_basis ? in->money_basis : "",
	               MODEL_JSON_TEXT_MAX);
	model_json_cut(model, "attribution", in->attribution ? in->attribution : "",
	               MODEL_JSON_TEXT_MAX);
	fleet_model_add_verdict(model, f, in);
	fleet_model_add_groups(model, f, in);
	fleet_model_add_days(model, f);
	fleet_model_add_left_out(model, f);
	model_gates_of(model, in->gates, "", "");
	fleet_model_add_openmetrics(model, f, in);
	add_gates_junit(model, in);
	add_failed_inputs(model, in);
	if (alloc_failed()) {
		cJSON_Delete(model);
		return NULL;
	}
	return model;
}
