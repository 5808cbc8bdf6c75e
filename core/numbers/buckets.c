/* buckets: a long recording as a few parts of equal length. */
#include "core/numbers/buckets.h"

#include "core/numbers/stats.h"

#define GAP 2.5 /* sampling intervals; the line breaks between samples further apart than this */

struct buckets buckets_between(double from, double to, size_t samples, double spacing)
{
	size_t n = samples < BUCKETS_MAX ? samples : BUCKETS_MAX;

	return (struct buckets){.from = from,
	                        .step = to > from ? (to - from) / (double)n : 1,
	                        .gap = GAP * spacing,
	                        .n = n};
}

double buckets_spacing(const double *t, size_t n, double interval)
{
	double between[BUCKETS_MAX];
	size_t found = 0;
	struct stats s;

	for (size_t i = 1; i < n && found < BUCKETS_MAX; i++)
		if (t[i] > t[i - 1])
			between[found++] = t[i] - t[i - 1];
	return stats_of(between, NULL, found, &s, NULL) == 0 && s.p50 > interval ? s.p50 : interval;
}

static size_t bucket_at(const struct buckets *b, double t)
{
	double i = (t - b->from) / b->step;

	if (i >= (double)b->n)
		return b->n - 1;
	return i > 0 ? (size_t)i : 0;
}

bool buckets_place(const struct buckets *b, struct buckets_walk *w, double t, size_t *first,
                   size_t *at)
{
	bool near = t - w->before <= b->gap;

	w->before = t;
	if (isnan(t))
		return false;
	*at = bucket_at(b, t);
	*first = near && w->next < *at ? w->next : *at;
	w->next = w->next > *at ? w->next : *at + 1;
	return true;
}

double buckets_mean(const struct bucket *b)
{
	return b->n ? b->sum / b->seconds : (double)NAN;
}

void buckets_join(struct bucket *to, const struct bucket *from)
{
	if (!from->n)
		return;
	to->min = to->n == 0 || from->min < to->min ? from->min : to->min;
	to->max = to->n == 0 || from->max > to->max ? from->max : to->max;
	to->sum += from->sum;
	to->seconds += from->seconds;
	to->n += from->n;
}
