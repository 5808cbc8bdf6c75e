/* pipeline_chain: which attempt ended last before another one began. */
#include "fleet/pipeline/pipeline_chain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/larger.h"
#include "fleet/pipeline/pipeline_spread.h"

struct ended {
	double start, end;
	size_t at;
};

static int by_ended(const void *a, const void *b)
{
	const struct ended *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* All attempts with a start and an end, by their end. NULL without memory. */
static struct ended *sort_ended(const struct pipeline *p, size_t *n, struct err *e)
{
	struct ended *v = calloc(p->n + 1, sizeof *v);

	*n = 0;
	if (!v) {
		err_set(e, "%s", strerror(ENOMEM));
		return NULL;
	}
	for (size_t i = 0; i < p->n; i++)
		if (pipeline_dated(&p->attempt[i]))
			v[(*n)++] = (struct ended){p->attempt[i].start, p->attempt[i].end, i};
	qsort(v, *n, sizeof *v, by_ended);
	return v;
}

/* How many of the first n ended at t or before. */
static size_t ended_by(const struct ended *v, size_t n, double t)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (v[middle].end <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static double begin_of_run(const struct pipeline *p)
{
	return lesser(p->first_submit, p->begin);
}

int pipeline_chain_make(const struct pipeline *p, struct pipeline_chain *out, struct err *e)
{
	size_t n, at;
	struct ended *v = sort_ended(p, &n, e);

	*out = (struct pipeline_chain){.link = v ? calloc(n + 1, sizeof *out->link) : NULL};
	if (!out->link) {
		free(v);
		return *e->msg ? -1 : err_set(e, "%s", strerror(ENOMEM));
	}
	/* The place in this order falls with each step, also where ends are equal. */
	for (at = n; at;) {
		const struct pipeline_attempt *a = &p->attempt[v[at - 1].at];
		double ready = isnan(a->submit) ? a->start : a->submit;
		size_t before = ended_by(v, at - 1, ready);
		struct pipeline_link *link = &out->link[out->n++];
		double since = before ? v[before - 1].end : begin_of_run(p);
		*link = (struct pipeline_link){.at = v[at - 1].at,
		                               .before_s = fmax(ready - since, 0),
		                               .slot_s = a->start - a->submit};
		out->run_s += a->end - a->start;
		out->before_s += link->before_s;
		out->slot_s += isnan(link->slot_s) ? 0 : link->slot_s;
		at = before;
	}
	for (size_t i = 0; i < out->n / 2; i++) {
		struct pipeline_link other = out->link[i];
		out->link[i] = out->link[out->n - 1 - i];
		out->link[out->n - 1 - i] = other;
	}
	free(v);
	return 0;
}

void pipeline_chain_free(struct pipeline_chain *c)
{
	free(c->link);
	*c = (struct pipeline_chain){0};
}

int pipeline_chain_waits(const struct pipeline *p, struct pipeline_waits *out, struct err *e)
{
	size_t n;
	struct ended *v = sort_ended(p, &n, e);
	double *slot = calloc(p->n + 1, sizeof *slot);
	struct pipeline_spread spread;

	*out = (struct pipeline_waits){.slot_p50_s = NAN, .slot_max_s = NAN};
	if (!v || !slot) {
		free(v);
		free(slot);
		return *e->msg ? -1 : err_set(e, "%s", strerror(ENOMEM));
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct pipeline_attempt *a = &p->attempt[i];
		size_t before;
		if (isnan(a->submit))
			continue;
		before = ended_by(v, n, a->submit);
		slot[out->known++] = a->start - a->submit;
		out->slot_s += a->start - a->submit;
		out->slot += a->start - a->submit >= 1;
		if (!before || a->submit - v[before - 1].end > PIPELINE_AT_ONCE_S)
			continue;
		out->others++;
		out->others_s += a->submit - begin_of_run(p);
	}
	if (pipeline_spread_of(slot, out->known, &spread) == 0) {
		out->slot_p50_s = spread.p50;
		out->slot_max_s = spread.max;
	}
	free(v);
	free(slot);
	return 0;
}
