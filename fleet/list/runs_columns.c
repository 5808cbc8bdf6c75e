/* runs_columns: the columns of the table of runs, their values as JSON, and how runs are ordered
 * by them. */
#include "fleet/list/runs_columns.h"

#include <math.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/json/json_write.h"
#include "fleet/groups/fleet_round.h"
#include "report/units/model_json.h"

#define GZIP_LEVEL   6
#define SHORT_DIGITS 4
#define PACKED_MAX   ((size_t)64) /* bytes of a text that the script has */

const struct runs_columns_row runs_columns[RUNS_COLUMNS] = {
#define NONE (-1)
#define COLUMN(id, key, label, unit, kind, pack, column, over, value)                              \
	{key, label, UNIT_##unit, RUNS_##kind, pack, column, over},
#include "fleet/catalog/listed_columns.def"
#undef COLUMN
};

static struct runs_cell runs_number_cell(double v)
{
	return (struct runs_cell){v, ""};
}

static struct runs_cell runs_text_cell(const char *v)
{
	return (struct runs_cell){NAN, v};
}

void runs_columns_fill(const struct runs_values *r, struct runs_cell out[RUNS_COLUMNS])
{
#define COLUMN(id, key, label, unit, kind, pack, column, over, value)                              \
	out[RUNS_COLUMN_##id] =                                                                    \
	    _Generic(value, const char *: runs_text_cell, double: runs_number_cell)(value);
#include "fleet/catalog/listed_columns.def"
#undef COLUMN
}

/* -- values ------------------------------------------------------------------------------------ */

static void add_cell_json(struct buf *out, const struct runs_columns_row *column,
                          const struct runs_cell *cell, size_t text_max)
{
	char number[32];
	struct buf text = {0};

	if (column->kind != RUNS_TEXT && isfinite(cell->number)) {
		buf_add(out, number, json_write_number_text(cell->number, number));
	} else if (column->kind == RUNS_TEXT && *cell->text) {
		model_json_cut_text(&text, cell->text, text_max);
		json_write_quote(out, buf_cstr(&text), text.len);
	} else {
		buf_str(out, "null");
	}
	buf_free(&text);
}

/* To the digits that are shown. */
static struct runs_cell short_cell(const struct runs_columns_row *column,
                                   const struct runs_cell *cell)
{
	struct runs_cell out = *cell;

	if (column->kind == RUNS_NUMBER || column->kind == RUNS_SHARE)
		out.number = fleet_round(cell->number, SHORT_DIGITS);
	else if (column->kind == RUNS_TIME)
		out.number = round(cell->number);
	return out;
}

size_t runs_columns_pack(const struct runs_cell *cell, struct buf packed[RUNS_COLUMNS])
{
	size_t taken = 0;

	for (size_t c = 0; c < RUNS_COLUMNS; c++) {
		struct runs_cell one = short_cell(&runs_columns[c], &cell[c]);
		size_t before = packed[c].len;
		if (!runs_columns[c].pack)
			continue;
		buf_str(&packed[c], before ? "," : "");
		add_cell_json(&packed[c], &runs_columns[c], &one, PACKED_MAX);
		taken += packed[c].len - before;
	}
	return taken;
}

void runs_columns_add_packed(cJSON *runs, const struct buf packed[RUNS_COLUMNS])
{
	struct buf json = {0}, zipped = {0}, out = {0};
	struct err e = {0};
	const char *comma = "";

	buf_str(&json, "{\"columns\":[");
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (runs_columns[c].pack) {
			buf_printf(&json, "%s\"%s\"", comma, runs_columns[c].id);
			comma = ",";
		}
	buf_str(&json, "],\"values\":");
	comma = "[";
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (runs_columns[c].pack) {
			buf_printf(&json, "%s[", comma);
			buf_add(&json, buf_cstr(&packed[c]), packed[c].len);
			buf_char(&json, ']');
			comma = ",";
		}
	buf_str(&json, "]}");
	if (json.failed || gz_pack(&zipped, buf_cstr(&json), json.len, GZIP_LEVEL, &e))
		alloc_failed_note(NULL);
	else
		base64_add(&out, zipped.s, zipped.len);
	model_json_take(runs, "packed", &out);
	buf_free(&json);
	buf_free(&zipped);
}

/* -- rows for programs ------------------------------------------------------------------------- */

/* A row is held as text: a hundred thousand rows of nodes would take 500 MB. */
void runs_columns_add_row(cJSON *rows, const struct runs_cell *cell, struct buf *text)
{
	char iso[UNITS_SIZE];
	cJSON *row;

	buf_clear(text);
	for (size_t c = 0; c < RUNS_COLUMNS; c++) {
		buf_char(text, c ? ',' : '[');
		if (runs_columns[c].kind == RUNS_TIME) {
			units_time_iso(cell[c].number, iso);
			if (*iso)
				json_write_quote(text, iso, strlen(iso));
			else
				buf_str(text, "null");
			continue;
		}
		add_cell_json(text, &runs_columns[c], &cell[c], MODEL_JSON_TEXT_MAX);
	}
	buf_char(text, ']');
	row = text->failed ? NULL : cJSON_CreateRaw(buf_cstr(text));
	if (!alloc_failed_note(row) || !cJSON_AddItemToArray(rows, row))
		cJSON_Delete(row);
}

void runs_columns_add_heads(cJSON *table, const char *currency)
{
	cJSON *all = cJSON_AddArrayToObject(table, "columns");

	for (size_t c = 0; c < RUNS_COLUMNS; c++) {
		const struct runs_columns_row *column = &runs_columns[c];
		const char *unit = column->kind == RUNS_NUMBER ? units_name(column->unit) : "";
		cJSON *one = model_json_row(all);
		if (units_is_money(column->unit))
			unit = currency && *currency ? currency : "USD";
		cJSON_AddStringToObject(one, "id", column->id);
		cJSON_AddStringToObject(one, "label", column->label);
		cJSON_AddStringToObject(one, "unit", unit);
		cJSON_AddStringToObject(one, "kind",
		                        column->kind == RUNS_TEXT   ? "text"
		                        : column->kind == RUNS_TIME ? "time"
		                                                    : "number");
	}
}

/* -- the order --------------------------------------------------------------------------------- */

void runs_columns_add_sort(cJSON *runs, const char *sort)
{
	cJSON *one = cJSON_AddObjectToObject(runs, "sort");
	const char *word = sort ? sort + (*sort == '-') : "start";
	const char *label = word;
	bool up = sort && *sort != '-';

	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (strcmp(runs_columns[c].id, word) == 0)
			label = runs_columns[c].label;
	cJSON_AddStringToObject(one, "id", word);
	cJSON_AddBoolToObject(one, "up", up);
	if (strcmp(word, "start") == 0)
		cJSON_AddStringToObject(one, "text", up ? "the oldest first" : "the newest first");
	else
		model_json_printf(one, "text", "by “%s”, %s", label,
		                  up ? "ascending" : "descending");
}
