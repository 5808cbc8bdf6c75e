/*
 * run: a recording from beginning to end.
 */
#ifndef COLLECT_RUN_H
#define COLLECT_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/collect_options.h"
#include "collect/process/reaped_totals.h"
#include "core/err.h"

#define RUN_NOT_STARTED  125 /* a failure of ours before the start */
#define RUN_NOT_RUNNABLE 126
#define RUN_NOT_FOUND    127

/* How it went. */
struct run_result {
	int status;       /* to exit with */
	int code, signal; /* of the command; signal 0: none */
	bool written;     /* the snapshot is there */
	bool unrecorded;  /* nothing can be recorded, and the command is not started yet */
	bool detached;    /* --pid: we were told to stop before the process ended */
	bool unheard;     /* standard error has a reader that stalls: say nothing more */
	char output[PATH_MAX];
	double wall_s, cores, peak_b;
	struct reaped_totals totals;
	double cpu_s; /* of the recording itself */
	uint64_t rows, skipped;
};

/* Says a sentence at once, while the run goes on. */
typedef void (*run_say)(const char *sentence);

/* Runs. 0: *result is filled, and failures on the way were said. -1: nothing was recorded, the
 * sentence says why, and result->status is set; where result->unrecorded is set too it is no
 * mistake of the user's, and the command ought to run without a recording. */
int run(const struct collect_options *o, run_say say, struct run_result *result, struct err *e);

#endif
