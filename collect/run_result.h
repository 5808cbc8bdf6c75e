/*
 * run_result: how a recording went.
 */
#ifndef COLLECT_RUN_RESULT_H
#define COLLECT_RUN_RESULT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/process/reaped_totals.h"

/* How it went. */
struct run_result {
	int status;          /* to exit with */
	int code, signal;    /* of the command; signal 0: none */
	bool written;        /* the snapshot is there */
	bool cannot_record;  /* nothing can be recorded, and the command is not started yet */
	bool detached;       /* --pid: we were told to stop before the process ended */
	bool stderr_stalled; /* standard error has a reader that stalls: say nothing more */
	char output[PATH_MAX];
	double wall_s, cores, peak_b;
	struct reaped_totals totals;
	double cpu_s; /* of the recording itself */
	uint64_t rows, skipped;
};

/* Says a sentence at once, while the run goes on. */
typedef void (*run_say)(const char *sentence);

#endif
