/*
 * parts: the recordings of one job that ran on several nodes or as several tasks.
 */
#ifndef REPORT_RUNS_PARTS_H
#define REPORT_RUNS_PARTS_H

#include <stddef.h>

#include "report/runs/load.h"

struct parts {
	size_t n_nodes; /* that were recorded */
};

/* How many nodes of the run were recorded; 1 for a run of one recording. */
size_t parts_nodes(const struct run *run);

#endif
