/*
 * page_view: the model as the templates of an HTML page get it: with what the page's script draws
 * (docs/model.md, "The recording in the page").
 */
#ifndef REPORT_RENDER_PAGE_VIEW_H
#define REPORT_RENDER_PAGE_VIEW_H

#include <cjson/cJSON.h>

#include "core/base/err.h"

#define PAGE_VIEW_PACKED "packed" /* member of "recording": what the page carries */

/* What of the run the page has. */
enum page_view_carries {
	PAGE_VIEW_NOTHING,  /* not even its row */
	PAGE_VIEW_ROW,      /* a history, and a catalog, can count it */
	PAGE_VIEW_RECORDING /* it is an input like the recording */
};

/* The model, without copying its values, and with the points of its charts as the member
 * PAGE_TEXT_POINTS. NULL with a sentence; free it with cJSON_Delete. */
cJSON *page_view(const cJSON *model, enum page_view_carries carries, struct err *e);

#endif
