/* runs_model_make: the list of runs as one JSON tree. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/json/json_write.h"
#include "report/model_runs/runs_model_parts.h"
#include "report/units/model_json.h"

#define NAME_MAX_SHOWN ((size_t)128)
#define GZIP_LEVEL     6

/* What fits into the page, which has 1 MB in all: bytes of markup of a row, and of the rows and what
 * the script has of them. Of that, gzip and base64 make four thirds at most. */
#define ROW_MARKUP ((size_t)520)
#define ROWS_BYTES ((size_t)880000)

enum runs_column {
#define COLUMN(id, ...) RUNS_COLUMN_##id,
#include "report/model_runs/runs_model_columns.def"
#undef COLUMN
	RUNS_COLUMNS
};

enum runs_kind { RUNS_NUMBER, RUNS_SHARE, RUNS_TIME, RUNS_TEXT };

static const struct runs_column_row {
	const char *id, *label;
	enum unit unit;
	enum runs_kind kind;
	bool pack;
	int column, over;
} columns[RUNS_COLUMNS] = {
#define NONE (-1)
#define COLUMN(id, key, label, unit, kind, pack, column, over, value)                              \
	{key, label, UNIT_##unit, RUNS_##kind, pack, column, over},
#include "report/model_runs/runs_model_columns.def"
#undef COLUMN
};

/* The value of a column: one of both, by its kind. */
struct cell {
	double number;
	const char *text;
};

static struct cell number_cell(double v)
{
	return (struct cell){v, ""};
}

static struct cell text_cell(const char *v)
{
	return (struct cell){NAN, v};
}

static void fill_cells(const struct runs_values *r, struct cell out[RUNS_COLUMNS])
{
#define COLUMN(id, key, label, unit, kind, pack, column, over, value)                              \
	out[RUNS_COLUMN_##id] =                                                                    \
	    _Generic(value, const char *: text_cell, double: number_cell)(value);
#include "report/model_runs/runs_model_columns.def"
#undef COLUMN
}

struct runs_model {
	struct runs_model_input in;
	cJSON *tree, *rows, *table, *nextflow;
	size_t n, shown, left; /* left: bytes of the page */
	bool gpus, cost, accounts, origins;
	struct buf packed[RUNS_COLUMNS]; /* what the script has of each column: JSON */
	struct buf text;
};

/* -- one run ----------------------------------------------------------------------------------- */

static void add_quantity(cJSON *row, const char *key, enum unit u, double v,
                         const struct runs_model_input *in)
{
	if (isfinite(v) && units_is_money(u))
		model_json_money(row, key, u, v, in->currency);
	else if (isfinite(v))
		model_json_quantity(row, key, u, v);
	else
		model_json_as_text(row, key, u, v, "unknown");
}

/* "8 → 1.00", "64.0 GiB → 3.20 GiB", "– → unknown". */
static void add_arrow(cJSON *row, const char *key, const char *asked, const char *used)
{
	model_json_printf(row, key, "%s → %s", asked, used);
}

/* What is known of it: lines of a cell. */
static void add_unused(cJSON *row, const struct cell *cell)
{
	static const enum runs_column shown[] = {
	    RUNS_COLUMN_CORES_UNUSED, RUNS_COLUMN_MEMORY_UNUSED, RUNS_COLUMN_GPUS_UNUSED};
	cJSON *lines = cJSON_AddArrayToObject(row, "unused");
	char text[64];

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (isfinite(cell[shown[i]].number))
			model_json_cut(
			    lines, NULL,
			    units_text(columns[shown[i]].unit, cell[shown[i]].number, NULL, text),
			    sizeof text);
	if (!cJSON_GetArraySize(lines))
		model_json_cut(lines, NULL, "unknown", sizeof text);
}

static void add_amounts(cJSON *row, const struct runs_values *r, const struct cell *cell,
                        const struct runs_model_input *in)
{
	static const enum runs_column shown[] = {
	    RUNS_COLUMN_WALL,          RUNS_COLUMN_TIME_ASKED,   RUNS_COLUMN_CPUS_ASKED,
	    RUNS_COLUMN_CPUS_USED,     RUNS_COLUMN_MEMORY_ASKED, RUNS_COLUMN_MEMORY_PEAK,
	    RUNS_COLUMN_GPUS_ASKED,    RUNS_COLUMN_GPUS_USED,    RUNS_COLUMN_CORES_UNUSED,
	    RUNS_COLUMN_MEMORY_UNUSED, RUNS_COLUMN_GPUS_UNUSED,  RUNS_COLUMN_COST};
	static const enum runs_column shares[] = {
	    RUNS_COLUMN_CPU_EFFICIENCY, RUNS_COLUMN_MEMORY_EFFICIENCY, RUNS_COLUMN_GPU_EFFICIENCY};
	char asked[64], used[64];

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		add_quantity(row, columns[shown[i]].id, columns[shown[i]].unit,
		             cell[shown[i]].number, in);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		double share = cell[shares[i]].number;
		model_json_as_text(row, columns[shares[i]].id, UNIT_PERCENT, 100 * share,
		                   isfinite(share) ? units_share(share, used) : "");
	}
	add_arrow(row, "cpus_text", isnan(r->asked_cpus) ? "–" : units_count(r->asked_cpus, asked),
	          isnan(r->cpus) ? "unknown" : units_cores(r->cpus, used));
	add_arrow(row, "memory_text",
	          isnan(r->asked_memory_b) ? "–" : units_bytes(r->asked_memory_b, asked),
	          isnan(r->memory_b) ? "unknown" : units_bytes(r->memory_b, used));
	add_arrow(row, "gpus_text", isnan(r->asked_gpus) ? "–" : units_count(r->asked_gpus, asked),
	          isnan(r->gpus) ? "unknown" : units_cores(r->gpus, used));
	add_unused(row, cell);
	cJSON_AddBoolToObject(row, "gpus_known", r->asked_gpus > 0 || r->gpus > 0);
}

static const char *or_word(const char *text)
{
	return *text ? text : "unknown";
}

static void add_words(cJSON *row, const struct runs_values *r)
{
	char start[UNITS_SIZE];
	cJSON *end;

	model_json_cut(row, "id", r->id, NAME_MAX_SHOWN);
	model_json_cut(row, "name", or_word(r->name), NAME_MAX_SHOWN);
	model_json_cut(row, "user", or_word(r->user), NAME_MAX_SHOWN / 2);
	model_json_cut_or_null(row, "account", r->account, NAME_MAX_SHOWN / 2);
	model_json_cut_or_null(row, "host", r->host, NAME_MAX_SHOWN / 2);
	model_json_time(row, "start", r->start);
	model_json_printf(row, "start_text", "%.16s",
	                  isnan(r->start) ? "unknown" : units_time_text(r->start, start));
	end = cJSON_AddObjectToObject(row, "end");
	model_json_cut(end, "text", r->end, NAME_MAX_SHOWN);
	cJSON_AddStringToObject(end, "level", r->level);
	model_json_cut(row, "origin", or_word(r->origin), NAME_MAX_SHOWN / 4);
	cJSON_AddBoolToObject(row, "elsewhere",
	                      strcmp(r->origin, import_origins[IMPORT_RECORDED]) != 0);
	cJSON_AddNumberToObject(row, "recordings", r->recordings);
	if (r->recordings > 1)
		model_json_printf(row, "recordings_text", "%s recordings",
		                  UNITS_COUNT(r->recordings));
	else
		cJSON_AddNullToObject(row, "recordings_text");
	model_json_cut(row, "source", or_word(r->source), MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(row, "report", r->report, MODEL_JSON_TEXT_MAX);
}

/* -- what the page's script has ---------------------------------------------------------------- */

static void add_cell_json(struct buf *out, const struct runs_column_row *column,
                          const struct cell *cell, size_t text_max)
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
static struct cell short_cell(const struct runs_column_row *column, const struct cell *cell)
{
	struct cell out = *cell;
	char text[32];

	if (column->kind == RUNS_NUMBER || column->kind == RUNS_SHARE) {
		snprintf(text, sizeof text, "%.4g", cell->number);
		out.number = strtod(text, NULL);
	} else if (column->kind == RUNS_TIME) {
		out.number = round(cell->number);
	}
	return out;
}

static size_t html_length(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += strchr("<>&\"'`", *text) ? sizeof "&quot;" - 1 : 1;
	return n;
}

/* Bytes of texts in the row, as escaped. */
static size_t row_length(const cJSON *row)
{
	static const char *const keys[] = {"id",   "name",   "user",   "account",
	                                   "host", "origin", "report", "recordings_text"};
	const char *end = cJSON_GetStringValue(
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(row, "end"), "text"));
	size_t n = ROW_MARKUP + html_length(end ? end : "");

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *text =
		    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, keys[i]));
		n += html_length(text ? text : "");
	}
	return n;
}

/* Whether the page has room for the row; then the script has it as well. */
static bool pack_row(struct runs_model *m, const cJSON *row, const struct cell *cell)
{
	size_t before[RUNS_COLUMNS], taken = row_length(row), packed = 0;

	if (m->shown + 1 < m->n) /* an earlier row had no room: the order has no gaps */
		return false;
	for (size_t c = 0; c < RUNS_COLUMNS; c++) {
		struct cell one = short_cell(&columns[c], &cell[c]);
		before[c] = m->packed[c].len;
		if (!columns[c].pack)
			continue;
		buf_str(&m->packed[c], before[c] ? "," : "");
		add_cell_json(&m->packed[c], &columns[c], &one, NAME_MAX_SHOWN / 2);
		packed += m->packed[c].len - before[c];
	}
	taken += packed + packed / 3;
	if (taken <= m->left) {
		m->left -= taken;
		m->shown++;
		return true;
	}
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		m->packed[c].len = before[c];
	return false;
}

static void add_packed(struct runs_model *m, cJSON *runs)
{
	struct buf json = {0}, zipped = {0}, out = {0};
	struct err e = {0};
	const char *comma = "";

	buf_str(&json, "{\"columns\":[");
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (columns[c].pack) {
			buf_printf(&json, "%s\"%s\"", comma, columns[c].id);
			comma = ",";
		}
	buf_str(&json, "],\"values\":");
	comma = "[";
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (columns[c].pack) {
			buf_printf(&json, "%s[", comma);
			buf_add(&json, buf_cstr(&m->packed[c]), m->packed[c].len);
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
static void add_table_row(struct runs_model *m, const struct cell *cell)
{
	char iso[UNITS_SIZE];
	cJSON *row;

	buf_clear(&m->text);
	for (size_t c = 0; c < RUNS_COLUMNS; c++) {
		buf_char(&m->text, c ? ',' : '[');
		if (columns[c].kind == RUNS_TIME) {
			units_time_iso(cell[c].number, iso);
			if (*iso)
				json_write_quote(&m->text, iso, strlen(iso));
			else
				buf_str(&m->text, "null");
			continue;
		}
		add_cell_json(&m->text, &columns[c], &cell[c], MODEL_JSON_TEXT_MAX);
	}
	buf_char(&m->text, ']');
	row = m->text.failed ? NULL : cJSON_CreateRaw(buf_cstr(&m->text));
	if (!alloc_failed_note(row) || !cJSON_AddItemToArray(m->table, row))
		cJSON_Delete(row);
}

static void add_table_columns(cJSON *table, const struct runs_model_input *in)
{
	cJSON *all = cJSON_AddArrayToObject(table, "columns");

	for (size_t c = 0; c < RUNS_COLUMNS; c++) {
		const struct runs_column_row *column = &columns[c];
		const char *unit = column->kind == RUNS_NUMBER ? units_name(column->unit) : "";
		cJSON *one = model_json_row(all);
		if (units_is_money(column->unit))
			unit = in->currency && *in->currency ? in->currency : "USD";
		cJSON_AddStringToObject(one, "id", column->id);
		cJSON_AddStringToObject(one, "label", column->label);
		cJSON_AddStringToObject(one, "unit", unit);
		cJSON_AddStringToObject(one, "kind",
		                        column->kind == RUNS_TEXT   ? "text"
		                        : column->kind == RUNS_TIME ? "time"
		                                                    : "number");
	}
}

int runs_model_add(void *model, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	struct runs_model *m = model;
	struct cell cell[RUNS_COLUMNS];
	struct runs_values r;
	cJSON *row;

	runs_values_fill(&r, v, &m->in);
	fill_cells(&r, cell);
	m->n++;
	m->gpus |= r.asked_gpus > 0 || r.gpus > 0;
	m->cost |= isfinite(r.cost);
	m->accounts |= *r.account != '\0';
	m->origins |= strcmp(r.origin, import_origins[IMPORT_RECORDED]) != 0;
	add_table_row(m, cell);
	if (m->in.nextflow)
		runs_model_add_nextflow(m->nextflow, &r);
	if (m->n <= RUNS_MODEL_ROWS) {
		row = model_json_row(m->rows);
		add_words(row, &r);
		add_amounts(row, &r, cell, &m->in);
		cJSON_AddBoolToObject(row, "shown", pack_row(m, row, cell));
		cJSON_AddBoolToObject(row, "top",
		                      m->n <= (m->in.top ? m->in.top : RUNS_MODEL_TEXT));
	}
	runs_values_free(&r);
	return alloc_failed() ? err_set(e, "%s", strerror(ENOMEM)) : 0;
}

/* -- the order --------------------------------------------------------------------------------- */

static bool is_up(const char *sort)
{
	return *sort != '-';
}

int runs_model_sort(const char *text, const struct fleet_rates *rates, struct catalog_order *out,
                    struct err *e)
{
	const char *word = text + !is_up(text);

	*out = (struct catalog_order){.column = -1, .over = -1, .up = is_up(text)};
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (strcmp(columns[c].id, word) == 0) {
			out->column = columns[c].column;
			out->over = columns[c].over;
		}
	if (strcmp(word, columns[RUNS_COLUMN_COST].id) == 0) {
		if (!(rates->cpu > 0 || rates->memory > 0 || rates->gpu > 0))
			return err_set(e,
			               "--sort %s needs --rate-cpu, --rate-memory or "
			               "--rate-gpu: prices of machines are asked for after the "
			               "runs are chosen",
			               word);
		*out = (struct catalog_order){
		    .over = -1,
		    .up = is_up(text),
		    .rate = {rates->cpu / 3600, rates->memory / 3600 / 0x1p30, rates->gpu / 3600}};
		return 0;
	}
	for (int i = 0; out->column < 0 && i < CATALOG_COLUMNS; i++)
		if (strcmp(catalog_columns[i].name, word) == 0)
			out->column = i;
	if (out->column >= 0)
		return 0;
	err_set(e,
	        "--sort: runs have no \"%.64s\" to sort by; columns are start, wall, name, user, "
	        "end, cpus_asked, cpus_used, cpu_efficiency, memory_asked, memory_peak, "
	        "memory_efficiency, cores_unused, memory_unused, cost, and those of "
	        "docs/catalog.md; -COLUMN is the largest first",
	        word);
	return -1;
}

static void add_sort(cJSON *runs, const char *sort)
{
	cJSON *one = cJSON_AddObjectToObject(runs, "sort");
	const char *word = sort ? sort + !is_up(sort) : "start";
	const char *label = word;
	bool up = sort && is_up(sort);

	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		if (strcmp(columns[c].id, word) == 0)
			label = columns[c].label;
	cJSON_AddStringToObject(one, "id", word);
	cJSON_AddBoolToObject(one, "up", up);
	if (strcmp(word, "start") == 0)
		cJSON_AddStringToObject(one, "text", up ? "the oldest first" : "the newest first");
	else
		model_json_printf(one, "text", "by “%s”, %s", label,
		                  up ? "ascending" : "descending");
}

/* -- the tree ---------------------------------------------------------------------------------- */

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

static void add_filters(cJSON *model, const struct runs_model_input *in)
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

static void add_failed_inputs(cJSON *model, const struct runs_model_sums *sums)
{
	cJSON *inputs = cJSON_AddArrayToObject(model, "inputs");
	struct buf more = {0};

	for (size_t i = 0; i < sums->n_failed; i++) {
		cJSON *one = model_json_row(inputs);
		model_json_cut(one, "error", sums->failed[i].msg, MODEL_JSON_TEXT_MAX);
	}
	if (sums->all_failed > sums->n_failed)
		buf_printf(&more, "%s more files could not be read.",
		           UNITS_COUNT((double)(sums->all_failed - sums->n_failed)));
	model_json_take(model, "inputs_more", &more);
	cJSON_AddBoolToObject(model, "has_inputs_left_out", sums->all_failed > 0);
}

/* "All 12 runs", "1,000 of 12,345 runs". */
static void say_how_many(cJSON *runs, const char *key, size_t n, double all, const char *order)
{
	if ((double)n >= all)
		model_json_printf(runs, key, "%s%s run%s, %s", n > 1 ? "All " : "",
		                  n == 1 ? "One" : UNITS_COUNT((double)n), n == 1 ? "" : "s",
		                  order);
	else
		model_json_printf(runs, key, "%s of %s runs, %s", UNITS_COUNT((double)n),
		                  UNITS_COUNT(all), order);
}

static void add_counts(struct runs_model *m, cJSON *runs, const double count[CATALOG_CLASSES])
{
	const char *order = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(runs, "sort"), "text"));
	double all = 0, impossible = count[CATALOG_IMPOSSIBLE];
	size_t top = m->in.top ? m->in.top : RUNS_MODEL_TEXT;
	struct buf left_out = {0};

	for (int k = 0; k < CATALOG_CLASSES; k++)
		all += k == CATALOG_IMPOSSIBLE ? 0 : count[k];
	/* Another process may add or remove runs meanwhile. */
	all = fmax(all, (double)m->n);
	top = top < m->n ? top : m->n;
	top = top < RUNS_MODEL_ROWS ? top : RUNS_MODEL_ROWS;
	cJSON_AddBoolToObject(runs, "known", m->n > 0);
	cJSON_AddNumberToObject(runs, "total", all);
	cJSON_AddNumberToObject(runs, "listed", (double)m->n);
	cJSON_AddNumberToObject(runs, "shown", (double)m->shown);
	say_how_many(runs, "text", m->shown, all, order ? order : "");
	say_how_many(runs, "top_text", top, all, order ? order : "");
	if (impossible > 0)
		buf_printf(&left_out, "%s run%s whose numbers cannot be true %s left out.",
		           UNITS_COUNT(impossible), impossible == 1 ? "" : "s",
		           impossible == 1 ? "is" : "are");
	model_json_take(runs, "left_out", &left_out);
}

struct runs_model *runs_model_begin(const struct runs_model_input *in)
{
	struct runs_model *m = alloc_failed_note(calloc(1, sizeof *m));
	cJSON *runs, *table;

	if (!m)
		return NULL;
	m->in = *in;
	m->left = ROWS_BYTES;
	m->tree = cJSON_CreateObject();
	model_json_head(m->tree, RUNS_MODEL_FORMAT, in->integration, in->now,
	                in->title ? in->title : "Runs");
	add_filters(m->tree, in);
	runs = cJSON_AddObjectToObject(m->tree, "runs");
	add_sort(runs, in->sort);
	m->rows = cJSON_AddArrayToObject(runs, "rows");
	table = cJSON_AddObjectToObject(runs, "table");
	add_table_columns(table, in);
	m->table = cJSON_AddArrayToObject(table, "rows");
	if (in->nextflow)
		m->nextflow = cJSON_AddArrayToObject(m->tree, "nextflow");
	return m;
}

static void finish_tree(struct runs_model *m, const struct runs_model_sums *sums)
{
	cJSON *runs = cJSON_GetObjectItemCaseSensitive(m->tree, "runs");

	model_json_cut(m->tree, "source", sums->source, MODEL_JSON_TEXT_MAX);
	cJSON_AddBoolToObject(m->tree, "has_cost", m->cost);
	cJSON_AddBoolToObject(m->tree, "has_gpus", m->gpus);
	cJSON_AddBoolToObject(m->tree, "has_accounts", m->accounts);
	cJSON_AddBoolToObject(m->tree, "has_origins", m->origins);
	model_json_cut(m->tree, "money_basis", sums->money_basis, MODEL_JSON_TEXT_MAX);
	model_json_cut(m->tree, "attribution", sums->attribution ? sums->attribution : "",
	               MODEL_JSON_TEXT_MAX);
	add_counts(m, runs, sums->count);
	add_packed(m, runs);
	add_failed_inputs(m->tree, sums);
}

cJSON *runs_model_end(struct runs_model *m, const struct runs_model_sums *sums)
{
	cJSON *tree = m->tree;

	if (sums)
		finish_tree(m, sums);
	if (!sums || alloc_failed()) {
		cJSON_Delete(tree);
		tree = NULL;
	}
	for (size_t c = 0; c < RUNS_COLUMNS; c++)
		buf_free(&m->packed[c]);
	buf_free(&m->text);
	free(m);
	return tree;
}
