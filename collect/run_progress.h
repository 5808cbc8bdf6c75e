/*
 * run_progress: --progress, one line on the terminal about the recording that runs.
 */
#ifndef COLLECT_RUN_PROGRESS_H
#define COLLECT_RUN_PROGRESS_H

#include "collect/run_state.h"

/* Opens the terminal, if --progress is given; .progress.line.fd is -1 without. */
void run_progress_open(struct run *r);

/* Shows what the job used since the last line; after a sample. Allocates nothing, never blocks. */
void run_progress_show(struct run *r);

/* Prints a sentence: r->say, without the line. */
void run_progress_say(struct run *r, const char *sentence);

#endif
