/* page_model: the model that a page carries, read. */
#include "report/units/page_model.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/base/standard_input.h"
#include "core/json/json_tree.h"
#include "report/units/model_json.h"
#include "report/units/packed_points.h"
#include "report/units/page_model_short.h"

/* -- what is elsewhere in the page ------------------------------------------------------------- */

static cJSON *get_item(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

static bool is_in_page(const cJSON *o, const char *key)
{
	const char *text = cJSON_GetStringValue(get_item(o, key));

	return text && strcmp(text, PAGE_MODEL_MARK) == 0;
}

/* value NULL: null. */
static void fill_in(cJSON *o, const char *key, cJSON *value)
{
	if (!value)
		value = alloc_failed_note(cJSON_CreateNull());
	if (!cJSON_ReplaceItemInObjectCaseSensitive(o, key, value))
		cJSON_Delete(value);
}

static cJSON *string_of(struct page_text text)
{
	struct buf copy = {0};
	cJSON *v = NULL;

	buf_add(&copy, text.s, text.n);
	if (!copy.failed)
		v = alloc_failed_note(cJSON_CreateString(buf_cstr(&copy)));
	buf_free(&copy);
	return v;
}

static void fill_points(cJSON *chart, const cJSON *there, size_t *room)
{
	bool packed = is_in_page(chart, "packed"), data = is_in_page(chart, "data");
	cJSON *points = NULL, *unpacked = NULL;

	if (!packed && !data)
		return;
	if (*room && cJSON_IsObject(there))
		points = alloc_failed_note(cJSON_Duplicate(there, 1));
	if (packed && data && points) {
		unpacked = packed_points_data(points, room);
		if (!unpacked) {
			*room = 0; /* the page is hostile */
			cJSON_Delete(points);
			points = NULL;
		}
	}
	if (!points)
		fill_in(chart, "known", cJSON_CreateFalse());
	if (packed && data)
		fill_in(chart, "data", unpacked);
	fill_in(chart, packed ? "packed" : "data", points);
}

/* A picture without one of its lines is none. */
static void fill_picture(cJSON *chart, struct page_text section)
{
	cJSON *series = get_item(get_item(chart, "svg"), "series"), *one;
	struct page_text line, band;
	bool whole = true;

	cJSON_ArrayForEach (one, series) {
		bool there = whole && page_text_series(&section, &line, &band);
		if (!is_in_page(one, "line"))
			continue;
		whole = there;
		if (!whole)
			break;
		fill_in(one, "line", string_of(line));
		fill_in(one, "band", string_of(band));
	}
	if (!whole)
		fill_in(chart, "svg", NULL);
}

struct base64_source {
	const struct buf *bytes;
};

static long read_decoded(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	const struct buf *b = ctx;
	size_t left = at < b->len ? b->len - (size_t)at : 0;

	(void)e;
	n = n < left ? n : left;
	memcpy(p, b->s + at, n);
	return (long)n;
}

static int inflate(struct page_text base64, struct buf *out, struct err *e)
{
	struct buf bytes = {0};
	const struct gz_source source = {.read = read_decoded, .ctx = &bytes};
	char *part = malloc(65536);
	struct gz_in *g = NULL;
	long n = -1;

	out->max = MODEL_JSON_MAX + 1;
	if (!part)
		err_set(e, "no memory");
	else if (base64_read(&bytes, base64.s, base64.n) || !bytes.len)
		err_set(e, "it is not base64");
	else
		g = gz_in_from(&source, MODEL_JSON_MAX, e);
	while (g && (n = gz_read(g, part, 65536, e)) > 0 && !out->failed)
		buf_add(out, part, (size_t)n);
	gz_in_free(g);
	free(part);
	buf_free(&bytes);
	return n == 0 && !out->failed ? 0 : -1;
}

/* What the page has gzipped, in base64; NULL if it has no such element. */
static cJSON *unpacked_of(struct page_text page, const char *id)
{
	struct page_text element = page_text_by_id(page, id, NULL);
	struct buf text = {0};
	struct err e = {{0}};
	cJSON *v = NULL;

	if (element.s && inflate(element, &text, &e) == 0)
		v = model_json_parse(&text, "the page", &e);
	buf_free(&text);
	return v;
}

static void fill_charts(cJSON *charts, struct page_text page)
{
	cJSON *all = charts ? unpacked_of(page, PAGE_TEXT_POINTS) : NULL, *chart;
	const cJSON *points = all ? all->child : NULL;
	struct page_text section;
	size_t room = JSON_TREE_VALUES_MAX; /* what --json writes may be read again */

	cJSON_ArrayForEach (chart, charts) {
		if (!page_text_chart(&page, &section))
			section = (struct page_text){"", 0};
		fill_points(chart, points, &room);
		fill_picture(chart, section);
		points = points ? points->next : NULL;
	}
	cJSON_Delete(all);
}

/* -- a fleet ----------------------------------------------------------------------------------- */

/* The values of a column, which no other column has. */
static const cJSON *values_of_column(const char *id, const cJSON *ids, const cJSON *values,
                                     cJSON *const *taken, size_t n)
{
	const cJSON *name, *list = values ? values->child : NULL, *found = NULL;

	cJSON_ArrayForEach (name, ids) {
		if (id && cJSON_IsString(name) && strcmp(name->valuestring, id) == 0)
			found = cJSON_IsArray(list) ? list->child : NULL;
		list = list ? list->next : NULL;
	}
	for (size_t i = 0; i < n; i++)
		found = taken[i] == found ? NULL : found;
	return found;
}

/* The rows of the table from the columns that the page has. A column that it does not have is
 * null. NULL: more values than a model may have. */
static cJSON *rows_of(const cJSON *packed, const cJSON *columns)
{
	const cJSON *ids = get_item(packed, "columns"), *values = get_item(packed, "values"),
		    *column;
	cJSON *rows = alloc_failed_note(cJSON_CreateArray()), *row, *cell[64] = {NULL};
	size_t n = 0, room = JSON_TREE_VALUES_MAX;

	cJSON_ArrayForEach (column, columns) {
		if (n == sizeof cell / sizeof *cell)
			break;
		cell[n] = (cJSON *)values_of_column(cJSON_GetStringValue(get_item(column, "id")),
		                                    ids, values, cell, n);
		n++;
	}
	for (const cJSON *first = cell[0]; first; first = first->next) {
		if (room < n) {
			cJSON_Delete(rows);
			return NULL;
		}
		room -= n;
		row = alloc_failed_note(cJSON_CreateArray());
		cJSON_AddItemToArray(rows, row);
		for (size_t i = 0; i < n; i++) {
			cJSON_AddItemToArray(row, cell[i] ? cJSON_Duplicate(cell[i], 0)
			                                  : cJSON_CreateNull());
			/* The first is what the loop goes by. */
			if (cell[i] && i)
				cell[i] = cell[i]->next;
		}
		cell[0] = first->next;
	}
	return rows;
}

static void fill_groups(cJSON *groups, struct page_text page)
{
	cJSON *table = get_item(groups, "table"), *packed = NULL, *rest = get_item(groups, "rest");
	struct page_text element = page_text_by_id(page, "fleet-table", NULL);

	if (!is_in_page(groups, "packed"))
		return;
	packed = unpacked_of(page, "fleet-table");
	if (is_in_page(table, "rows"))
		fill_in(table, "rows", rows_of(packed, get_item(table, "columns")));
	if (rest && get_item(table, "rest"))
		fill_in(table, "rest", cJSON_Duplicate(rest, 1));
	fill_in(groups, "packed", packed ? string_of(element) : NULL);
	cJSON_Delete(packed);
}

/* -- what is elsewhere in the model ------------------------------------------------------------ */

cJSON *page_model_statistics(const cJSON *column)
{
	static const char *const order[] = {"n", "min", "max", "mean", "sum", "sd", "p50", "p95"};
	cJSON *row = cJSON_IsObject(column) ? alloc_failed_note(cJSON_CreateArray()) : NULL;

	for (size_t i = 0; row && i < sizeof order / sizeof *order; i++) {
		const cJSON *v = get_item(column, order[i]);
		model_json_number(row, NULL, cJSON_IsNumber(v) ? v->valuedouble : (double)NAN);
	}
	return row;
}

static void fill_statistics(cJSON *model)
{
	cJSON *all = get_item(get_item(model, "recording"), "statistics"), *one, *next;
	const cJSON *columns = get_item(model, "columns");

	for (one = all ? all->child : NULL; one; one = next) {
		next = one->next;
		if (one->string && is_in_page(all, one->string))
			fill_in(all, one->string,
			        page_model_statistics(get_item(columns, one->string)));
	}
}

/* -- the element ------------------------------------------------------------------------------- */

static enum page_model_without without_of(struct page_text tag)
{
	for (int w = PAGE_MODEL_WITHOUT_CHARTS; w <= PAGE_MODEL_WITHOUT_ALL; w++)
		if (page_text_has(tag, "data-without",
		                  page_model_without_word((enum page_model_without)w)))
			return (enum page_model_without)w;
	return PAGE_MODEL_WITHOUT_NOTHING;
}

static int refuse_page(struct page_text page, struct page_text element,
                       enum page_model_without without, const char *name, struct err *e)
{
	if (!page_text_is_ours(page))
		return err_set(e, "%s: an HTML page, but not one that rtrack-report made", name);
	if (!element.s)
		return err_set(e,
		               "%s: this page carries no model (it was made with --no-model or by "
		               "an older version, or is not complete)",
		               name);
	return without == PAGE_MODEL_WITHOUT_ALL
	           ? err_set(e, "%s: this page had no room for its model", name)
	           : 0;
}

static cJSON *parse_model(struct page_text page, const char *name, bool whole,
                          enum page_model_without *without, struct err *e)
{
	struct page_text tag = {"", 0};
	struct page_text element = page_text_by_id(page, PAGE_TEXT_MODEL, &tag);
	struct buf text = {0};
	cJSON *model = NULL;

	*without = without_of(tag);
	if (refuse_page(page, element, *without, name, e))
		return NULL;
	if (inflate(element, &text, e)) {
		err_wrap(e, "%s: the model in this page is damaged", name);
	} else {
		model = model_json_parse(&text, name, e);
		if (whole) {
			fill_charts(get_item(model, "charts"), page);
			fill_groups(get_item(model, "groups"), page);
			page_model_short_restore(model);
		}
		fill_statistics(model);
	}
	buf_free(&text);
	if (!alloc_failed())
		return model;
	cJSON_Delete(model);
	err_set(e, "%s: no memory", name);
	return NULL;
}

cJSON *page_model_parse(struct page_text page, const char *name, enum page_model_without *without,
                        struct err *e)
{
	return parse_model(page, name, true, without, e);
}

/* -- files ------------------------------------------------------------------------------------- */

/* As much of a regular file as there is room for. */
static int read_text(const char *path, struct buf *out, size_t max, struct err *e)
{
	const char *name = standard_input_name(path);
	int fd = standard_input_open(path);
	char part[4096];
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return err_set(e, "%s: %s", name, strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		while (out->len < max && (n = read(fd, part, sizeof part)) > 0)
			buf_add(out, part, (size_t)n);
	else
		errno = EINVAL;
	n = n < 0 ? -1 : 0;
	if (n)
		err_set(e, "%s: %s", name, strerror(errno));
	close(fd);
	return (int)n;
}

static bool begins_as(const char *path, bool (*is)(struct page_text page))
{
	struct buf text = {0};
	struct stat st;
	bool found;

	/* A FIFO is opened once: its writer may be gone the second time. */
	if (!standard_input_is(path) && (stat(path, &st) || !S_ISREG(st.st_mode)))
		return false;
	found = read_text(path, &text, PAGE_TEXT_HEAD, NULL) == 0 &&
	        is((struct page_text){buf_cstr(&text), text.len});
	buf_free(&text);
	return found;
}

bool page_model_is_html(const char *path)
{
	return begins_as(path, page_text_is_html);
}

bool page_model_is_ours(const char *path)
{
	return begins_as(path, page_text_is_ours);
}

static bool has_row(struct page_text page)
{
	return page_text_is_ours(page) && page_text_by_id(page, PAGE_TEXT_ROW, NULL).s;
}

bool page_model_has_row(const char *path)
{
	return begins_as(path, has_row);
}

static cJSON *read_model(const char *path, bool whole, enum page_model_without *without,
                         struct err *e)
{
	struct buf text = {.max = PAGE_MODEL_READ_MAX + 8192};
	const char *name = standard_input_name(path);
	cJSON *model = NULL;

	if (read_text(path, &text, PAGE_MODEL_READ_MAX + 1, e) == 0) {
		if (text.failed || text.len > PAGE_MODEL_READ_MAX)
			err_set(e, "%s: %s", name,
			        text.failed ? "no memory" : "a page of more than 64 MiB");
		else
			model = parse_model((struct page_text){buf_cstr(&text), text.len}, name,
			                    whole, without, e);
	}
	buf_free(&text);
	return model;
}

cJSON *page_model_read(const char *path, enum page_model_without *without, struct err *e)
{
	return read_model(path, true, without, e);
}

cJSON *page_model_read_recording(const char *path, struct err *e)
{
	enum page_model_without without;

	return read_model(path, false, &without, e);
}
