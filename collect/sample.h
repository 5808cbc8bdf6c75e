/*
 * sample: one look at everything, and the row that two looks make.
 */
#ifndef COLLECT_SAMPLE_H
#define COLLECT_SAMPLE_H

#include <stdint.h>

#include "collect/cgroup/cgroup_watch.h"
#include "collect/gpu/gpu_totals.h"
#include "collect/machine/machine.h"
#include "collect/process/tree.h"
#include "core/metric.h"

struct sample {
	int64_t at;  /* CLOCK_MONOTONIC, ns */
	double time; /* Unix, s */
	struct tree_counters tree;
	/* Of the machine and the cgroup, by enum metric_id, as machine_read gives them. */
	double values[METRIC_COUNT];
	struct gpu_sample gpu; /* the caller's, too */
};

/* Takes one. tree and cgroup may be NULL. at is the caller's, and where there is a tree becomes the
 * moment at which its CPU times were read; time is the caller's. Allocates nothing. */
void sample_take(struct sample *s, struct tree *tree, struct machine *system,
                 const struct cgroup_watch *cgroup);

/* What does not change in a run. */
struct sample_shape {
	int pid;     /* of the root process */
	double cpus; /* no row is over this number of cores; NAN: not known */
	bool tree;   /* the process columns are filled */
};

/* CPU seconds that did not fit into a row: they come into the next. */
struct sample_carry {
	double tree_u, tree_s, system_u, system_s;
};

/* Fills row (METRIC_COUNT cells) with what happened from before to now, and how things stand now.
 * A run of rows has a carry of its own, {0} at first. */
void sample_row(const struct sample *before, const struct sample *now,
                const struct sample_shape *shape, struct sample_carry *carry, double *row);

#endif
