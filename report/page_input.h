/*
 * page_input: the model of --model, and the pages that this command writes.
 */
#ifndef REPORT_PAGE_INPUT_H
#define REPORT_PAGE_INPUT_H

#include <cjson/cJSON.h>

#include "report/report_options.h"
#include "report/runs/load.h"

/* The model of --model. NULL with a sentence: also for a recording or a page, which is no model. */
cJSON *page_input_given_model(const char *path, struct err *e);

/* Before loading: of a folder, a page that this command writes is not read. -1 without memory. */
int page_input_spare(const struct report_options *o, struct runs *r, struct err *e);

#endif
