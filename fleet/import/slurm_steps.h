/*
 * slurm_steps: what the steps of a job used together. Pure.
 *
 * CPU time is summed. The peak of memory is that of the job's fullest node: the peaks of the steps
 * that ran there at the same time, added up. A step whose times are unknown counts alone. Where
 * steps ran is known from their lists of nodes, as "n[01-04,9].site"; without them, what must
 * have been on one node counts, and the peak is a bound.
 */
#ifndef FLEET_IMPORT_SLURM_STEPS_H
#define FLEET_IMPORT_SLURM_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLURM_STEPS_MAX    256 /* at the same time; further ones are added to the last */
#define SLURM_STEPS_RANGES ((size_t)1024)

/* A step. Unknown is NAN, or "". */
struct slurm_step {
	double start, end; /* Unix seconds */
	double cpu_s;
	double node_b; /* the peak on each of its nodes */
	double nodes;  /* how many; at least 1 */
	bool bound;    /* it used at least node_b */
	const char *list;
};

struct slurm_steps {
	double cpu_s;     /* NAN: of one it is unknown */
	double job_nodes; /* of the job */
	double most_b;    /* the peak of those that are not in v any more; NAN: none */
	bool bound;
	struct {
		double start, end, peak_b, nodes;
		size_t range, n_ranges; /* n_ranges 0: on which nodes is unknown */
	} v[SLURM_STEPS_MAX];
	size_t n;
	/* Nodes that are named alike, with numbers of one length. */
	struct slurm_steps_range {
		uint64_t key, first, last;
	} range[SLURM_STEPS_RANGES];
	size_t n_ranges;
};

void slurm_steps_clear(struct slurm_steps *s, double job_nodes);

/* Steps come by their start, roughly. */
void slurm_steps_add(struct slurm_steps *s, const struct slurm_step *step);

/* Bytes on one node; NAN: of no step is it known. *bound: it was at least that much. */
double slurm_steps_peak(const struct slurm_steps *s, bool *bound);

/* How many nodes a list names; 0: it is not understood. */
double slurm_steps_count(const char *list);

/* Whether a list names this node. */
bool slurm_steps_has(const char *list, const char *node);

#endif
