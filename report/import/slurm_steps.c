/* slurm_steps: what the steps of a job used together. */
#include "report/import/slurm_steps.h"

#include <math.h>

#include "core/base/larger.h"

void slurm_steps_clear(struct slurm_steps *s)
{
	s->cpu_s = 0;
	s->most_b = NAN;
	s->n = 0;
}

double slurm_steps_peak(const struct slurm_steps *s)
{
	double most = s->most_b;

	for (size_t i = 0; i < s->n; i++) {
		double sum = s->v[i].peak_b;
		for (size_t k = 0; k < s->n; k++)
			if (k != i && s->v[k].start <= s->v[i].start && s->v[i].start < s->v[k].end)
				sum += s->v[k].peak_b;
		most = larger(most, sum);
	}
	return most;
}

/* Forgets the steps that ended before this time. */
static void settle(struct slurm_steps *s, double time)
{
	size_t n = 0;

	s->most_b = slurm_steps_peak(s);
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].end > time)
			s->v[n++] = s->v[i];
	s->n = n;
}

void slurm_steps_add(struct slurm_steps *s, double start, double end, double cpu_s, double peak_b)
{
	s->cpu_s += cpu_s;
	if (isnan(peak_b))
		return;
	if (s->n == SLURM_STEPS_MAX)
		settle(s, start);
	if (s->n == SLURM_STEPS_MAX) {
		s->v[s->n - 1].start = lesser(s->v[s->n - 1].start, start);
		s->v[s->n - 1].end = larger(s->v[s->n - 1].end, end);
		s->v[s->n - 1].peak_b += peak_b;
		return;
	}
	s->v[s->n].start = start;
	s->v[s->n].end = end;
	s->v[s->n++].peak_b = peak_b;
}
