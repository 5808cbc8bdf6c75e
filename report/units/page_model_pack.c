/* page_model_pack: the model as an element of the page, without what the page has anyway. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "report/units/model_json.h"
#include "report/units/packed_points.h"
#include "report/units/page_model.h"
#include "report/units/page_model_short.h"

#define LEVEL 6

static const struct {
	const char *word, *text;
} withouts[] = {
    [PAGE_MODEL_WITHOUT_CHARTS] = {"charts", "the charts of its model"},
    [PAGE_MODEL_WITHOUT_PAGE] = {"page",
                                 "more of its model than the history of other reports needs"},
    [PAGE_MODEL_WITHOUT_ALL] = {"all", "its model, so it cannot be an input"},
};

const char *page_model_without_word(enum page_model_without without)
{
	return withouts[without].word;
}

const char *page_model_without_text(enum page_model_without without)
{
	return withouts[without].text;
}

static const cJSON *packed_member(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* cJSON takes a reference as a pointer to what may change, but does not change it. */
static void refer(cJSON *parent, const char *key, const cJSON *item)
{
	cJSON *value = (cJSON *)(uintptr_t)item;
	bool done = key ? cJSON_AddItemReferenceToObject(parent, key, value)
	                : cJSON_AddItemReferenceToArray(parent, value);

	alloc_failed_note(done ? parent : NULL);
}

cJSON *page_model_view(const cJSON *object)
{
	cJSON *view = alloc_failed_note(cJSON_CreateObject());
	const cJSON *item;

	cJSON_ArrayForEach (item, object)
		if (view && item->string)
			refer(view, item->string, item);
	return view;
}

static void put_in_place(cJSON *view, const char *key, cJSON *value)
{
	if (!alloc_failed_note(value) || !cJSON_ReplaceItemInObjectCaseSensitive(view, key, value))
		cJSON_Delete(value);
}

static void leave_to_page(cJSON *view, const char *key)
{
	put_in_place(view, key, cJSON_CreateString(PAGE_MODEL_MARK));
}

/* -- charts ------------------------------------------------------------------------------------ */

/* As it stands in the page: no character of it is escaped there. */
static bool is_plain_path(const cJSON *path)
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ .,-";

	return cJSON_IsString(path) && *path->valuestring &&
	       !path->valuestring[strspn(path->valuestring, letters)];
}

static cJSON *series_in_page(const cJSON *series)
{
	const cJSON *band = packed_member(series, "band");
	bool plain = is_plain_path(packed_member(series, "line")) && cJSON_IsString(band) &&
	             (!*band->valuestring || is_plain_path(band));
	cJSON *view = page_model_view(series);

	if (plain) {
		leave_to_page(view, "line");
		leave_to_page(view, "band");
	}
	return view;
}

static cJSON *svg_in_page(const cJSON *svg)
{
	cJSON *view = page_model_view(svg), *all = alloc_failed_note(cJSON_CreateArray());
	const cJSON *one;

	cJSON_ArrayForEach (one, packed_member(svg, "series"))
		if (cJSON_IsObject(one))
			cJSON_AddItemToArray(all, series_in_page(one));
		else
			refer(all, NULL, one);
	put_in_place(view, "series", all);
	return view;
}

/* The page has "packed", and without that "data", where it shows the chart. */
static cJSON *chart_in_page(const cJSON *chart)
{
	const cJSON *packed = packed_member(chart, "packed"), *data = packed_member(chart, "data");
	cJSON *view = page_model_view(chart);
	struct packed_points points = {.n = 0};

	if (!cJSON_IsTrue(packed_member(chart, "known")))
		return view;
	if (cJSON_IsArray(packed_member(packed_member(chart, "svg"), "series")))
		put_in_place(view, "svg", svg_in_page(packed_member(chart, "svg")));
	if (cJSON_IsObject(data) && packed_points_read(packed, &points) == 0) {
		leave_to_page(view, "packed");
		leave_to_page(view, "data");
	} else if (!packed && cJSON_IsObject(data)) {
		leave_to_page(view, "data");
	}
	packed_points_free(&points);
	return view;
}

static cJSON *charts_in_page(const cJSON *charts)
{
	cJSON *all = alloc_failed_note(cJSON_CreateArray());
	const cJSON *one;

	cJSON_ArrayForEach (one, charts)
		if (cJSON_IsObject(one))
			cJSON_AddItemToArray(all, chart_in_page(one));
		else
			refer(all, NULL, one);
	return all;
}

/* -- a fleet ----------------------------------------------------------------------------------- */

static cJSON *groups_in_page(const cJSON *groups)
{
	const cJSON *packed = packed_member(groups, "packed"),
		    *table = packed_member(groups, "table");
	cJSON *view = page_model_view(groups), *rest;

	if (!cJSON_IsString(packed) || !*packed->valuestring || !cJSON_IsObject(table))
		return view;
	rest = page_model_view(table);
	leave_to_page(rest, "rows");
	leave_to_page(view, "packed");
	put_in_place(view, "table", rest);
	return view;
}

/* -- the element ------------------------------------------------------------------------------- */

/* What history needs: page_model_recording of a run. */
static cJSON *history_of_model(const cJSON *model)
{
	static const char *const kept[] = {"format", "version", "generator", "generated",
	                                   "title",  "run",     "status",    "recording"};
	cJSON *view = alloc_failed_note(cJSON_CreateObject());

	for (size_t i = 0; view && i < sizeof kept / sizeof *kept; i++)
		if (packed_member(model, kept[i]))
			refer(view, kept[i], packed_member(model, kept[i]));
	return view;
}

/* "columns" has most statistics of a recording, too. */
static cJSON *recording_beside(const cJSON *recording, const cJSON *columns)
{
	cJSON *view = page_model_view(recording);
	cJSON *rest = page_model_view(packed_member(recording, "statistics"));
	const cJSON *one;

	cJSON_ArrayForEach (one, packed_member(recording, "statistics")) {
		const char *key = one->string;
		cJSON *same = key ? page_model_statistics(packed_member(columns, key)) : NULL;
		if (same && cJSON_Compare(same, one, 1))
			leave_to_page(rest, key);
		cJSON_Delete(same);
	}
	put_in_place(view, "statistics", rest);
	return view;
}

static cJSON *model_in_page(const cJSON *model, enum page_model_without without)
{
	const cJSON *charts = packed_member(model, "charts"),
		    *groups = packed_member(model, "groups"),
		    *recording = packed_member(model, "recording");
	cJSON *view;

	if (without == PAGE_MODEL_WITHOUT_PAGE)
		return history_of_model(model);
	view = page_model_view(model);
	if (cJSON_IsArray(charts))
		put_in_place(view, "charts",
		             without == PAGE_MODEL_WITHOUT_CHARTS ? cJSON_CreateArray()
		                                                  : charts_in_page(charts));
	if (cJSON_IsObject(groups))
		put_in_place(view, "groups", groups_in_page(groups));
	if (cJSON_IsObject(packed_member(recording, "statistics")))
		put_in_place(view, "recording",
		             recording_beside(recording, packed_member(model, "columns")));
	return view;
}

static int pack_model(struct buf *out, const cJSON *model, enum page_model_without without,
                      struct err *e)
{
	struct json_write j = {.exponents = true};
	struct buf zipped = {0};
	cJSON *view;
	int failed = 0;

	buf_clear(out);
	buf_str(out, "<script type=\"application/gzip\" id=\"" PAGE_TEXT_MODEL "\"");
	if (without)
		buf_printf(out, " data-without=\"%s\"", withouts[without].word);
	buf_char(out, '>');
	view = without == PAGE_MODEL_WITHOUT_ALL ? NULL : model_in_page(model, without);
	if (view) {
		page_model_short_write(&j, NULL, view);
		failed =
		    !json_write_finish(&j) || gz_pack(&zipped, buf_cstr(&j.b), j.b.len, LEVEL, e);
		base64_add(out, zipped.s, failed ? 0 : zipped.len);
	}
	buf_str(out, "</script>\n");
	json_write_free(&j);
	buf_free(&zipped);
	cJSON_Delete(view);
	return failed || out->failed || alloc_failed() ? err_set(e, "no memory for the model") : 0;
}

int page_model_pack(struct buf *out, const cJSON *model, size_t page,
                    enum page_model_without *without, struct err *e)
{
	bool run = cJSON_IsObject(packed_member(model, "recording"));

	for (int w = PAGE_MODEL_WITHOUT_NOTHING; w <= PAGE_MODEL_WITHOUT_ALL; w++) {
		*without = (enum page_model_without)w;
		if ((w == PAGE_MODEL_WITHOUT_CHARTS && !packed_member(model, "charts")) ||
		    (w == PAGE_MODEL_WITHOUT_PAGE && !run))
			continue;
		if (pack_model(out, model, *without, e))
			return -1;
		if (page + out->len <= PAGE_MODEL_PAGE_MAX)
			break;
	}
	return 0;
}
