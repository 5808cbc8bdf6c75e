/*
 * run: a recording from beginning to end.
 */
#ifndef COLLECT_RUN_H
#define COLLECT_RUN_H

#include "collect/collect_options.h"
#include "collect/run_result.h"
#include "core/err.h"

/* Runs. 0: *result is filled, and failures on the way were said. -1: nothing was recorded, the
 * sentence says why, and result->status is set; where result->cannot_record is set too it is no
 * mistake of the user's, and the command ought to run without a recording. */
int run(const struct collect_options *o, run_say say, struct run_result *result, struct err *e);

#endif
