/*
 * page_input: a page of ours as the only input: what it shows is written again, as with --model.
 */
#ifndef REPORT_PAGE_INPUT_H
#define REPORT_PAGE_INPUT_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "report/report_options.h"

/* Whether the command line asks for a page alone, and for nothing that is to be computed anew. */
bool page_input_is(const struct report_options *o);

/* Its model. said: what it lacks; "" if nothing. NULL with a sentence. */
cJSON *page_input_model(const struct report_options *o, struct err *said, struct err *e);

#endif
