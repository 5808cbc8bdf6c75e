/*
 * page_input: a page of ours as the only input: what it shows is written again, as with --model.
 */
#ifndef REPORT_PAGE_INPUT_H
#define REPORT_PAGE_INPUT_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "report/report_options.h"
#include "report/runs/load.h"

/* Whether the command line asks for a page alone, and for nothing that is to be computed anew. */
bool page_input_is(const struct report_options *o);

/* Its model. said: what it lacks; "" if nothing. NULL with a sentence. */
cJSON *page_input_model(const struct report_options *o, struct err *said, struct err *e);

/* The model of --model. NULL with a sentence: also for a recording or a page, which is no model. */
cJSON *page_input_given_model(const char *path, struct err *e);

/* Before loading: of a folder, a page that this command writes is not read. -1 without memory. */
int page_input_spare(const struct report_options *o, struct runs *r, struct err *e);

/* Of a run from a page, what only its rows would tell is taken from the page, into its model, which
 * may be NULL. NULL with a sentence; model is then freed. */
cJSON *page_input_inherit(cJSON *model, const struct runs *r, struct err *e);

/* Refuses options that need the samples of such a run. -1 with a sentence. */
int page_input_check(const struct report_options *o, const struct run *run, struct err *e);

#endif
