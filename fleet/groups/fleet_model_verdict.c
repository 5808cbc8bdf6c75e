/* fleet_model_verdict: the top of the fleet page: sums, sentences, what to change first. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "report/units/model_json.h"

#define MUCH 0.1 /* of the money: what can be recovered deserves attention */
#define USED 0.5 /* of what was asked for: below, much is wasted */
#define SEEN 0.005

static const struct resource {
	const char *id, *label, *of;
	enum unit hours;
	size_t usage; /* struct fleet_hours in struct fleet_usage */
} resources[] = {
    {"cores", "Core-hours asked", "", UNIT_CORE_HOURS, offsetof(struct fleet_usage, cores)},
    {"memory", "GiB-hours asked", " of memory", UNIT_GIB_HOURS,
     offsetof(struct fleet_usage, memory)},
    {"gpus", "GPU-hours asked", "", UNIT_GPU_HOURS, offsetof(struct fleet_usage, gpus)},
};
#define RESOURCES (sizeof resources / sizeof *resources)

static const struct fleet_hours *hours_of(const struct fleet_usage *u, const struct resource *r)
{
	return (const struct fleet_hours *)((const char *)u + r->usage);
}

static bool is_asked(const struct fleet *f, const struct resource *r)
{
	return hours_of(&f->usage, r)->asked > 0;
}

/* -- tiles ------------------------------------------------------------------------------------- */

static void add_tile(cJSON *tiles, const char *id, const char *label, const char *text,
                     const char *note)
{
	cJSON *one = model_json_row(tiles);

	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "label", label);
	cJSON_AddStringToObject(one, "text", text);
	cJSON_AddStringToObject(one, "note", note);
}

/* The label has the unit. */
static void add_amount_tile(cJSON *tiles, const char *id, const char *label, enum unit u, double v,
                            const char *note, const struct fleet_model_input *in)
{
	char text[64];

	add_tile(tiles, id, label,
	         units_is_money(u) ? units_money(v, in->currency, text)
	                           : fleet_model_hours_text(v, text),
	         note);
}

static void add_cost_tiles(cJSON *tiles, const struct fleet *f, const struct fleet_model_input *in)
{
	struct fleet_model_cost cost = fleet_model_cost(f, &f->usage);
	bool money = cost.unit == UNIT_MONEY;
	char share[UNITS_SIZE], number[UNITS_SIZE], note[96] = "";

	if (!isfinite(cost.asked))
		return;
	if (money && f->usage.unpriced > 0)
		snprintf(note, sizeof note, "without %s run%s of unknown price",
		         units_count(f->usage.unpriced, number), f->usage.unpriced == 1 ? "" : "s");
	add_amount_tile(tiles, money ? "money" : "machine_hours",
	                money ? "Cost" : "Machine-hours asked", cost.unit, cost.asked, note, in);
	*note = '\0';
	if (*fleet_model_share(cost.recoverable, cost.asked, share))
		snprintf(note, sizeof note, "%s%s of %s", money ? "" : "machine-hours, ", share,
		         money ? "the cost" : "those asked");
	add_amount_tile(tiles, money ? "recoverable" : "machine_recoverable", "Recoverable",
	                cost.unit, cost.recoverable, note, in);
}

static void add_tiles(cJSON *model, const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *tiles = cJSON_AddArrayToObject(model, "tiles");
	char text[64], note[96], share[UNITS_SIZE], oom[UNITS_SIZE];

	if (!(f->runs > 0)) {
		add_tile(tiles, "runs", "Runs", "none", "");
		return;
	}
	snprintf(note, sizeof note, "%s failed, %s killed for memory", units_count(f->failed, text),
	         units_count(f->oom, oom));
	add_tile(tiles, "runs", "Runs", units_count(f->runs, text), note);
	add_tile(tiles, "groups", "Groups", units_count(f->all_groups, text), "");
	for (size_t i = 0; i < RESOURCES; i++) {
		const struct fleet_hours *h = hours_of(&f->usage, &resources[i]);
		if (!is_asked(f, &resources[i]))
			continue;
		*note = '\0';
		if (*fleet_model_share(h->used, h->asked, share))
			snprintf(note, sizeof note, "%s used", share);
		add_amount_tile(tiles, resources[i].id, resources[i].label, resources[i].hours,
		                h->asked, note, in);
	}
	if (f->counted > 0)
		add_cost_tiles(tiles, f, in);
}

/* -- sentences --------------------------------------------------------------------------------- */

static void add_fleet_sentence(cJSON *verdict, const char *id, const char *level, struct buf *text)
{
	cJSON *one;

	if (text->len) {
		one = model_json_row(verdict);
		cJSON_AddStringToObject(one, "id", id);
		cJSON_AddStringToObject(one, "level", level);
		model_json_cut(one, "text", buf_cstr(text), MODEL_JSON_TEXT_MAX);
	}
	buf_free(text);
}

/* "2,000 runs in 120 groups asked for 12,345 core-hours and used 34%; …" */
static void say_fleet_used(cJSON *verdict, const struct fleet *f)
{
	struct buf text = {0};
	char runs[UNITS_SIZE], groups[UNITS_SIZE], hours[64], share[UNITS_SIZE];
	double least = 1;
	size_t said = 0;

	if (!(f->counted > 0)) {
		if (f->runs > 0)
			buf_printf(&text, "It is not known what %s run%s wasted.",
			           units_count(f->runs, runs), f->runs == 1 ? "" : "s");
		else
			buf_str(&text, "There are no runs.");
		add_fleet_sentence(verdict, "used", "warn", &text);
		return;
	}
	buf_printf(&text, "%s run%s in %s group%s asked for ", units_count(f->counted, runs),
	           f->counted == 1 ? "" : "s", units_count(f->all_groups, groups),
	           f->all_groups == 1 ? "" : "s");
	for (size_t i = 0; i < RESOURCES; i++) {
		const struct fleet_hours *h = hours_of(&f->usage, &resources[i]);
		if (!is_asked(f, &resources[i]))
			continue;
		buf_printf(&text, "%s%s%s", said++ ? "; for " : "",
		           units_text(resources[i].hours, h->asked, NULL, hours), resources[i].of);
		if (*fleet_model_share(h->used, h->asked, share))
			buf_printf(&text, " and used %s", share);
		least = h->used / h->asked < least ? h->used / h->asked : least;
	}
	buf_str(&text, said ? "." : "amounts that are unknown.");
	add_fleet_sentence(verdict, "used", least < USED ? "warn" : "good", &text);
}

static void say_fleet_origins(cJSON *verdict, const struct fleet *f)
{
	struct buf text = {0};

	fleet_model_origins_text(f, &text);
	add_fleet_sentence(verdict, "origins", "info", &text);
}

/* What the rule for memory would have done on runs that it was not learnt on, of all groups. */
static void say_fleet_backtest(cJSON *verdict, const struct fleet *f)
{
	const struct fleet_backtest *t = &f->backtest;
	struct buf text = {0};
	char runs[UNITS_SIZE], failed[UNITS_SIZE], wasted[64], asked[64], killed[UNITS_SIZE];

	if (!(t->runs > 0))
		return;
	buf_printf(&text,
	           "Tried on runs that it was not learnt on (of each group the later half), the "
	           "rule for memory would have failed %s of %s runs and wasted %s",
	           units_count(t->failed, failed), units_count(t->runs, runs),
	           units_text(UNIT_GIB_HOURS, t->wasted_gib_h, NULL, wasted));
	if (isfinite(t->asked_wasted_gib_h))
		buf_printf(&text, "; what was asked for wasted %s, and %s run%s killed for memory",
		           units_text(UNIT_GIB_HOURS, t->asked_wasted_gib_h, NULL, asked),
		           units_count(t->asked_failed, killed),
		           t->asked_failed == 1 ? " was" : "s were");
	buf_str(&text, ".");
	add_fleet_sentence(verdict, "backtest", "info", &text);
}

static void say_fleet_cost(cJSON *verdict, const struct fleet *f,
                           const struct fleet_model_input *in)
{
	struct buf text = {0};
	char money[64], runs[UNITS_SIZE];

	if (!(f->counted > 0))
		return;
	if (fleet_model_has_machine_hours(f)) {
		buf_printf(&text,
		           "What this cost is unknown, so it is counted in machine-hours: hours × "
		           "the largest share of a machine that was asked for. They asked for %s.",
		           units_text(UNIT_MACHINE_HOURS, f->usage.machine_h, NULL, money));
		add_fleet_sentence(verdict, "cost", "info", &text);
		return;
	}
	if (!fleet_model_has_money(f)) {
		buf_str(&text,
		        "What this cost and how large the machines were are unknown, and so is "
		        "what is recoverable.");
		add_fleet_sentence(verdict, "cost", "info", &text);
		return;
	}
	buf_printf(&text, "What they asked for cost %s",
	           units_text(UNIT_MONEY, f->usage.money, in->currency, money));
	if (f->usage.unpriced > 0)
		buf_printf(&text, ", without %s run%s on machines whose price is unknown",
		           units_count(f->usage.unpriced, runs), f->usage.unpriced == 1 ? "" : "s");
	buf_char(&text, '.');
	if (in->money_basis && *in->money_basis)
		buf_printf(&text, " %.*s", (int)MODEL_JSON_TEXT_MAX / 2, in->money_basis);
	add_fleet_sentence(verdict, "cost", "info", &text);
}

static void say_recoverable(cJSON *verdict, const struct fleet *f,
                            const struct fleet_model_input *in)
{
	struct fleet_model_cost cost = fleet_model_cost(f, &f->usage);
	struct buf text = {0};
	char amount[64], share[UNITS_SIZE];

	if (!(f->counted > 0) || !isfinite(cost.recoverable))
		return;
	if (cost.recoverable > 0)
		buf_printf(&text,
		           "%s of %s (%s) %s recoverable: so much less the same runs would cost "
		           "with the proposed asks.",
		           units_text(cost.unit, cost.recoverable, in->currency, amount),
		           cost.unit == UNIT_MONEY ? "it" : "them",
		           fleet_model_share(cost.recoverable, cost.asked, share),
		           cost.unit == UNIT_MONEY ? "is" : "are");
	else
		buf_str(&text, "Nothing of this is recoverable: no proposed ask costs less.");
	add_fleet_sentence(verdict, "recoverable",
	                   cost.recoverable >= MUCH * cost.asked ? "warn" : "good", &text);
}

static void say_fleet_left_out(cJSON *verdict, const struct fleet *f)
{
	struct buf text = {0};
	double runs = fleet_model_left_out_runs(f);
	char count[UNITS_SIZE], all[UNITS_SIZE], share[UNITS_SIZE];

	if (runs > 0)
		buf_printf(&text, "%s of %s runs (%s) are left out, with the reasons below.",
		           units_count(runs, count), units_count(f->runs, all),
		           fleet_model_share(runs, f->runs, share));
	add_fleet_sentence(verdict, "left_out", "info", &text);
}

/* -- what to change first ---------------------------------------------------------------------- */

/* One resource of a group, as it is asked for and as it should be. */
struct difference {
	double asked, most, proposed;
	enum unit unit;
};

static const char *ask_words(enum unit u, double v, char out[64])
{
	return u == UNIT_CORES  ? units_cpus(v, out)
	       : u == UNIT_GPUS ? units_gpus(v, out)
	                        : units_text(u, v, NULL, out);
}

/* "2 CPUs instead of 8": what is counted needs its unit once. */
static const char *asked_words(enum unit u, double v, char out[64])
{
	if (u == UNIT_BYTES)
		return units_text(u, v, NULL, out);
	return v == round(v) ? units_count(v, out) : units_cores(v, out);
}

/* What differs visibly, the largest saving first. Returns how many. */
static size_t differences_of(const struct fleet_group *g, struct difference out[3])
{
	const struct difference all[] = {
	    {g->asked.memory_b, g->most.memory_b, g->proposed.memory_b, UNIT_BYTES},
	    {g->asked.cpus, g->most.cpus, g->proposed.cpus, UNIT_CORES},
	    {g->asked.gpus, g->most.gpus, g->proposed.gpus, UNIT_GPUS},
	};
	size_t n = 0;

	for (size_t i = 0; i < 3; i++) {
		const struct difference *d = &all[i];
		size_t at = n;
		if (!(d->asked > 0) || !(d->proposed > 0 || (i == 2 && d->proposed >= 0)) ||
		    fabs(d->proposed - d->asked) < SEEN * d->asked)
			continue;
		for (; at && d->proposed / d->asked < out[at - 1].proposed / out[at - 1].asked;
		     at--)
			out[at] = out[at - 1];
		out[at] = *d;
		n++;
	}
	return n;
}

static void say_accounting(struct buf *text, const struct difference *d, size_t n)
{
	char proposed[64], asked[64];

	for (size_t i = 0; i < n; i++)
		buf_printf(text, "%s%s instead of %s%s", i ? i + 1 < n ? ", " : ", and " : "ask ",
		           ask_words(d[i].unit, d[i].proposed, proposed),
		           asked_words(d[i].unit, d[i].asked, asked),
		           d[i].most > d[i].asked * (1 + SEEN) ? " on average" : "");
}

static void say_basis(struct buf *text, const struct fleet_group *g)
{
	fleet_model_say_trial(g, text);
	buf_str(text, g->confidence == FLEET_WEAK ? " (weak)" : "");
}

static void add_fleet_change(cJSON *changes, const struct fleet *f, size_t i,
                             const struct difference *d, size_t n,
                             const struct fleet_model_input *in)
{
	const struct fleet_group *g = &f->group[i];
	struct fleet_model_cost cost = fleet_model_cost(f, &g->usage),
				all = fleet_model_cost(f, &f->usage);
	cJSON *one = model_json_row(changes);
	char share[UNITS_SIZE];
	struct buf text = {0};

	model_json_number(one, "rank", cJSON_GetArraySize(changes));
	fleet_model_name(f, g, &text);
	model_json_take_cut(one, "name", &text, FLEET_MODEL_NAME);
	model_json_printf(one, "anchor", "group-%zu", i + 1);
	buf_printf(&text,
	           "%s: ", cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "name")));
	say_accounting(&text, d, n);
	model_json_take_cut(one, "text", &text, 2 * MODEL_JSON_NAME_MAX);
	fleet_model_quantity(one, "saves", cost.unit, cost.recoverable, in);
	model_json_printf(one, "share", "%s of what is recoverable",
	                  fleet_model_share(cost.recoverable, all.recoverable, share));
	say_basis(&text, g);
	model_json_take(one, "basis", &text);
}

/* "These 3 changes save $12 in 90 days (19% of the cost); all proposed asks together save $30
 * (48%)." */
static void say_changes(cJSON *model, const struct fleet *f, double saved, int n,
                        const struct fleet_model_input *in)
{
	struct fleet_model_cost all = fleet_model_cost(f, &f->usage);
	double days = fleet_model_period_days(f);
	char amount[64], share[UNITS_SIZE];
	struct buf text = {0};

	if (!n) {
		cJSON_AddStringToObject(model, "changes_text", "");
		return;
	}
	if (n > 1)
		buf_printf(&text, "These %d changes save", n);
	else
		buf_str(&text, "This change saves");
	buf_printf(&text, " %s", units_text(all.unit, saved, in->currency, amount));
	if (days > 1)
		buf_printf(&text, " in %s days", units_count(days, amount));
	buf_printf(&text, " (%s of %s)", fleet_model_share(saved, all.asked, share),
	           all.unit == UNIT_MONEY ? "the cost" : "all");
	if (all.recoverable > saved)
		buf_printf(&text, "; all proposed asks together save %s (%s)",
		           units_text(all.unit, all.recoverable, in->currency, amount),
		           fleet_model_share(all.recoverable, all.asked, share));
	buf_char(&text, '.');
	model_json_take(model, "changes_text", &text);
}

static void add_changes(cJSON *model, const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *changes = cJSON_AddArrayToObject(model, "changes");
	double saved = 0;

	for (size_t i = 0; i < f->n && cJSON_GetArraySize(changes) < (int)FLEET_CHANGES; i++) {
		struct difference d[3];
		size_t n = differences_of(&f->group[i], d);
		double saves = fleet_model_cost(f, &f->group[i].usage).recoverable;
		if (!n || !(saves > 0))
			continue;
		add_fleet_change(changes, f, i, d, n, in);
		saved += saves;
	}
	cJSON_AddBoolToObject(model, "has_changes", cJSON_GetArraySize(changes) > 0);
	say_changes(model, f, saved, cJSON_GetArraySize(changes), in);
}

void fleet_model_add_verdict(cJSON *model, const struct fleet *f,
                             const struct fleet_model_input *in)
{
	cJSON *verdict;

	add_tiles(model, f, in);
	verdict = cJSON_AddArrayToObject(model, "verdict");
	say_fleet_used(verdict, f);
	say_fleet_cost(verdict, f, in);
	say_recoverable(verdict, f, in);
	say_fleet_backtest(verdict, f);
	say_fleet_origins(verdict, f);
	say_fleet_left_out(verdict, f);
	add_changes(model, f, in);
}
