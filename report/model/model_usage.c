/* model_usage: the model's "tiles", "usage", "statistics" and "columns". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/model/model_sections.h"
#include "report/prices/offer.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/asked.h"
#include "report/stats/default_stats.h"
#include "report/stats/growth.h"
#include "report/stats/history.h"
#include "report/stats/memory_peak.h"
#include "report/stats/trend.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

/* -- tiles ------------------------------------------------------------------------------------- */

#define TILE_NOTE 320

/* Writes the figure and the note below it. False where there is nothing to show. */
typedef bool (*tile_writer)(const struct model_input *in, char text[UNITS_RANGE_SIZE],
                            char note[TILE_NOTE]);

static bool write_duration(const struct model_input *in, char text[UNITS_RANGE_SIZE],
                           char note[TILE_NOTE])
{
	size_t n = in->history ? in->history->of[TREND_DURATION].n : 0;
	char median[64];

	units_text(UNIT_SECONDS, in->runs->v[0].duration, NULL, text);
	if (!n)
		return true;
	units_text(UNIT_SECONDS, in->history->of[TREND_DURATION].median, NULL, median);
	if (!history_older(in->runs))
		snprintf(note, TILE_NOTE, "median of %zu earlier run%s %s", n, n == 1 ? "" : "s",
		         median);
	else if (n == 1)
		snprintf(note, TILE_NOTE, "the last run %s", median);
	else
		snprintf(note, TILE_NOTE, "median of the last %zu runs %s", n, median);
	return true;
}

static bool write_cpu(const struct model_input *in, char text[UNITS_RANGE_SIZE],
                      char note[TILE_NOTE])
{
	const struct run *run = &in->runs->v[0];
	struct allowance allowed = allowance_cpus(run);
	struct asked asked = asked_of(run, ASKED_CPUS);

	units_text(UNIT_CORES, usage_stats(USAGE_CPU, run)->mean, NULL, text);
	if (asked.requested)
		snprintf(note, TILE_NOTE, "of %s asked for", UNITS_CPUS(asked.amount));
	else if (allowed.amount > 0)
		snprintf(note, TILE_NOTE, "of %s%s", UNITS_CPUS(allowed.amount),
		         allowed.from ? " allowed" : "");
	return true;
}

static bool write_memory(const struct model_input *in, char text[UNITS_RANGE_SIZE],
                         char note[TILE_NOTE])
{
	const struct run *run = &in->runs->v[0];
	struct allowance allowed = allowance_memory(run);
	struct asked asked = asked_of(run, ASKED_MEMORY);

	memory_peak_text(run, usage_stats(USAGE_MEMORY, run)->max, text);
	if (asked.requested)
		snprintf(note, TILE_NOTE, "of %s asked for", UNITS_TEXT(UNIT_BYTES, asked.amount));
	else if (allowed.amount > 0)
		snprintf(note, TILE_NOTE, "of %s%s", UNITS_TEXT(UNIT_BYTES, allowed.amount),
		         allowed.from ? " allowed" : "");
	return true;
}

static bool write_run_cost(const struct model_input *in, char text[UNITS_RANGE_SIZE],
                           char note[TILE_NOTE])
{
	struct offer_price price = offer_price_of_run(in->keeper);
	size_t nodes = parts_all_nodes(&in->runs->v[0]);
	double cost = cost_run(price.hour, in->runs->v[0].duration) * (double)nodes;

	char of_nodes[32] = "";

	if (isnan(cost))
		return false;
	units_text(UNIT_MONEY, cost, in->keeper->currency, text);
	if (nodes > 1)
		snprintf(of_nodes, sizeof of_nodes, "%zu × ", nodes);
	snprintf(note, TILE_NOTE, "%s%s%s %s%s", price.present ? "on " : "on the cheapest, ",
	         of_nodes, price.present ? price.server->vendor_id : offer_vendor(price.server),
	         offer_server(price.server), price.spot ? ", at its spot price" : "");
	return true;
}

static const struct {
	const char *id, *label;
	const char
	    *of_machine; /* the label where there was a job but only the machine was recorded */
	tile_writer write;
} tiles[] = {
    {"duration", "Duration", NULL, write_duration},
    {"cpu", "Mean CPU", "Machine's mean CPU", write_cpu},
    {"memory", "Peak memory", "Machine's peak memory", write_memory},
    {"cost", "Run cost", NULL, write_run_cost},
};

void model_usage_tiles(cJSON *model, const struct model_input *in)
{
	cJSON *all = cJSON_AddArrayToObject(model, "tiles");
	bool no_job = usage_lacks_job(&in->runs->v[0]);

	for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
		char text[UNITS_RANGE_SIZE] = "", note[TILE_NOTE] = "";
		cJSON *one;
		if (!tiles[i].write(in, text, note))
			continue;
		one = model_json_row(all);
		cJSON_AddStringToObject(one, "id", tiles[i].id);
		cJSON_AddStringToObject(one, "label",
		                        no_job && tiles[i].of_machine ? tiles[i].of_machine
		                                                      : tiles[i].label);
		cJSON_AddStringToObject(one, "text", text);
		model_json_cut(one, "note", note, MODEL_JSON_TEXT_MAX);
		cJSON_AddBoolToObject(one, "of_history", tiles[i].write == write_duration && *note);
	}
}

/* -- usage, statistics and columns ------------------------------------------------------------- */

/* The value of a row in one run. */
struct usage_value {
	const struct default_stat *stat;   /* or NULL, and */
	const struct default_total *total; /* this */
	const struct runs *r;
};

static double value_in(const void *ctx, size_t i)
{
	const struct usage_value *u = ctx;
	const struct run *run = &u->r->v[i];

	return u->stat ? default_stat_shown(u->stat, run) : usage_total(run, u->total->id);
}

/* Bytes do not follow the load of the machine. */
static struct history_range history_of(const struct usage_value *u)
{
	bool follows = u->stat && default_stat_follows_load(u->stat);

	return history_range(u->r, follows, value_in, u);
}

/* On a machine without GPUs, leaves out the GPU rows, which would all be 0. */
static bool is_stat_shown(const struct default_stat *f, const struct runs *r)
{
	if (!default_stat_is_gpu(f) || r->v[0].snapshot.server.gpu_count > 0)
		return true;
	return default_stat_base(f, &r->v[0]) > 0 ||
	       history_range(r, false, value_in, &(struct usage_value){f, NULL, r}).high > 0;
}

/* Adds how much of the measure was asked for, or null. Returns whether something was. */
static bool add_asked_amount(cJSON *row, const struct default_stat *f, const struct run *run)
{
	enum asked_resource of = ASKED_RESOURCES;
	struct asked a = {0};
	char text[64];

	if (f->how == DEFAULT_STAT_DURATION)
		of = ASKED_TIME;
	else if (f->how != DEFAULT_STAT_SUM)
		of = asked_of_column(f->id);
	if (of != ASKED_RESOURCES)
		a = asked_of(run, of);
	if (a.requested)
		model_json_as_text(row, "asked", default_stat_unit(f), a.amount,
		                   asked_text(of, a.amount, text));
	else
		cJSON_AddNullToObject(row, "asked");
	return a.requested;
}

/* A mean of samples says nothing of the time between them; where the kernel's marks allow much
 * more, the text has the range. */
static void add_now(cJSON *row, const struct default_stat *f, const struct run *run)
{
	bool mean = f->id == METRIC_PROCESS_MEMORY && f->how == DEFAULT_STAT_MEAN;
	bool peak = f->id == METRIC_PROCESS_MEMORY && f->how == DEFAULT_STAT_MAX;
	double value = default_stat_shown(f, run);
	double most = mean ? memory_peak_mean_most(run) : (double)NAN;
	char text[UNITS_RANGE_SIZE];

	units_text(default_stat_unit(f), value, NULL, text);
	if (peak)
		memory_peak_text(run, value, text);
	if (!isnan(most))
		snprintf(text, sizeof text, "%s (between samples up to %s)",
		         UNITS_TEXT(UNIT_BYTES, value), UNITS_TEXT(UNIT_BYTES, most));
	model_json_as_text(row, "now", default_stat_unit(f), value, text);
}

/* Levels that grow with a leak. */
static const struct {
	enum metric_id id;
	enum unit unit;
	const char *label;
} growing[] = {
    {METRIC_PROCESS_MEMORY, UNIT_BYTES, "Memory"},
    {METRIC_PROCESS_THREADS, UNIT_COUNT, "Threads"},
    {METRIC_PROCESS_CHILDREN, UNIT_COUNT, "Processes"},
    {METRIC_PROCESS_GPU_VRAM, UNIT_BYTES, "GPU memory"},
    {METRIC_SYSTEM_DISK_SPACE_USED, UNIT_BYTES, "The machine's disks"},
};

/* Memory, and what else grew. */
static void add_growth_rows(cJSON *usage, const struct run *run)
{
	static const char *const words[] = {"unknown", "steady", "uneven", "straight"};
	cJSON *list = cJSON_AddArrayToObject(usage, "growth");

	for (size_t i = 0; i < sizeof growing / sizeof *growing; i++) {
		struct growth g = growth_of_column(run, growing[i].id);
		struct buf text = {0};
		cJSON *row;
		if (g.kind < (i ? GROWTH_UNEVEN : GROWTH_STEADY))
			continue;
		growth_say(&g, growing[i].unit, &text);
		row = model_json_row(list);
		cJSON_AddStringToObject(row, "id", metrics[growing[i].id].name[SCHEMA_1]);
		cJSON_AddStringToObject(row, "label", growing[i].label);
		cJSON_AddStringToObject(row, "word", words[g.kind]);
		cJSON_AddNumberToObject(row, "per_hour", g.per_s * 3600);
		cJSON_AddNumberToObject(row, "low", g.low * 3600);
		cJSON_AddNumberToObject(row, "high", g.high * 3600);
		model_json_take(row, "text", &text);
	}
	cJSON_AddBoolToObject(usage, "has_growth", cJSON_GetArraySize(list) > 0);
}

static void add_past(cJSON *row, enum unit unit, const struct usage_value *u)
{
	struct history_range past = history_of(u);

	if (!past.runs) {
		cJSON_AddNullToObject(row, "median");
		cJSON_AddNullToObject(row, "peak");
		return;
	}
	model_json_quantity(row, "median", unit, past.median);
	model_json_quantity(row, "peak", unit, past.high);
}

static void add_total_rows(cJSON *rows, const struct runs *r)
{
	for (size_t i = 0; i < DEFAULT_TOTALS; i++) {
		const struct usage_value u = {NULL, &default_totals[i], r};
		double now = value_in(&u, 0);
		char id[96];
		cJSON *row;
		if (isnan(now))
			continue;
		row = model_json_row(rows);
		default_total_id(u.total, id);
		cJSON_AddStringToObject(row, "id", id);
		cJSON_AddStringToObject(row, "label", u.total->label);
		cJSON_AddNullToObject(row, "asked");
		model_json_quantity(row, "now", UNIT_BYTES, now);
		add_past(row, UNIT_BYTES, &u);
	}
}

static void add_usage_rows(cJSON *model, const struct runs *r)
{
	cJSON *usage = cJSON_AddObjectToObject(model, "usage"), *rows;
	size_t used = history_used(r);
	bool asked = false;

	cJSON_AddBoolToObject(usage, "has_history", used > 0);
	cJSON_AddNumberToObject(usage, "history_runs", (double)used);
	cJSON_AddNumberToObject(usage, "left_out", (double)(r->n - 1 - used));
	rows = cJSON_AddArrayToObject(usage, "rows");
	for (size_t i = 0; i < DEFAULT_STATS; i++) {
		const struct default_stat *f = &default_stats[i];
		char id[96];
		cJSON *row;
		if (f->id == METRIC_SYSTEM_DISK_SPACE_USED)
			add_total_rows(rows, r);
		if (!is_stat_shown(f, r))
			continue;
		row = model_json_row(rows);
		default_stat_id(f, id);
		cJSON_AddStringToObject(row, "id", id);
		cJSON_AddStringToObject(row, "label", f->label);
		asked |= add_asked_amount(row, f, &r->v[0]);
		add_now(row, f, &r->v[0]);
		add_past(row, default_stat_unit(f), &(struct usage_value){f, NULL, r});
	}
	cJSON_AddBoolToObject(usage, "has_asked", asked);
	add_growth_rows(usage, &r->v[0]);
}

/* -- usage: pictures --------------------------------------------------------------------------- */

static const cJSON *usage_item(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* The series of the charts that has the column; NULL: none. */
static const cJSON *series_of_column(const cJSON *charts, const char *id, size_t n)
{
	const cJSON *chart, *series;

	cJSON_ArrayForEach (chart, charts)
		cJSON_ArrayForEach (series, usage_item(chart, "series")) {
			const char *one = cJSON_GetStringValue(usage_item(series, "id"));
			if (one && strlen(one) == n && memcmp(one, id, n) == 0)
				return series;
		}
	return NULL;
}

/* How many characters of an id ("process_memory.max") are its column. */
static size_t column_length(const char *id)
{
	const char *point = strrchr(id, '.');

	return point ? (size_t)(point - id) : strlen(id);
}

/* The picture of a column's series, in the first of its rows; the marks of statistics that are in
 * none of them are null. */
static void add_row_spark(cJSON *row, const cJSON *series, size_t rows, bool mean, bool peak)
{
	const cJSON *picture = usage_item(series, "sparkline");
	cJSON *spark = cJSON_IsObject(picture) ? cJSON_Duplicate(picture, 1) : cJSON_CreateNull();

	cJSON_AddItemToObject(row, "spark", spark);
	if (!cJSON_IsObject(spark))
		return;
	cJSON_AddItemToObject(spark, "text", cJSON_Duplicate(usage_item(series, "spark"), 1));
	cJSON_AddNumberToObject(spark, "rows", (double)rows);
	if (!mean)
		cJSON_ReplaceItemInObjectCaseSensitive(spark, "mean", cJSON_CreateNull());
	if (!peak)
		cJSON_ReplaceItemInObjectCaseSensitive(spark, "peak", cJSON_CreateNull());
}

void model_usage_sparks(cJSON *model)
{
	cJSON *usage = cJSON_GetObjectItemCaseSensitive(model, "usage"), *row, *next;
	const cJSON *charts = usage_item(model, "charts");
	bool any = false;

	for (row = usage_item(usage, "rows")->child; row; row = next) {
		const char *id = cJSON_GetStringValue(usage_item(row, "id"));
		size_t n = column_length(id), rows = 0;
		bool mean = false, peak = false;
		for (next = row; next; next = next->next) {
			const char *other = cJSON_GetStringValue(usage_item(next, "id"));
			if (column_length(other) != n || memcmp(other, id, n) != 0)
				break;
			mean |= strcmp(other + n, ".mean") == 0;
			peak |= strcmp(other + n, ".max") == 0;
			rows++;
		}
		add_row_spark(row, series_of_column(charts, id, n), rows, mean, peak);
		any |= cJSON_IsObject(usage_item(row, "spark"));
		for (cJSON *under = row; under != next; under = under->next) {
			if (under != row)
				cJSON_AddNullToObject(under, "spark");
			cJSON_AddBoolToObject(under, "spark_above", under != row);
		}
	}
	cJSON_AddBoolToObject(usage, "has_sparks", any);
}

/* -- usage: statistics ------------------------------------------------------------------------- */

/* Adds {column: {statistic: value}} over the runs from index `from` on. */
static void add_statistic_set(cJSON *parent, const char *key, const struct runs *r, size_t from)
{
	cJSON *set = cJSON_AddObjectToObject(parent, key), *column = NULL;
	char name[64], last[64] = "";

	for (size_t i = 0; i < DEFAULT_STATS; i++) {
		const struct default_stat *f = &default_stats[i];
		default_stat_column(f, name);
		if (strcmp(name, last) != 0)
			column = cJSON_AddObjectToObject(set, name);
		memcpy(last, name, sizeof last);
		model_json_number(column, default_stat_statistic(f),
		                  default_stat_spell(f, default_stat_aggregate(f, r, from)));
	}
}

static void add_statistics(cJSON *model, const struct runs *r)
{
	cJSON *statistics = cJSON_AddObjectToObject(model, "statistics");
	struct runs alone = {.v = r->v, .n = 1};

	add_statistic_set(statistics, "now", &alone, 0);
	if (!history_used(r)) {
		cJSON_AddNullToObject(statistics, "history");
		cJSON_AddNullToObject(statistics, "all");
		return;
	}
	add_statistic_set(statistics, "history", r, 1);
	add_statistic_set(statistics, "all", r, 0);
}

static void add_column_statistics(cJSON *model, const struct run *run)
{
	cJSON *columns = cJSON_AddObjectToObject(model, "columns");

	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		const struct stats *s = &run->stats[id];
		char name[64];
		cJSON *c;
		if (!s->n || m->unit == METRIC_UNIT_TIME || id == METRIC_PROCESS_PID)
			continue;
		snprintf(name, sizeof name, "%s_%s", metric_scope_name(m->scope),
		         m->name[SCHEMA_1]);
		c = cJSON_AddObjectToObject(columns, name);
		model_json_number(c, "n", (double)s->n);
		model_json_number(c, "min", s->min);
		model_json_number(c, "max", s->max);
		if (id == METRIC_PROCESS_MEMORY)
			model_json_number(c, "max_sampled", run->memory_sampled_b);
		model_json_number(c, "mean", s->mean);
		model_json_number(c, "sum", s->sum);
		model_json_number(c, "sd", s->sd);
		model_json_number(c, "p50", s->p50);
		model_json_number(c, "p95", s->p95);
	}
}

void model_usage_add(cJSON *model, const struct model_input *in)
{
	add_usage_rows(model, in->runs);
	add_statistics(model, in->runs);
	add_column_statistics(model, &in->runs->v[0]);
}
