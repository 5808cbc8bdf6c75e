/* fleet_detail: what is shown of a group that is opened. */
#include "report/fleet/fleet_detail.h"

#include <stdlib.h>

#include "core/base/alloc_failed.h"

/* -- histograms -------------------------------------------------------------------------------- */

/* The runs of one bucket may be on several types of machines. */
static int make_bars(const struct fleet_weights *w, struct fleet_bar **bars, size_t *n)
{
	struct fleet_bar *v = alloc_failed_note(calloc(w->n + 1, sizeof *v));

	*n = 0;
	if (!(*bars = v))
		return -1;
	for (size_t i = 0; i < w->n; i++) {
		if (!i || w->v[i].low != w->v[i - 1].low)
			v[(*n)++] = (struct fleet_bar){.low = w->v[i].low, .high = w->v[i].high};
		v[*n - 1].runs += w->v[i].runs;
	}
	return 0;
}

struct fleet_detail *fleet_detail_new(const struct fleet_needs *needs)
{
	struct fleet_proposal p;
	struct fleet_detail *d = alloc_failed_note(calloc(1, sizeof *d));

	if (!d)
		return NULL;
	if (make_bars(&needs->memory, &d->memory, &d->n_memory) ||
	    make_bars(&needs->wall, &d->wall, &d->n_wall)) {
		fleet_detail_free(d);
		return NULL;
	}
	fleet_ask_propose(needs, &p);
	fleet_ask_advice(&p, &d->advice);
	return d;
}

void fleet_detail_free(struct fleet_detail *d)
{
	if (!d)
		return;
	free(d->memory);
	free(d->wall);
	catalog_detail_free(&d->runs);
	free(d);
}

int fleet_detail_read(struct fleet_group *v, size_t n, size_t keys, const struct fleet_input *in,
                      struct err *e)
{
	struct catalog_query q = *in->query;
	struct catalog_detail *runs = alloc_failed_note(calloc(n + 1, sizeof *runs));
	const char **only = alloc_failed_note(calloc(n * keys + 1, sizeof *only));
	int failed = !runs || !only ? err_set(e, "out of memory") : 0;

	for (size_t i = 0; i < n * keys && !failed; i++)
		only[i] = v[i / keys].key[i % keys];
	q.only = only;
	q.n_only = n;
	if (!failed)
		failed = catalog_details(in->catalog, &q, runs, e);
	for (size_t i = 0; i < n && runs; i++) {
		if (v[i].detail)
			v[i].detail->runs = runs[i];
		else
			catalog_detail_free(&runs[i]);
	}
	free(runs);
	free(only);
	return failed;
}
