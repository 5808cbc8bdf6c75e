/* fleet_model_table: all groups of a fleet as rows of numbers, and the same packed for the page. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/json/json_write.h"
#include "core/numbers/stats.h"
#include "report/model/report_link.h"
#include "report/model_fleet/fleet_model.h"
#include "report/units/model_json.h"

#define EXACT 1e6 /* whole numbers below are not rounded */

/* Of rows for programs. Percentiles are known to half a percent. */
#define TABLE_DIGITS 7
#define TABLE_EXACT  1e15

enum table_kind { TABLE_NUMBER, TABLE_SHARE, TABLE_NAME, TABLE_CONFIDENCE, TABLE_REPORT };

static const struct table_column {
	const char *id, *label;
	enum unit unit;
	enum table_kind kind;
} columns[] = {
    {"name", "Group", UNIT_COUNT, TABLE_NAME},
    {"runs", "Runs", UNIT_COUNT, TABLE_NUMBER},
    {"failed", "Failed", UNIT_COUNT, TABLE_NUMBER},
    {"oom", "Killed for memory", UNIT_COUNT, TABLE_NUMBER},
    {"counted", "Counted", UNIT_COUNT, TABLE_NUMBER},
    {"wall_p50", "Wall time, p50", UNIT_SECONDS, TABLE_NUMBER},
    {"wall_p95", "Wall time, p95", UNIT_SECONDS, TABLE_NUMBER},
    {"cpus_asked", "CPUs asked", UNIT_CORES, TABLE_NUMBER},
    {"cpus_used", "CPUs used", UNIT_CORES, TABLE_NUMBER},
    {"memory_asked", "Memory asked", UNIT_BYTES, TABLE_NUMBER},
    {"memory_p50", "Peak memory, p50", UNIT_BYTES, TABLE_NUMBER},
    {"memory_p95", "Peak memory, p95", UNIT_BYTES, TABLE_NUMBER},
    {"memory_max", "Peak memory, max", UNIT_BYTES, TABLE_NUMBER},
    {"gpus_asked", "GPUs asked", UNIT_GPUS, TABLE_NUMBER},
    {"gpus_used", "GPUs used", UNIT_GPUS, TABLE_NUMBER},
    {"cores_unused", "Unused core-hours", UNIT_CORE_HOURS, TABLE_NUMBER},
    {"memory_unused", "Unused memory", UNIT_GIB_HOURS, TABLE_NUMBER},
    {"gpus_unused", "Unused GPU-hours", UNIT_GPU_HOURS, TABLE_NUMBER},
    {"money", "Cost", UNIT_MONEY, TABLE_NUMBER},
    {"recoverable", "Recoverable", UNIT_MONEY, TABLE_NUMBER},
    {"machine_hours", "Machine-hours", UNIT_MACHINE_HOURS, TABLE_NUMBER},
    {"machine_recoverable", "Recoverable machine-hours", UNIT_MACHINE_HOURS, TABLE_NUMBER},
    {"proposed.cpus", "Proposed CPUs", UNIT_CORES, TABLE_NUMBER},
    {"proposed.memory", "Proposed memory", UNIT_BYTES, TABLE_NUMBER},
    {"proposed.gpus", "Proposed GPUs", UNIT_GPUS, TABLE_NUMBER},
    {"proposed.time", "Proposed time", UNIT_SECONDS, TABLE_NUMBER},
    {"would_fail", "Would fail", UNIT_COUNT, TABLE_NUMBER},
    {"unknown", "Killed with less", UNIT_COUNT, TABLE_NUMBER},
    {"fail_at_most", "Next fails, at most", UNIT_COUNT, TABLE_SHARE},
    {"confidence", "Confidence", UNIT_COUNT, TABLE_CONFIDENCE},
    {"trend", "Trend of memory", UNIT_COUNT, TABLE_SHARE},
    {"report", "Report", UNIT_COUNT, TABLE_REPORT},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static bool is_number_column(size_t column)
{
	return columns[column].kind == TABLE_NUMBER || columns[column].kind == TABLE_SHARE;
}

/* In the order of the columns; 0 where a column has a text. */
static void group_numbers(const struct fleet_group *g, double out[COLUMNS])
{
	const struct fleet_usage *u = &g->usage;
	const struct fleet_ask *a = &g->asked, *p = &g->proposed;
	const double v[COLUMNS] = {
	    0,
	    g->runs,
	    g->failed,
	    g->oom,
	    g->counted,
	    g->wall.p50,
	    g->wall.p95,
	    fleet_model_ask(a->cpus),
	    fleet_model_used(a->cpus, &u->cores),
	    fleet_model_ask(a->memory_b),
	    g->memory.p50,
	    g->memory.p95,
	    g->memory.max,
	    a->gpus,
	    fleet_model_used(a->gpus, &u->gpus),
	    u->cores.unused,
	    u->memory.unused,
	    u->gpus.unused,
	    u->money,
	    u->recoverable,
	    u->machine_h,
	    u->machine_recoverable_h,
	    fleet_model_ask(p->cpus),
	    fleet_model_ask(p->memory_b),
	    p->gpus,
	    fleet_model_ask(p->time_s),
	    g->would_fail,
	    g->counted - g->tried,
	    g->fail_at_most,
	    0,
	    g->trend,
	    0,
	};

	memcpy(out, v, sizeof v);
}

/* What is needed of each group more than once: finding a report costs a call of the kernel. */
struct table_row {
	double number[COLUMNS];
	char *report; /* NULL: none */
};

struct table {
	const struct fleet *f;
	const struct fleet_model_input *in;
	struct table_row *row;
};

/* out: holds a name. */
static const char *text_at(const struct table *t, size_t column, size_t i, size_t name_max,
                           struct buf *out)
{
	const struct fleet_group *g = &t->f->group[i];
	struct buf whole = {0};

	if (columns[column].kind == TABLE_CONFIDENCE)
		return fleet_model_confidence(g->confidence);
	if (columns[column].kind == TABLE_REPORT)
		return t->row[i].report;
	fleet_model_name(t->f, g, &whole);
	buf_clear(out);
	model_json_cut_text(out, buf_cstr(&whole), name_max);
	buf_free(&whole);
	return buf_cstr(out);
}

/* -- numbers ----------------------------------------------------------------------------------- */

/* The digits of a whole number below 2^63. */
static size_t whole_digits(double v, char out[24])
{
	uint64_t left = (uint64_t)v;
	size_t n = 0;

	do
		out[n++] = (char)('0' + left % 10);
	while (left /= 10);
	for (size_t i = 0; i < n / 2; i++) {
		char other = out[i];
		out[i] = out[n - 1 - i];
		out[n - 1 - i] = other;
	}
	return n;
}

/* v with so many significant digits; whole numbers below `exact` keep all. Much faster than
 * searching for the shortest form that reads back equal. */
static void add_short_number(struct buf *out, double v, int digits, double exact)
{
	bool whole = (v == round(v) && fabs(v) < exact) || !isfinite(v);
	int shift = whole ? 0 : digits - 1 - (int)floor(log10(fabs(v)));
	char text[24];
	size_t n, point;

	if (!isfinite(v) || abs(shift) > 300) {
		buf_str(out, isfinite(v) ? "0" : "null");
		return;
	}
	n = whole_digits(round(fabs(shift < 0 ? v / pow(10, -shift) : v * pow(10, shift))), text);
	for (; shift && n > 1 && text[n - 1] == '0'; shift--)
		n--;
	buf_str(out, v < 0 ? "-" : "");
	point = shift > 0 && (size_t)shift < n ? n - (size_t)shift : n;
	buf_add(out, text, point);
	if (point < n) {
		buf_char(out, '.');
		buf_add(out, text + point, n - point);
	} else if (shift) {
		buf_printf(out, "e%d", -shift);
	}
}

/* -- rows for programs ------------------------------------------------------------------------- */

static void add_table_columns(cJSON *table, const struct fleet_model_input *in)
{
	cJSON *all = cJSON_AddArrayToObject(table, "columns");

	for (size_t c = 0; c < COLUMNS; c++) {
		const char *unit = units_name(columns[c].unit);
		cJSON *one = cJSON_CreateObject();
		cJSON_AddItemToArray(all, one);
		if (units_is_money(columns[c].unit))
			unit = in->currency && *in->currency ? in->currency : "USD";
		cJSON_AddStringToObject(one, "id", columns[c].id);
		cJSON_AddStringToObject(one, "label", columns[c].label);
		cJSON_AddStringToObject(one, "unit", columns[c].kind == TABLE_NUMBER ? unit : "");
		cJSON_AddStringToObject(one, "kind", is_number_column(c) ? "number" : "text");
	}
}

/* A row is held as text: ten thousand rows of nodes would take 25 MiB. */
static void add_raw_row(cJSON *rows, const struct table *t, size_t i, struct buf *text,
                        struct buf *name)
{
	cJSON *row;

	buf_clear(text);
	for (size_t c = 0; c < COLUMNS; c++) {
		const char *word;
		buf_char(text, c ? ',' : '[');
		if (is_number_column(c)) {
			add_short_number(text, t->row[i].number[c], TABLE_DIGITS, TABLE_EXACT);
			continue;
		}
		word = text_at(t, c, i, MODEL_JSON_NAME_MAX, name);
		if (word)
			json_write_quote(text, word, strlen(word));
		else
			buf_str(text, "null");
	}
	buf_char(text, ']');
	row = text->failed ? NULL : cJSON_CreateRaw(buf_cstr(text));
	if (!alloc_failed_note(row) || !cJSON_AddItemToArray(rows, row))
		cJSON_Delete(row);
}

/* -- packed ------------------------------------------------------------------------------------ */

/* What is given up, in this order, until the table is small enough. */
#define MANY                                                                                       \
	6000 /* groups, which 4 digits are too many for: not tried, because packing takes time */
static const struct packing {
	int digits;
	size_t name_max;
	bool reports;
} packings[] = {{4, 96, true}, {3, 64, true}, {3, 64, false}, {3, 32, false}};
#define PACKINGS (sizeof packings / sizeof *packings)

static void add_packed_column(struct buf *out, const struct table *t, size_t column, size_t n,
                              const struct packing *p, struct buf *name)
{
	for (size_t i = 0; i < n; i++) {
		const char *text;
		buf_str(out, i ? "," : "[");
		if (is_number_column(column)) {
			add_short_number(out, t->row[i].number[column],
			                 columns[column].kind == TABLE_SHARE ? 2 : p->digits,
			                 EXACT);
			continue;
		}
		text = text_at(t, column, i, p->name_max, name);
		if (text && (p->reports || columns[column].kind != TABLE_REPORT))
			json_write_quote(out, text, strlen(text));
		else
			buf_str(out, "null");
	}
	buf_str(out, n ? "]" : "[]");
}

/* Machine-hours are shown where no price is known. */
static bool is_packed_column(const struct table *t, size_t column)
{
	return columns[column].unit != UNIT_MACHINE_HOURS || fleet_model_has_machine_hours(t->f);
}

/* The first n groups as base64. -1: without memory. */
static int pack(struct buf *out, const struct table *t, size_t n, const struct packing *p,
                int level)
{
	struct buf json = {0}, zipped = {0}, name = {0};
	struct err e = {0};
	int failed;

	buf_clear(out);
	buf_str(&json, "{\"columns\":");
	for (size_t c = 0; c < COLUMNS; c++)
		if (is_packed_column(t, c))
			buf_printf(&json, "%s\"%s\"", c ? "," : "[", columns[c].id);
	buf_str(&json, "],\"values\":");
	for (size_t c = 0; c < COLUMNS; c++) {
		if (!is_packed_column(t, c))
			continue;
		buf_str(&json, c ? "," : "[");
		add_packed_column(&json, t, c, n, p, &name);
	}
	buf_str(&json, "]}");
	failed = json.failed || gz_pack(&zipped, buf_cstr(&json), json.len, level, &e);
	if (!failed)
		base64_add(out, zipped.s, zipped.len);
	buf_free(&json);
	buf_free(&zipped);
	buf_free(&name);
	if (failed || out->failed)
		alloc_failed_note(NULL);
	return failed || out->failed ? -1 : 0;
}

/* Level 1 takes a seventh of the time, and a fifth more bytes: it tells which packing is good
 * enough. */
#define LEVEL 6
#define GAIN  0.84

/* Returns how many groups were packed. */
static size_t pack_within(struct buf *out, const struct table *t, size_t max)
{
	size_t n = t->f->n, step = 0;

	for (; step + 1 < PACKINGS; step++)
		if (pack(out, t, n, &packings[step], 1))
			return 0;
		else if ((double)out->len * GAIN <= (double)max)
			break;
	while (pack(out, t, n, &packings[step], LEVEL) == 0) {
		if (out->len <= max)
			return n;
		n = (size_t)((double)n * 0.98 * (double)max / (double)out->len);
	}
	return 0;
}

/* -- both -------------------------------------------------------------------------------------- */

static int fill_rows(struct table *t)
{
	struct buf link = {0};

	t->row = alloc_failed_note(calloc(t->f->n + 1, sizeof *t->row));
	for (size_t i = 0; t->row && i < t->f->n; i++) {
		group_numbers(&t->f->group[i], t->row[i].number);
		report_link(t->f->group[i].newest, t->in->page, &link);
		if (link.len)
			t->row[i].report = alloc_failed_note(buf_take(&link));
	}
	buf_free(&link);
	return t->row ? 0 : -1;
}

void fleet_model_add_table(cJSON *groups, const struct fleet *f, const struct fleet_model_input *in)
{
	struct table t = {.f = f, .in = in};
	struct buf packed = {0}, name = {0}, text = {0};
	cJSON *table = cJSON_AddObjectToObject(groups, "table"), *rows;
	size_t n, max = fleet_model_packed_max(groups);

	if (fill_rows(&t))
		return;
	add_table_columns(table, in);
	rows = cJSON_AddArrayToObject(table, "rows");
	for (size_t i = 0; i < f->n; i++)
		add_raw_row(rows, &t, i, &text, &name);
	fleet_model_add_rest(table, "rest", f, f->n, in);
	n = pack_within(&packed, &t, max);
	fleet_model_open_groups(groups, max - packed.len);
	model_json_take(groups, "packed", &packed);
	model_json_number(groups, "packed_groups", (double)n);
	fleet_model_add_rest(groups, "rest", f, n, in);
	for (size_t i = 0; i < f->n; i++)
		free(t.row[i].report);
	free(t.row);
	buf_free(&name);
	buf_free(&text);
}
