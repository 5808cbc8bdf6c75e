/* fleet_model_words: quantities, words and sums that several parts of the model use. */
#include "fleet/groups/fleet_model_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/quantity.h"
#include "core/end/end_cause.h"
#include "fleet/groups/fleet_group.h"
#include "report/stats/fail_bound.h"
#include "report/units/model_json.h"

#define ENDS_SAID 3
#define LONGER    0.01

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

/* CATALOG_MIXED and none: STATES_GROUPS. */
static enum states_group most_runs(const struct fleet_group *g)
{
	int most = STATES_GROUPS;

	for (int i = 0; i < STATES_GROUPS; i++)
		if (g->mostly[i] > (most == STATES_GROUPS ? 0 : g->mostly[most]))
			most = i;
	return (enum states_group)most;
}

const char *fleet_model_mostly(const struct fleet_group *g)
{
	enum states_group most = most_runs(g);

	return most == STATES_GROUPS ? NULL : states_group_word(most);
}

void fleet_model_say_mostly(const struct fleet_group *g, struct buf *out)
{
	enum states_group most = most_runs(g);
	double all = 0;
	char runs[UNITS_SIZE], of[UNITS_SIZE];

	buf_clear(out);
	for (int i = 0; i < CATALOG_MOSTLY; i++)
		all += g->mostly[i];
	if (most == STATES_GROUPS)
		return;
	buf_str(out, states_group_word(most));
	if (g->mostly[most] < all)
		buf_printf(out, " (%s of %s)", units_count(g->mostly[most], runs),
		           units_count(all, of));
}

void fleet_model_say_ends(const struct fleet_group *g, struct buf *out)
{
	bool said[END_CAUSE_COUNT] = {[END_CAUSE_UNKNOWN] = true,
	                              [END_CAUSE_FINISHED] = true,
	                              [END_CAUSE_SIGNALED] = true,
	                              [END_CAUSE_EXITED] = true};
	char runs[UNITS_SIZE];

	buf_clear(out);
	for (int n = 0; n < ENDS_SAID; n++) {
		int most = END_CAUSE_UNKNOWN;
		double least = 0;
		for (int i = 0; i < END_CAUSE_COUNT; i++)
			if (!said[i] && g->ends[i] > least) {
				most = i;
				least = g->ends[i];
			}
		if (most == END_CAUSE_UNKNOWN)
			return;
		said[most] = true;
		buf_printf(out, "%s%s × %s", n ? ", " : "", units_count(g->ends[most], runs),
		           end_cause_means((enum end_cause)most));
	}
}

const char *fleet_model_words_end(const struct catalog_worst *run)
{
	if (run->class == CATALOG_UNFINISHED)
		return "unfinished";
	if (run->end_code > END_CAUSE_UNKNOWN && run->end_code < END_CAUSE_COUNT)
		return end_cause_means((enum end_cause)run->end_code);
	if (run->oom == 1)
		return end_cause_means(END_CAUSE_OOM);
	if (run->class == CATALOG_FAILED)
		return end_cause_means(END_CAUSE_EXITED);
	return run->code == 0 ? "finished" : "unknown";
}

const char *fleet_model_confidence(enum fleet_confidence c)
{
	static const char *const words[] = {
	    [FLEET_WEAK] = "weak", [FLEET_FAIR] = "fair", [FLEET_GOOD] = "good"};

	return words[c];
}

void fleet_model_say_trial(const struct fleet_group *g, struct buf *out)
{
	char count[UNITS_SIZE];

	if (g->counted == 1)
		buf_printf(out, "its one run would %s failed: a first guess",
		           g->would_fail > 0 ? "have" : "not have");
	else if (g->counted > 0 && g->counted < FLEET_RUNS_FEW)
		buf_printf(out, "%s of %s runs would have failed: a first guess",
		           units_count(g->would_fail, count), UNITS_COUNT(g->counted));
	else if (g->counted > 0)
		fail_bound_say(out, g->would_fail, g->counted, g->fail_at_most);
	if (g->unknown > 0)
		buf_printf(out,
		           "; counted as failed: %s killed for memory with less, because "
		           "nobody knows how much %s",
		           units_count(g->unknown, count),
		           g->unknown == 1 ? "it needs" : "they need");
}

void fleet_model_words_longer(const struct fleet_group *g, struct buf *out)
{
	char share[UNITS_SIZE];

	buf_clear(out);
	if (fabs(g->longer - 1) >= LONGER)
		buf_printf(out, "%s %s", units_share(fabs(g->longer - 1), share),
		           g->longer > 1 ? "longer" : "less time");
}

void fleet_model_say_backtest(const struct fleet_backtest *t, struct buf *out)
{
	char failed[UNITS_SIZE], runs[UNITS_SIZE], wasted[64], asked[64];

	if (!(t->runs > 0))
		return;
	buf_printf(out, "%s of %s failed, %s wasted", units_count(t->failed, failed),
	           units_count(t->runs, runs),
	           units_text(UNIT_GIB_HOURS, t->wasted_gib_h, NULL, wasted));
	if (isfinite(t->asked_wasted_gib_h))
		buf_printf(out, " instead of %s",
		           units_text(UNIT_GIB_HOURS, t->asked_wasted_gib_h, NULL, asked));
}

void fleet_model_tried_text(const struct fleet_group *g, struct buf *out)
{
	char failed[UNITS_SIZE], tried[UNITS_SIZE];

	if (g->counted > 0)
		buf_printf(out, "%s of %s", units_count(g->would_fail, failed),
		           units_count(g->counted, tried));
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
	return isfinite(v) ? units_hours(v, out) : "unknown";
}

double fleet_model_period_days(const struct fleet *f)
{
	return floor(f->last / QUANTITY_DAY_S) - floor(f->first / QUANTITY_DAY_S) + 1;
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

/* -- sums -------------------------------------------------------------------------------------- */

/* Their columns name the unit. */
void fleet_model_machine_hours(cJSON *row, const struct fleet_usage *u)
{
	char text[64];

	model_json_as_text(row, "machine_hours", UNIT_MACHINE_HOURS, u->machine_h,
	                   fleet_model_hours_text(u->machine_h, text));
	model_json_as_text(row, "machine_recoverable", UNIT_MACHINE_HOURS, u->machine_recoverable_h,
	                   fleet_model_hours_text(u->machine_recoverable_h, text));
}

void fleet_model_add_rest(cJSON *parent, const char *key, const struct fleet *f, size_t from,
                          const struct fleet_model_input *in)
{
	struct fleet_usage sum = fleet_group_no_usage();
	double groups = f->rest_groups + (double)(f->n - from), runs = f->rest_runs;
	char count[UNITS_SIZE], label[64];
	cJSON *one;

	one = model_json_object_if(groups > 0, parent, key);
	if (!one)
		return;
	for (size_t i = from; i < f->n; i++) {
		fleet_group_add_usage(&sum, &f->group[i].usage);
		runs += f->group[i].runs;
	}
	if (f->rest_groups > 0)
		fleet_group_add_usage(&sum, &f->rest);
	if (groups > 1)
		snprintf(label, sizeof label, "The other %s groups", units_count(groups, count));
	else
		snprintf(label, sizeof label, "The other group");
	cJSON_AddStringToObject(one, "label", label);
	fleet_page_quantity(one, "groups", UNIT_COUNT, groups, &in->page);
	fleet_page_quantity(one, "runs", UNIT_COUNT, runs, &in->page);
	fleet_page_quantity(one, "cores_unused", UNIT_CORE_HOURS, sum.cores.unused, &in->page);
	fleet_page_quantity(one, "memory_unused", UNIT_GIB_HOURS, sum.memory.unused, &in->page);
	fleet_page_quantity(one, "money", UNIT_MONEY, sum.money, &in->page);
	fleet_page_quantity(one, "recoverable", UNIT_MONEY, sum.recoverable, &in->page);
	fleet_model_machine_hours(one, &sum);
}
