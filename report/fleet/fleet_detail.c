/* fleet_detail: what is shown of a group that is opened. */
#include "report/fleet/fleet_detail.h"

#include <stdlib.h>
#include <string.h>

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
	for (size_t i = 0; i < d->n_worst; i++) {
		free((void *)d->worst[i].source);
		free((void *)d->worst[i].host);
		free((void *)d->worst[i].user);
	}
	free(d->memory);
	free(d->wall);
	free(d->spot);
	free(d->worst);
	free(d);
}

/* -- spots and worst runs ---------------------------------------------------------------------- */

struct open_groups {
	struct fleet_group *v;
	size_t n, keys;
};

static struct fleet_group *find_open(const struct open_groups *o, const char *const *key)
{
	for (size_t i = 0; i < o->n; i++) {
		size_t same = 0;
		while (same < o->keys && strcmp(o->v[i].key[same], key[same]) == 0)
			same++;
		if (same == o->keys)
			return &o->v[i];
	}
	return NULL;
}

static int copy_text(const char *from, const char **to)
{
	*to = alloc_failed_note(strdup(from ? from : ""));
	return *to ? 0 : -1;
}

static int copy_worst(struct fleet_detail *to, const struct catalog_detail *d)
{
	if (!(to->worst = alloc_failed_note(calloc(d->n_worst + 1, sizeof *to->worst))))
		return -1;
	for (size_t i = 0; i < d->n_worst; i++) {
		const struct catalog_worst *from = &d->worst[i];
		struct catalog_worst *w = &to->worst[to->n_worst++];
		*w = *from;
		w->source = w->host = w->user = NULL;
		if (copy_text(from->source, &w->source) || copy_text(from->host, &w->host) ||
		    copy_text(from->user, &w->user))
			return -1;
	}
	return 0;
}

static int copy_spots(struct fleet_detail *to, const struct catalog_detail *d)
{
	if (!(to->spot = alloc_failed_note(calloc(d->n_spots + 1, sizeof *to->spot))))
		return -1;
	for (size_t i = 0; i < d->n_spots; i++)
		to->spot[to->n_spots++] = d->spot[i];
	return 0;
}

static int take_detail(void *ctx, const struct catalog_detail *d, struct err *e)
{
	struct fleet_group *g = find_open(ctx, d->group);
	struct fleet_detail *to = g ? g->detail : NULL;

	if (!to || to->spot)
		return 0;
	return copy_spots(to, d) || copy_worst(to, d) ? err_set(e, "out of memory") : 0;
}

int fleet_detail_read(struct fleet_group *v, size_t n, size_t keys, const struct fleet_input *in,
                      struct err *e)
{
	struct open_groups open = {v, n, keys};
	struct catalog_query q = *in->query;
	const char **only;
	int failed;

	if (!n)
		return 0;
	only = alloc_failed_note(calloc(n * keys + 1, sizeof *only));
	if (!only)
		return err_set(e, "out of memory");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < keys; k++)
			only[i * keys + k] = v[i].key[k];
	q.only = only;
	q.n_only = n;
	failed = catalog_details(in->catalog, &q, take_detail, &open, e);
	free(only);
	return failed;
}
