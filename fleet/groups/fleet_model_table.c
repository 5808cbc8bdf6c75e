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
#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "fleet/list/report_link.h"
#include "report/units/model_json.h"

#define EXACT 1e6 /* whole numbers below are not rounded */

/* Of rows for programs. Percentiles are known to half a percent. */
#define TABLE_DIGITS 7
#define TABLE_EXACT  1e15

enum table_kind {
	TABLE_NUMBER,
	TABLE_SHARE,
	TABLE_NAME,
	TABLE_MOSTLY,
	TABLE_ENDS,
	TABLE_CONFIDENCE,
	TABLE_REPORT
};

static const struct table_column {
	const char *id, *label;
	enum unit unit;
	enum table_kind kind;
} columns[] = {
#define COLUMN(id, key, label, unit, kind, value)                                                  \
	[FLEET_COLUMN_##id] = {key, label, UNIT_##unit, TABLE_##kind},
#include "fleet/groups/fleet_model_columns.def"
#undef COLUMN
};
#define COLUMNS ((size_t)FLEET_COLUMNS)

static bool is_number_column(size_t column)
{
	return columns[column].kind == TABLE_NUMBER || columns[column].kind == TABLE_SHARE;
}

/* 0 where a column has a text. */
static void group_numbers(const struct fleet_group *g, double out[COLUMNS])
{
#define ASK(v)                                    fleet_model_ask(v)
#define USED(ask, hours)                          fleet_model_used(ask, hours)
#define COLUMN(id, key, label, unit, kind, value) out[FLEET_COLUMN_##id] = value;
#include "fleet/groups/fleet_model_columns.def"
#undef COLUMN
}

void fleet_model_add_columns(cJSON *row, const struct fleet_group *g, enum fleet_column first,
                             enum fleet_column last, const struct fleet_model_input *in)
{
	double number[COLUMNS];

	group_numbers(g, number);
	for (size_t c = first; c <= last; c++) {
		const char *dot = strchr(columns[c].id, '.');
		fleet_model_quantity(row, dot ? dot + 1 : columns[c].id, columns[c].unit, number[c],
		                     in);
	}
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

/* out: holds a text that is made. */
static const char *text_at(const struct table *t, size_t column, size_t i, size_t name_max,
                           struct buf *out)
{
	const struct fleet_group *g = &t->f->group[i];
	struct buf whole = {0};

	if (columns[column].kind == TABLE_CONFIDENCE)
		return fleet_model_confidence(g->confidence);
	if (columns[column].kind == TABLE_REPORT)
		return t->row[i].report;
	if (columns[column].kind == TABLE_MOSTLY)
		return fleet_model_mostly(g);
	if (columns[column].kind == TABLE_ENDS) {
		fleet_model_say_ends(g, out);
		return out->len ? buf_cstr(out) : NULL;
	}
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
		cJSON *one = model_json_row(all);
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

/* Level 1 takes a seventh of the time, and a fifth more bytes: it shows which packing is good
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

/* -- what fits into the page, which has 1 MB in all -------------------------------------------- */

/* Bytes of base64. What names and paths of more than so many bytes each take in the rows and in the
 * groups with pictures is not left for this. */
#define PACKED_MAX   ((size_t)424 * 1024)
#define PACKED_LEAST ((size_t)64 * 1024)
#define SHORT        32

/* Bytes of markup, with room to spare: of a group that is opened, and of each text in it. */
#define GROUP_MARKUP 1024
#define TEXT_MARKUP  80

/* Of a run in the list of the newest; and what all of these have in any case. */
#define RUN_MARKUP   110
#define NEWEST_LEAST ((size_t)8 * 1024)

static size_t html_length(const cJSON *row, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, key));
	size_t n = 0;

	for (; text && *text; text++)
		n += strchr("<>&\"'`", *text) ? sizeof "&quot;" - 1 : 1;
	return n;
}

/* Bytes beyond a short text. */
static size_t long_text(const cJSON *row, const char *key)
{
	size_t n = html_length(row, key);

	return n > SHORT ? n - SHORT : 0;
}

static size_t packed_max(const cJSON *groups)
{
	const cJSON *row, *worst;
	size_t taken = 0, i = 0;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(groups, "rows")) {
		const cJSON *detail = cJSON_GetObjectItemCaseSensitive(row, "detail");
		bool opened = i++ < FLEET_MODEL_PICTURES;
		taken += long_text(row, "name") * (opened ? 3 : 1);
		taken += opened ? long_text(row, "report") : 0;
		if (!opened)
			continue;
		taken += long_text(detail, "runs_command");
		cJSON_ArrayForEach (worst, cJSON_GetObjectItemCaseSensitive(detail, "worst"))
			taken += long_text(worst, "source") + long_text(worst, "host") +
			         long_text(worst, "user") + long_text(worst, "report");
	}
	return taken < PACKED_MAX - PACKED_LEAST ? PACKED_MAX - taken : PACKED_LEAST;
}

/* Of the rows of one part of a group that is opened. */
static size_t part_length(const cJSON *detail, const char *part)
{
	const cJSON *row, *value;
	size_t n = 0;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(detail, part))
		cJSON_ArrayForEach (value, row)
			n +=
			    TEXT_MARKUP + (cJSON_IsObject(value) ? html_length(value, "text")
			                                         : html_length(row, value->string));
	return n;
}

static size_t opened_length(const cJSON *row, const cJSON *detail)
{
	return GROUP_MARKUP + 2 * html_length(row, "name") + html_length(row, "report") +
	       part_length(detail, "formulas") + part_length(detail, "worst") +
	       part_length(detail, "snippets");
}

/* Shows the newest run of each group that has pictures, then the next of each, while there is room.
 * The rest of the room. */
static size_t show_newest(cJSON *groups, size_t left)
{
	cJSON *row, *run;

	for (int k = 0; k < CATALOG_NEWEST; k++) {
		size_t i = 0;
		cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(groups, "rows")) {
			const cJSON *detail = cJSON_GetObjectItemCaseSensitive(row, "detail");
			size_t n = RUN_MARKUP;
			if (i++ == FLEET_MODEL_PICTURES)
				break;
			run = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(detail, "newest"),
			                         k);
			if (!run)
				continue;
			n += html_length(run, "source") + html_length(run, "report") +
			     html_length(run, "end");
			cJSON_AddBoolToObject(run, "shown", n <= left);
			left -= n <= left ? n : left;
		}
	}
	return left;
}

static void open_groups(cJSON *groups, size_t left)
{
	size_t i = 0;
	cJSON *row;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(groups, "rows")) {
		const cJSON *detail = cJSON_GetObjectItemCaseSensitive(row, "detail");
		bool known = cJSON_IsObject(detail), pictures = i++ < FLEET_MODEL_PICTURES;
		size_t n = known && !pictures ? opened_length(row, detail) : 0;
		cJSON_AddBoolToObject(row, "opens", known && n <= left);
		left -= n <= left ? n : 0;
	}
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
	size_t n, max = packed_max(groups);

	if (fill_rows(&t))
		return;
	add_table_columns(table, in);
	rows = cJSON_AddArrayToObject(table, "rows");
	for (size_t i = 0; i < f->n; i++)
		add_raw_row(rows, &t, i, &text, &name);
	fleet_model_add_rest(table, "rest", f, f->n, in);
	n = pack_within(&packed, &t, max);
	open_groups(groups, show_newest(groups, max + NEWEST_LEAST - packed.len));
	model_json_take(groups, "packed", &packed);
	model_json_number(groups, "packed_groups", (double)n);
	fleet_model_add_rest(groups, "rest", f, n, in);
	for (size_t i = 0; i < f->n; i++)
		free(t.row[i].report);
	free(t.row);
	buf_free(&name);
	buf_free(&text);
}
