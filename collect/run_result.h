/*
 * run_result: how a recording went.
 */
#ifndef COLLECT_RUN_RESULT_H
#define COLLECT_RUN_RESULT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/recording/snapshot.h"

struct run_result {
	int status;                  /* to exit with */
	int code, signal;            /* of the command; signal 0: it exited */
	struct snapshot_tasks tasks; /* --per-node */
	bool written;                /* the snapshot was written */
	bool cannot_record;          /* too few resources; the command was not started */
	bool detached;       /* --pid: a signal ended the recording before the process ended */
	bool stderr_stalled; /* the reader of standard error stalls: print nothing more */
	char output[PATH_MAX];
	char why[1024]; /* it ended: a sentence; "": it ended well, or that is not known */
	double wall_s, cores, peak_b;
	struct snapshot_memory memory; /* .peak_b is its peak, if it is known */
	double cpu_s;                  /* used by rtrack-collect itself */
	uint64_t rows, skipped;
};

/* Prints a sentence at once, while the recording goes on. */
typedef void (*run_say)(const char *sentence);

#endif
