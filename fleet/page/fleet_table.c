/* fleet_table: a table of the model by columns. */
#include "fleet/page/fleet_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/json/json_write.h"

const struct fleet_table_form fleet_table_whole = {.text_max = MODEL_JSON_TEXT_MAX, .iso = true};

/* The unit of the values for the page's script. */
static const char *column_unit(const struct fleet_table_column *column, const char *currency)
{
	static const char *const units[] = {[FLEET_TABLE_SHARE] = "share",
	                                    [FLEET_TABLE_CHANGE] = "change",
	                                    [FLEET_TABLE_TIME] = "day",
	                                    [FLEET_TABLE_TEXT] = ""};

	if (column->kind != FLEET_TABLE_NUMBER)
		return units[column->kind];
	if (units_is_money(column->unit))
		return currency && *currency ? currency : "USD";
	return units_name(column->unit);
}

void fleet_table_heads(cJSON *table, const struct fleet_table_column *column, size_t n,
                       const char *currency)
{
	static const char *const kinds[] = {[FLEET_TABLE_NUMBER] = "number",
	                                    [FLEET_TABLE_SHARE] = "number",
	                                    [FLEET_TABLE_CHANGE] = "number",
	                                    [FLEET_TABLE_TIME] = "time",
	                                    [FLEET_TABLE_TEXT] = "text"};
	cJSON *all = cJSON_AddArrayToObject(table, "columns");

	for (size_t c = 0; c < n; c++) {
		bool number = column[c].kind == FLEET_TABLE_NUMBER;
		cJSON *one = model_json_row(all);
		cJSON_AddStringToObject(one, "id", column[c].id);
		cJSON_AddStringToObject(one, "label", column[c].label);
		cJSON_AddStringToObject(one, "unit",
		                        number ? column_unit(&column[c], currency) : "");
		cJSON_AddStringToObject(one, "kind", kinds[column[c].kind]);
	}
}

/* -- values ------------------------------------------------------------------------------------ */

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

static void add_number(struct buf *out, double v, int digits, double exact)
{
	char text[32];

	if (digits)
		add_short_number(out, v, digits, exact);
	else
		buf_add(out, text, json_write_number_text(v, text));
}

static void add_cut(struct buf *out, const char *text, size_t max)
{
	struct buf cut = {0};

	model_json_cut_text(&cut, text, max);
	json_write_quote(out, buf_cstr(&cut), cut.len);
	buf_free(&cut);
}

void fleet_table_add(struct buf *out, const struct fleet_table_column *column,
                     struct fleet_table_cell cell, const struct fleet_table_form *form)
{
	char iso[UNITS_SIZE] = "";

	buf_str(out, out->len ? "," : "");
	if (column->kind == FLEET_TABLE_TIME && form->iso)
		cell.text = units_time_iso(cell.number, iso);
	if (column->kind == FLEET_TABLE_TEXT || (column->kind == FLEET_TABLE_TIME && form->iso)) {
		if (cell.text && *cell.text)
			add_cut(out, cell.text, form->text_max);
		else
			buf_str(out, "null");
	} else if (!isfinite(cell.number)) {
		buf_str(out, "null");
	} else if (column->kind == FLEET_TABLE_TIME) {
		add_number(out, round(cell.number), 0, 0);
	} else {
		bool share =
		    column->kind == FLEET_TABLE_SHARE || column->kind == FLEET_TABLE_CHANGE;
		add_number(out, cell.number, share ? form->share_digits : form->digits,
		           form->exact);
	}
}

void fleet_table_take_row(cJSON *rows, struct buf *values)
{
	struct buf text = {0};
	cJSON *row;

	buf_printf(&text, "[%s]", buf_cstr(values));
	row = text.failed || values->failed ? NULL : cJSON_CreateRaw(buf_cstr(&text));
	if (!alloc_failed_note(row) || !cJSON_AddItemToArray(rows, row))
		cJSON_Delete(row);
	buf_free(&text);
	buf_clear(values);
}

/* -- packed ------------------------------------------------------------------------------------ */

/* Appends [id, label, unit, head], after a comma unless out is empty. */
static void pack_head(struct buf *out, const struct fleet_table_column *column,
                      const char *currency)
{
	const char *head = *column->head ? column->head : column->label;
	const char *part[] = {column->id, column->label, column_unit(column, currency), head};

	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		const char *comma = out->len ? "," : "";
		buf_printf(out, "%s%s", comma, i ? "" : "[");
		json_write_quote(out, part[i], strlen(part[i]));
	}
	buf_char(out, ']');
}

int fleet_table_pack(struct buf *out, const struct fleet_table_column *column,
                     const struct buf *values, size_t n, const char *currency, int level)
{
	struct buf heads = {0}, all = {0}, json = {0}, zipped = {0};
	struct err e = {0};
	int failed;

	for (size_t c = 0; c < n; c++) {
		if (!values[c].len)
			continue;
		pack_head(&heads, &column[c], currency);
		buf_printf(&all, "%s[%s]", all.len ? "," : "", buf_cstr(&values[c]));
		all.failed |= values[c].failed;
	}
	buf_printf(&json, "{\"columns\":[%s],\"values\":[%s]}", buf_cstr(&heads), buf_cstr(&all));
	buf_clear(out);
	failed = heads.failed || all.failed || json.failed ||
	         gz_pack(&zipped, buf_cstr(&json), json.len, level, &e);
	if (!failed)
		base64_add(out, zipped.s, zipped.len);
	buf_free(&heads);
	buf_free(&all);
	buf_free(&json);
	buf_free(&zipped);
	if (failed || out->failed)
		alloc_failed_note(NULL);
	return failed || out->failed ? -1 : 0;
}
