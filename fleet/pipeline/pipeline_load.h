/*
 * pipeline_load: how many attempts ran at once, and what they asked for and used meanwhile. Pure.
 */
#ifndef FLEET_PIPELINE_PIPELINE_LOAD_H
#define FLEET_PIPELINE_PIPELINE_LOAD_H

#include "fleet/pipeline/pipeline.h"

#define PIPELINE_LOAD_POINTS ((size_t)160) /* equal parts of the run's time */

/* Means of each part, over the attempts whose start and end are known. */
struct pipeline_load {
	double running[PIPELINE_LOAD_POINTS];
	double asked_cores[PIPELINE_LOAD_POINTS], used_cores[PIPELINE_LOAD_POINTS];
	double asked_b[PIPELINE_LOAD_POINTS], used_b[PIPELINE_LOAD_POINTS];
	double most;                /* attempts at once: exact */
	double most_at;             /* when it was reached first, Unix seconds */
	double mean;                /* over the run's time */
	bool asked_cpus, used_cpus; /* whether any is known */
	bool asked_memory, used_memory;
};

/* process: of this one alone; -1: of all. *out is all 0, and most_at NAN, where the run has no
 * length. -1 without memory. */
int pipeline_load_make(const struct pipeline *p, long process, struct pipeline_load *out,
                       struct err *e);

#endif
