/*
 * run_begin: sets up a recording and starts the command.
 */
#ifndef COLLECT_RUN_BEGIN_H
#define COLLECT_RUN_BEGIN_H

#include "collect/run_state.h"

/* Opens everything that the recording reads and writes, and forks and starts the command. Returns
 * 0, or -1 with a sentence and result->status set. */
int run_begin(struct run *r, struct run_result *result, struct err *e);

/* Says what is recorded, to where and how to end it, on a terminal: without a command nothing else
 * would show it. */
void run_begin_say(struct run *r);

#endif
