/*
 * outputs: writes all outputs that the command line asks for.
 */
#ifndef REPORT_OUTPUTS_H
#define REPORT_OUTPUTS_H

#include <cjson/cJSON.h>

#include "report/options/report_options.h"
#include "report/runs/load.h"

/* r: the runs of the model, for outputs that need rows; empty with --model and for many runs.
 * *note: what the page had no room for, and which name in a user's template is unknown; "". 0, or
 * -1 with a sentence. */
int outputs_write(const struct report_options *o, const cJSON *model, const struct runs *r,
                  struct err *note, struct err *e);

#endif
