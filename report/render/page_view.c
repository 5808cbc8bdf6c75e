/* page_view: the model as the templates of an HTML page get it. */
#include "report/render/page_view.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/numbers/metric.h"
#include "report/input/page_text.h"
#include "report/units/model_json.h"

#define LEVEL 6

static const cJSON *member(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* -- points ------------------------------------------------------------------------------------ */

/* Where the page's recording has the points of a chart: the columns of its overview, and in how
 * many of the chart's units each of theirs is. */
static void write_chart_columns(struct json_write *j, const cJSON *chart)
{
	const cJSON *series;

	json_write_object(j, NULL);
	json_write_array(j, "columns");
	cJSON_ArrayForEach (series, member(chart, "series")) {
		const char *id = cJSON_GetStringValue(member(series, "id"));
		enum metric_id m = id ? metric_of_column(id) : METRIC_COUNT;
		json_write_array(j, NULL);
		json_write_str(j, NULL, id ? id : "");
		if (m != METRIC_COUNT)
			json_write_num(j, NULL,
			               metric_scale(metrics[m].unit, SCHEMA_1) *
			                   (metrics[m].unit == METRIC_UNIT_SHARE ? 100 : 1));
		json_write_array_end(j);
	}
	json_write_array_end(j);
	model_json_write(j, "limits", member(member(chart, "packed"), "limits"));
	json_write_object_end(j);
}

/* An item for each chart, as they stand in the page; null for a chart without points. */
static void write_page_points(struct json_write *j, const cJSON *charts, bool overview)
{
	const cJSON *chart;

	json_write_array(j, NULL);
	cJSON_ArrayForEach (chart, charts) {
		const cJSON *points = member(chart, "packed");
		if (points && overview)
			write_chart_columns(j, chart);
		else
			model_json_write(j, NULL, points ? points : member(chart, "data"));
	}
	json_write_array_end(j);
}

static int add_page_points(cJSON *view, const cJSON *charts, bool overview, struct err *e)
{
	struct json_write j = {.exponents = true};
	struct buf zipped = {0}, text = {0};
	int failed;

	write_page_points(&j, charts, overview);
	failed = !json_write_finish(&j) || gz_pack(&zipped, buf_cstr(&j.b), j.b.len, LEVEL, e);
	base64_add(&text, zipped.s, failed ? 0 : zipped.len);
	alloc_failed_note(cJSON_AddStringToObject(view, PAGE_TEXT_POINTS, buf_cstr(&text)));
	failed = failed || text.failed;
	json_write_free(&j);
	buf_free(&zipped);
	buf_free(&text);
	return failed ? -1 : 0;
}

/* -- the view ---------------------------------------------------------------------------------- */

/* An object with the same values, but for those of one key. */
static cJSON *view_without(const cJSON *object, const char *key)
{
	cJSON *view = alloc_failed_note(cJSON_CreateObject());
	const cJSON *item;

	/* cJSON takes a reference as a pointer to what may change, but does not change it. */
	cJSON_ArrayForEach (item, object)
		if (view && item->string && strcmp(item->string, key) != 0 &&
		    !cJSON_AddItemReferenceToObject(view, item->string, (cJSON *)(uintptr_t)item))
			alloc_failed_note(NULL);
	return view;
}

/* Whether the page has a section that the second style sheet is for (assets/more.css). */
static bool has_more_sections(const cJSON *model)
{
	static const char *const sections[] = {"gpus",    "prices", "trend", "array",
	                                       "compare", "parts",  "detail"};
	bool more = cJSON_GetArraySize(member(model, "history")) > 0 ||
	            cJSON_IsObject(member(member(model, "prices"), "present"));

	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		more |= cJSON_IsTrue(member(member(model, sections[i]), "known"));
	return more;
}

cJSON *page_view(const cJSON *model, enum page_view_carries carries, struct err *e)
{
	const cJSON *charts = member(model, "charts"), *recording = member(model, "recording");
	cJSON *view = view_without(model, PAGE_TEXT_POINTS), *row;
	bool whole = carries == PAGE_VIEW_RECORDING && member(recording, PAGE_VIEW_PACKED);
	int failed = 0;

	cJSON_AddBoolToObject(view, "more", has_more_sections(model));
	if (carries == PAGE_VIEW_NOTHING)
		cJSON_DeleteItemFromObjectCaseSensitive(view, "recording");
	if (carries == PAGE_VIEW_ROW && cJSON_IsObject(recording)) {
		row = view_without(recording, PAGE_VIEW_PACKED);
		if (!cJSON_ReplaceItemInObjectCaseSensitive(view, "recording", row))
			cJSON_Delete(row);
	}
	if (cJSON_GetArraySize(charts))
		failed = add_page_points(view, charts,
		                         whole && cJSON_IsTrue(member(recording, "overview")), e);
	if (!failed && !alloc_failed())
		return view;
	cJSON_Delete(view);
	err_set(e, "no memory for the page");
	return NULL;
}
