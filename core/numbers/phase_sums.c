/* phase_sums: what a column did in the phases of a run, sample by sample. */
#include "core/numbers/phase_sums.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* -- from marks to parts ----------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct phase_part *p = a, *q = b;

	if (p->from != q->from)
		return p->from < q->from ? -1 : 1;
	return (p->order > q->order) - (p->order < q->order);
}

/* The number of a name: a new one if it has none yet. */
static size_t number_of_name(struct phase_parts *p, const char *name)
{
	size_t i = 0;

	while (i < p->names && strcmp(p->name[i], name) != 0)
		i++;
	if (i == p->names && i < PHASE_SUMS_NAMES_MAX)
		p->name[p->names++] = name;
	return i;
}

static void clip_part(struct phase_part *one, double last)
{
	if (isnan(one->to) || one->to > last)
		one->to = last;
	if (!(one->to > one->from))
		one->to = one->from;
}

bool phase_sums_has_part(const struct phase *marked, double stop)
{
	return marked->start >= 0 && marked->start < 1e12 && marked->start <= stop;
}

void phase_sums_parts(struct phase_parts *p, const struct phases *marked, double stop)
{
	for (size_t i = 0; i < marked->n; i++)
		if (phase_sums_has_part(&marked->v[i], stop))
			p->v[p->n++] = (struct phase_part){
			    .order = i, .from = marked->v[i].start, .to = marked->v[i].end};
	qsort(p->v, p->n, sizeof *p->v, by_start);
	for (size_t i = 0; i < p->n; i++) {
		clip_part(&p->v[i], i + 1 < p->n ? p->v[i + 1].from : stop);
		p->v[i].name = number_of_name(p, marked->v[p->v[i].order].name);
	}
}

/* -- samples ----------------------------------------------------------------------------------- */

static void weigh_in(struct phase_weighted *s, double v, double weight)
{
	double off = v - s->mean;

	s->min = s->n && s->min < v ? s->min : v;
	s->max = s->n && s->max > v ? s->max : v;
	s->n++;
	s->weight += weight;
	s->mean += off * weight / s->weight;
	s->squares += weight * off * (v - s->mean);
}

static void meet_part(struct phase_sums *sums, const struct phase_part *p,
                      const struct phase_sample *s)
{
	double from = s->from > p->from ? s->from : p->from, to = s->to < p->to ? s->to : p->to;

	if (!(to > from))
		return;
	weigh_in(&sums->touch, s->value, to - from);
	if (2 * (to - from) >= s->to - s->from)
		weigh_in(&sums->inside, s->value, to - from);
}

int phase_sums_time(double *last, double t, double seconds, struct phase_sample *s)
{
	s->from = isnan(*last) ? t - seconds : *last;
	s->to = t;
	if (!(s->to > s->from))
		return 0;
	*last = t;
	return 1;
}

double phase_sums_value(const struct metric *m, double cell, const struct phase_sample *s)
{
	return m->kind == METRIC_KIND_DELTA ? cell / (s->to - s->from) : cell;
}

/* Parts and samples both ascend, so one walk over both is enough. */
void phase_sums_add(const struct phase_parts *p, struct phase_sums *sums,
                    const struct phase_sample *s, size_t *first)
{
	while (*first < p->n && p->v[*first].to <= s->from)
		++*first;
	for (size_t i = *first; i < p->n && p->v[i].from < s->to; i++)
		if (p->v[i].name != PHASE_SUMS_NAMES_MAX)
			meet_part(&sums[p->v[i].name], &p->v[i], s);
}

/* Equal weights give the sample's standard deviation, as in stats.h. */
static double weighted_sd(const struct phase_weighted *s)
{
	double n = (double)s->n, squares = s->squares > 0 ? s->squares : 0;

	return s->n < 2 ? (double)NAN : sqrt(squares / s->weight * n / (n - 1));
}

struct phase_stats phase_sums_stats(const struct phase_sums *sums)
{
	const struct phase_weighted *s = sums->inside.n ? &sums->inside : &sums->touch;

	if (!s->n)
		return (struct phase_stats){NAN, NAN, NAN, NAN};
	return (struct phase_stats){s->min, s->max, s->mean, weighted_sd(s)};
}
