/*
 * page_points: the points of all charts of a page, in one element of it (docs/model.md).
 */
#ifndef REPORT_UNITS_PAGE_POINTS_H
#define REPORT_UNITS_PAGE_POINTS_H

#include <cjson/cJSON.h>

#include "core/base/err.h"

/* The model for the templates of a page, without copying its values; if it has charts, with the
 * content of the element as the member PAGE_TEXT_POINTS. NULL with a sentence; free it with
 * cJSON_Delete. */
cJSON *page_points_view(const cJSON *model, struct err *e);

#endif
