/* phase_align: an axis on which a phase begins at the same place in every run. */
#include "report/chart/phase_align.h"

#include <math.h>
#include <string.h>

/* From when to when the run was in the phase; false where it never was, or more than once. */
static bool was_once_in(const struct phase_usage *u, const char *name, double *from, double *to)
{
	size_t times = 0;

	for (size_t i = 0; i < u->n_spans; i++) {
		const struct phase_usage_span *span = &u->span[i];
		if (strcmp(u->name[span->name].name, name) != 0)
			continue;
		times++;
		*from = span->from;
		*to = span->to;
	}
	return times == 1;
}

/* Appends a phase to the axis if all runs have it after the phase before. */
static void append_phase(struct phase_align *a, const struct comparison *c, const char *name)
{
	size_t k = a->n;
	double width = 0;

	if (k == PHASE_ALIGN_MAX)
		return;
	for (size_t i = 0; i < c->n; i++) {
		double from = NAN, to = NAN;
		if (c->v[i].phases.n) {
			if (!was_once_in(&c->v[i].phases, name, &from, &to) || !(to > from) ||
			    (k && from < a->to[k - 1][i]))
				return;
			width = to - from > width ? to - from : width;
		}
		a->from[k][i] = from;
		a->to[k][i] = to;
	}
	a->name[k] = name;
	a->at[k] = a->span;
	a->width[k] = width;
	a->span += width;
	a->n++;
}

void phase_align_make(struct phase_align *a, const struct comparison *c)
{
	size_t runs = 0, first = c->n;

	*a = (struct phase_align){0};
	for (size_t i = c->n; i-- > 0;)
		if (c->v[i].phases.n) {
			first = i;
			runs++;
		}
	if (runs < 2)
		return;
	for (size_t i = 0; i < c->v[first].phases.n; i++)
		append_phase(a, c, c->v[first].phases.name[i].name);
}

double phase_align_at(const struct phase_align *a, size_t run, double unix_s, size_t *phase)
{
	for (size_t k = 0; k < a->n; k++)
		if (unix_s > a->from[k][run] && unix_s <= a->to[k][run]) {
			*phase = k;
			return a->at[k] + unix_s - a->from[k][run];
		}
	return NAN;
}
