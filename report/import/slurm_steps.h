/*
 * slurm_steps: what the steps of a job used together. Pure.
 *
 * CPU time is summed. The peak of memory is the largest sum of the peaks of steps that ran at the
 * same time: a step whose times are unknown counts alone.
 */
#ifndef REPORT_IMPORT_SLURM_STEPS_H
#define REPORT_IMPORT_SLURM_STEPS_H

#include <stddef.h>

#define SLURM_STEPS_MAX 256 /* at the same time; further ones are added to the last */

struct slurm_steps {
	double cpu_s;  /* NAN: of one it is unknown */
	double most_b; /* the peak of those that are not in v any more; NAN: none */
	struct {
		double start, end, peak_b;
	} v[SLURM_STEPS_MAX];
	size_t n;
};

void slurm_steps_clear(struct slurm_steps *s);

/* Unknown is NAN. Steps come by their start, roughly. */
void slurm_steps_add(struct slurm_steps *s, double start, double end, double cpu_s, double peak_b);

/* Bytes; NAN: of no step is it known. */
double slurm_steps_peak(const struct slurm_steps *s);

#endif
