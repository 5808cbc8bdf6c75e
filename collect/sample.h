/*
 * sample: one reading of all sources, and the row that two samples make.
 */
#ifndef COLLECT_SAMPLE_H
#define COLLECT_SAMPLE_H

#include <stdint.h>

#include "collect/cgroup/cgroup_watch.h"
#include "collect/gpu/gpu.h"
#include "collect/machine/machine.h"
#include "collect/process/tree.h"
#include "core/numbers/metric.h"

struct sample {
	int64_t at;  /* CLOCK_MONOTONIC, ns */
	double time; /* Unix, s */
	struct tree_counters tree;
	/* Values of the machine and the cgroup, by enum metric_id, as machine_read gives them. */
	double values[METRIC_COUNT];
	struct cgroup_gauges cgroup;
	struct gpu_sample gpu; /* the caller fills it */
	double *devices;       /* --detail: cells; NULL: none. Each sample that is copied to has
	                          its own, as many */
	size_t n_devices;      /* how many */
};

/* Assigns all of from; to keeps its .devices, whose cells are copied. */
void sample_copy(struct sample *to, const struct sample *from);

/* Reads the sources. tree, machine and cgroup may be NULL. The caller sets at and time before; with
 * a tree, at becomes the moment at which the tree's CPU times were read. Allocates nothing. */
void sample_take(struct sample *s, struct tree *tree, struct machine *machine,
                 struct cgroup_watch *cgroup);

/* The job's processes, for gpu_read, which fills .gpu: those of its tree. pid: the root process. */
struct gpu_tree sample_gpu_tree(struct tree *t, int pid);

/* Constants of a run. */
struct sample_shape {
	int pid;                       /* of the root process */
	double cpus;                   /* limit of a row's CPU usage, in cores; NAN: not known */
	bool tree;                     /* the process columns are filled */
	const struct devices *devices; /* --detail: the kinds of their cells; NULL: none */
};

/* CPU seconds over the limit of a row, which the next row gets. */
struct sample_carry {
	double tree_u, tree_s, system_u, system_s;
};

/* Fills row (METRIC_COUNT cells; with devices DETAIL_ROW_CELLS) with the amounts from before to
 * now, and the states of now. Each series of rows has a carry of its own, {0} at first. */
void sample_row(const struct sample *before, const struct sample *now,
                const struct sample_shape *shape, struct sample_carry *carry, double *row);

#endif
