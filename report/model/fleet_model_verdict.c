/* fleet_model_verdict: the top of the fleet page: sums, sentences, and what to change first. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "report/model/fleet_model.h"
#include "report/units/model_json.h"

#define MUCH 0.1 /* of the money: what can be recovered deserves attention */
#define USED 0.5 /* of what was asked for: below, much is wasted */
#define SEEN 0.005

static const struct resource {
	const char *id, *label, *of;
	enum unit hours;
	size_t usage; /* struct fleet_hours in struct fleet_usage */
} resources[] = {
    {"cores", "Core-hours asked for", "", UNIT_CORE_HOURS, offsetof(struct fleet_usage, cores)},
    {"memory", "Memory asked for", " of memory", UNIT_GIB_HOURS,
     offsetof(struct fleet_usage, memory)},
    {"gpus", "GPU-hours asked for", "", UNIT_GPU_HOURS, offsetof(struct fleet_usage, gpus)},
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
	cJSON *one = cJSON_CreateObject();

	cJSON_AddItemToArray(tiles, one);
	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "label", label);
	cJSON_AddStringToObject(one, "text", text);
	cJSON_AddStringToObject(one, "note", note);
}

static void add_money_tiles(cJSON *tiles, const struct fleet *f, const struct fleet_model_input *in)
{
	char text[64], share[UNITS_SIZE], number[UNITS_SIZE];
	struct buf note = {0};

	if (!fleet_model_has_money(f))
		return;
	if (f->usage.unpriced > 0)
		buf_printf(&note, "without %s runs of unknown price",
		           units_count(f->usage.unpriced, number));
	add_tile(tiles, "money", "Cost of what was asked for",
	         units_text(UNIT_MONEY, f->usage.money, in->currency, text), buf_cstr(&note));
	buf_clear(&note);
	if (*fleet_model_share(f->usage.recoverable, f->usage.money, share))
		buf_printf(&note, "%s of the cost", share);
	add_tile(tiles, "recoverable", "Recoverable",
	         units_text(UNIT_MONEY, f->usage.recoverable, in->currency, text), buf_cstr(&note));
	buf_free(&note);
}

static void add_tiles(cJSON *model, const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *tiles = cJSON_AddArrayToObject(model, "tiles");
	char text[64], note[96], share[UNITS_SIZE], oom[UNITS_SIZE];

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
		add_tile(tiles, resources[i].id, resources[i].label,
		         units_text(resources[i].hours, h->asked, NULL, text), note);
	}
	add_money_tiles(tiles, f, in);
}

/* -- sentences --------------------------------------------------------------------------------- */

static void add_fleet_sentence(cJSON *verdict, const char *id, const char *level, struct buf *text)
{
	cJSON *one;

	if (text->len) {
		one = cJSON_CreateObject();
		cJSON_AddItemToArray(verdict, one);
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
			buf_printf(&text, "Of %s run%s none says what it wastes.",
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

static void say_fleet_cost(cJSON *verdict, const struct fleet *f,
                           const struct fleet_model_input *in)
{
	struct buf text = {0};
	char money[64], runs[UNITS_SIZE];

	if (!(f->counted > 0))
		return;
	if (!fleet_model_has_money(f)) {
		buf_str(&text, "What this cost is unknown, so groups are sorted by the "
		               "machine-hours that the proposed asks would save.");
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
	struct buf text = {0};
	double part = f->usage.recoverable / f->usage.money;
	char money[64], share[UNITS_SIZE];

	if (!(f->counted > 0) || !fleet_model_has_money(f) || !isfinite(f->usage.recoverable))
		return;
	if (f->usage.recoverable > 0)
		buf_printf(&text,
		           "%s of it (%s) is recoverable: so much less the same runs would cost "
		           "with the proposed asks.",
		           units_text(UNIT_MONEY, f->usage.recoverable, in->currency, money),
		           fleet_model_share(f->usage.recoverable, f->usage.money, share));
	else
		buf_str(&text, "Nothing of it is recoverable: no proposed ask costs less.");
	add_fleet_sentence(verdict, "recoverable", part >= MUCH ? "warn" : "good", &text);
}

static void say_fleet_left_out(cJSON *verdict, const struct fleet *f)
{
	struct buf text = {0};
	double runs = fleet_model_left_out(f);
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

static void say_differences(struct buf *text, const struct difference *d, size_t n)
{
	char proposed[64], asked[64];

	for (size_t i = 0; i < n; i++)
		buf_printf(text, "%s%s instead of %s%s", i ? i + 1 < n ? ", " : ", and " : "ask ",
		           ask_words(d[i].unit, d[i].proposed, proposed),
		           asked_words(d[i].unit, d[i].asked, asked),
		           d[i].most > d[i].asked * (1 + SEEN) ? " on average" : "");
}

/* Without prices, a group that would ask for less. */
static bool is_worth(const struct fleet *f, const struct fleet_group *g, const struct difference *d,
                     size_t n)
{
	if (fleet_model_has_money(f))
		return n && g->usage.recoverable > 0;
	return n && d[0].proposed < d[0].asked;
}

/* "600 core-hours, 5,400 GiB-hours of memory were asked for and not used" */
static void say_unused(struct buf *text, const struct fleet_usage *u)
{
	char hours[64];
	size_t said = 0;

	for (size_t i = 0; i < RESOURCES; i++) {
		const struct fleet_hours *h = hours_of(u, &resources[i]);
		if (!(h->unused > 0))
			continue;
		buf_printf(text, "%s%s%s", said++ ? ", " : "",
		           units_text(resources[i].hours, h->unused, NULL, hours), resources[i].of);
	}
	buf_str(text, said ? " were asked for and not used" : "");
}

static void add_fleet_change(cJSON *changes, const struct fleet *f, size_t i,
                             const struct difference *d, size_t n,
                             const struct fleet_model_input *in)
{
	const struct fleet_group *g = &f->group[i];
	cJSON *one = cJSON_CreateObject();
	char share[UNITS_SIZE];
	struct buf text = {0};

	cJSON_AddItemToArray(changes, one);
	model_json_number(one, "rank", cJSON_GetArraySize(changes));
	fleet_model_name(f, g, &text);
	model_json_cut(one, "name", buf_cstr(&text), FLEET_MODEL_NAME);
	buf_clear(&text);
	buf_printf(&text, "group-%zu", i + 1);
	model_json_take(one, "anchor", &text);
	buf_printf(&text,
	           "%s: ", cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "name")));
	say_differences(&text, d, n);
	model_json_cut(one, "text", buf_cstr(&text), 2 * MODEL_JSON_NAME_MAX);
	buf_clear(&text);
	fleet_model_quantity(one, "saves", UNIT_MONEY, g->usage.recoverable, in);
	if (fleet_model_has_money(f))
		buf_printf(&text, "%s of all that is recoverable",
		           fleet_model_share(g->usage.recoverable, f->usage.recoverable, share));
	else
		say_unused(&text, &g->usage);
	model_json_take(one, "share", &text);
}

static void add_changes(cJSON *model, const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *changes = cJSON_AddArrayToObject(model, "changes");

	for (size_t i = 0; i < f->n && cJSON_GetArraySize(changes) < (int)FLEET_CHANGES; i++) {
		struct difference d[3];
		size_t n = differences_of(&f->group[i], d);
		if (is_worth(f, &f->group[i], d, n))
			add_fleet_change(changes, f, i, d, n, in);
	}
	cJSON_AddBoolToObject(model, "has_changes", cJSON_GetArraySize(changes) > 0);
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
	say_fleet_left_out(verdict, f);
	add_changes(model, f, in);
}
