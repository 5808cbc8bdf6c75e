/* fleet_details: what is shown of a group that is opened. */
#include "report/fleet/fleet_details.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc_failed.h"
#include "report/fleet/fleet_collect.h"

struct open_groups {
	struct fleet_group *v;
	size_t n, keys;
};

static struct fleet_group *find_open(const struct open_groups *o, const char *const *key)
{
	for (size_t i = 0; i < o->n; i++) {
		size_t same = 0;
		while (same < o->keys && key[same] && strcmp(o->v[i].key[same], key[same]) == 0)
			same++;
		if (same == o->keys)
			return &o->v[i];
	}
	return NULL;
}

static int no_memory(struct err *e)
{
	alloc_failed_note(NULL);
	return err_set(e, "out of memory");
}

/* -- histograms -------------------------------------------------------------------------------- */

/* The runs of one bucket may be on several types of machines. */
static int make_bars(const struct fleet_weights *w, struct fleet_bar **bars, size_t *n)
{
	struct fleet_bar *v = calloc(w->n + 1, sizeof *v);

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

static int take_histograms(void *ctx, struct fleet_collect *c, struct err *e)
{
	struct fleet_group *g = find_open(ctx, (const char *const *)c->key);
	struct fleet_proposal p;

	if (!g || g->detail)
		return 0;
	if (!(g->detail = calloc(1, sizeof *g->detail)) ||
	    make_bars(&c->needs.memory, &g->detail->memory, &g->detail->n_memory) ||
	    make_bars(&c->needs.wall, &g->detail->wall, &g->detail->n_wall))
		return no_memory(e);
	fleet_ask_propose(&c->needs, &p);
	fleet_ask_advice(&p, &g->detail->advice);
	return 0;
}

/* -- spots and worst runs ---------------------------------------------------------------------- */

static int copy_text(const char *from, const char **to)
{
	*to = strdup(from ? from : "");
	return *to ? 0 : -1;
}

static int take_worst(struct fleet_detail *to, const struct catalog_detail *d)
{
	if (!(to->worst = calloc(d->n_worst + 1, sizeof *to->worst)))
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

static int take_detail(void *ctx, const struct catalog_detail *d, struct err *e)
{
	struct fleet_group *g = find_open(ctx, d->group);
	struct fleet_detail *to = g ? g->detail : NULL;

	if (!to || to->spot || to->worst)
		return 0;
	if (!(to->spot = calloc(d->n_spots + 1, sizeof *to->spot)))
		return no_memory(e);
	to->n_spots = d->n_spots;
	if (d->n_spots)
		memcpy(to->spot, d->spot, d->n_spots * sizeof *to->spot);
	return take_worst(to, d) ? no_memory(e) : 0;
}

int fleet_details_read(struct fleet_group *v, size_t n, size_t keys, const struct fleet_input *in,
                       struct err *e)
{
	struct open_groups open = {v, n, keys};
	struct catalog_query q = *in->query;
	const char **only = calloc(n * keys + 1, sizeof *only);
	int failed = 0;

	if (!only)
		return no_memory(e);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < keys; k++)
			only[i * keys + k] = v[i].key[k];
	q.only = only;
	q.n_only = n;
	if (n && (fleet_collect_groups(in->catalog, &q, take_histograms, &open, e) ||
	          catalog_details(in->catalog, &q, take_detail, &open, e)))
		failed = -1;
	free(only);
	return failed;
}
