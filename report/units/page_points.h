/*
 * page_points: the points of all charts of a page, in one element of it (docs/model.md).
 */
#ifndef REPORT_UNITS_PAGE_POINTS_H
#define REPORT_UNITS_PAGE_POINTS_H

#include <cjson/cJSON.h>

#include "core/err.h"

#define PAGE_POINTS "points" /* id of the element, and what a template calls its content */

/* The model for the templates of a page: without copying its values, with the content of the
 * element if it has charts, else without. NULL with a sentence; free it with cJSON_Delete. */
cJSON *page_points_view(const cJSON *model, struct err *e);

#endif
