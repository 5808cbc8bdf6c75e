/*
 * catalog_runs: single recordings of a catalog, newest first.
 */
#ifndef FLEET_CATALOG_CATALOG_RUNS_H
#define FLEET_CATALOG_CATALOG_RUNS_H

#include "fleet/catalog/catalog.h"

/* One recording. NAN and "": unknown. Texts are borrowed for the call. */
struct catalog_recording {
	const char *name;
	const char *joined; /* key of a run of several nodes or tasks; "": of one recording */
	const char *input_sizes, *asked_memory_source;
	double class; /* enum catalog_class */
	double oom;   /* 1: killed because memory ran out */
	double origin_code;
	double start, wall_s;
	double cpu_s, cores_mean, cores_demand;
	double memory_peak_b, gpus_mean, gpus_peak, vram_peak_b;
	double asked_memory_b, asked_cpus, vcpus, input_bytes, nodes, tasks;
	double time_at[CATALOG_TIMES]; /* of wall_s, with 1, 2, 4 … free CPUs */
};

typedef int catalog_each_recording(void *ctx, const struct catalog_recording *of, struct err *e);

/* Calls each for the newest recordings of a query (its conditions; not its groups), at most n. A
 * value other than 0 ends it, which returns -1 then. */
int catalog_runs(struct catalog *c, const struct catalog_query *q, size_t n,
                 catalog_each_recording *each, void *ctx, struct err *e);

#endif
