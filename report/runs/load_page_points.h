/*
 * load_page_points: the points of a page's charts in place of a recording's overview.
 */
#ifndef REPORT_RUNS_LOAD_PAGE_POINTS_H
#define REPORT_RUNS_LOAD_PAGE_POINTS_H

#include <cjson/cJSON.h>

#include "core/recording/snapshot.h"

/* Sets s->overview from the charts of a model, at the resolution of the page. Without charts there
 * is none. */
void load_page_points(struct snapshot *s, const cJSON *model);

#endif
