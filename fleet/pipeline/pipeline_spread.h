/*
 * pipeline_spread: the distributions of what a process' tasks took, and what they should ask for.
 * Pure.
 */
#ifndef FLEET_PIPELINE_PIPELINE_SPREAD_H
#define FLEET_PIPELINE_PIPELINE_SPREAD_H

#include "fleet/groups/fleet_ask.h"
#include "fleet/pipeline/pipeline.h"

/* Percentiles as everywhere in rtrack (percentile.h). All are NAN where n is 0. */
struct pipeline_spread {
	size_t n;
	double min, p5, p25, p50, p75, p95, max;
};

/* The spread of n values, which it sorts. -1 without memory, or where n is 0: *out is that of no
 * value. */
int pipeline_spread_of(double *v, size_t n, struct pipeline_spread *out);

enum pipeline_measure {
	PIPELINE_WALL,
	PIPELINE_TIME_SHARE, /* of the time that was asked for */
	PIPELINE_CORES,
	PIPELINE_CPU_SHARE, /* CPU time / (CPUs that were asked for × wall time) */
	PIPELINE_MEMORY,    /* peak */
	PIPELINE_MEMORY_SHARE,
	PIPELINE_READ,
	PIPELINE_WRITTEN,
	PIPELINE_MEASURES
};

struct pipeline_use {
	/* Over the attempts that finished. */
	struct pipeline_spread of[PIPELINE_MEASURES];
	/* The asks: the least and the most; NAN: none. */
	struct {
		double least, most;
	} cpus, memory_b, time_s, gpus;
	size_t counted;                 /* attempts that the proposal is made of */
	struct fleet_proposal proposal; /* by the rule of the fleet's page (fleet_ask.h) */
};

/* The use of the process with this index. */
int pipeline_spread_use(const struct pipeline *p, size_t process, const struct fleet_policy *policy,
                        struct pipeline_use *out, struct err *e);

#endif
