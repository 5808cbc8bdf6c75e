/*
 * run: records a command, a process or a machine from beginning to end.
 */
#ifndef COLLECT_RUN_H
#define COLLECT_RUN_H

#include "collect/collect_options.h"
#include "collect/run_result.h"
#include "core/base/err.h"

/* Records. Returns 0 with *result filled; failures on the way were reported through say. Returns -1
 * if nothing was recorded, with a sentence and result->status set. If result->cannot_record is set
 * as well, the cause is the machine and not the user: run the command without a recording. */
int run(const struct collect_options *o, run_say say, struct run_result *result, struct err *e);

#endif
