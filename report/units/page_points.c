/* page_points: the points of all charts of a page, in one element of it. */
#include "report/units/page_points.h"

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "report/units/model_json.h"
#include "report/units/page_model.h"

#define LEVEL 6

/* An item for each chart, as they stand in the page; null for a chart without points. */
static void write_points(struct json_write *j, const cJSON *charts)
{
	const cJSON *chart;

	json_write_array(j, NULL);
	cJSON_ArrayForEach (chart, charts) {
		const cJSON *points = cJSON_GetObjectItemCaseSensitive(chart, "packed");
		if (!points)
			points = cJSON_GetObjectItemCaseSensitive(chart, "data");
		model_json_write(j, NULL, points);
	}
	json_write_array_end(j);
}

static int pack_points(struct buf *out, const cJSON *charts, struct err *e)
{
	struct json_write j = {.exponents = true};
	struct buf zipped = {0};
	int failed;

	write_points(&j, charts);
	failed = !json_write_finish(&j) || gz_pack(&zipped, buf_cstr(&j.b), j.b.len, LEVEL, e);
	base64_add(out, zipped.s, failed ? 0 : zipped.len);
	json_write_free(&j);
	buf_free(&zipped);
	return failed || out->failed ? err_set(e, "no memory for the points") : 0;
}

cJSON *page_points_view(const cJSON *model, struct err *e)
{
	const cJSON *charts = cJSON_GetObjectItemCaseSensitive(model, "charts");
	cJSON *view = page_model_view(model);
	struct buf packed = {0};
	int failed = 0;

	cJSON_DeleteItemFromObjectCaseSensitive(view, PAGE_TEXT_POINTS);
	if (cJSON_GetArraySize(charts)) {
		failed = pack_points(&packed, charts, e);
		alloc_failed_note(
		    cJSON_AddStringToObject(view, PAGE_TEXT_POINTS, buf_cstr(&packed)));
	}
	buf_free(&packed);
	if (!failed && !alloc_failed())
		return view;
	cJSON_Delete(view);
	err_set(e, "no memory for the page");
	return NULL;
}
