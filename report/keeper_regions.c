/* keeper_regions: regions as people call them, as the ids that the Keeper API knows them by. */
#include "keeper_regions.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "keeper_query.h"

struct regions_wanted {
	const struct opts_list *vendors, *names;
	struct keeper_places *out;
	bool all_found, by_name; /* whether one was not given as an id */
};

/* The vendor of VENDOR~NAME; "" where there is none. */
static const char *vendor_of(const char *name, char out[64])
{
	const char *tilde = strchr(name, '~');

	snprintf(out, 64, "%.*s", tilde ? (int)(tilde - name) : 0, name);
	return tilde ? tilde + 1 : name;
}

static bool is_wanted_vendor(const struct regions_wanted *w, const char *of, const char *vendor_id)
{
	if (*of)
		return !strcasecmp(of, vendor_id);
	for (size_t i = 0; i < w->vendors->n; i++)
		if (!strcasecmp(w->vendors->v[i], vendor_id))
			return true;
	return w->vendors->n == 0;
}

/* The service may answer with regions of others. */
static void keep_wanted(struct regions_wanted *w, size_t from, const char *of)
{
	size_t n = from;

	for (size_t i = from; i < w->out->n; i++)
		if (is_wanted_vendor(w, of, w->out->v[i].vendor_id))
			w->out->v[n++] = w->out->v[i];
	w->out->n = n;
}

static int read_regions(const char *json, size_t n, void *into, struct err *e)
{
	struct regions_wanted *w = into;

	w->out->n = 0;
	w->all_found = true;
	w->by_name = false;
	for (size_t i = 0; i < w->names->n; i++) {
		char vendor[64];
		const char *name = vendor_of(w->names->v[i], vendor);
		size_t from = w->out->n;
		if (keeper_parse_regions(json, n, name, w->out, e))
			return -1;
		keep_wanted(w, from, vendor);
		w->all_found &= w->out->n > from;
		for (; from < w->out->n; from++)
			w->by_name |= strcmp(w->out->v[from].region_id, name) != 0;
	}
	return 0;
}

static int ask(struct keeper_fetch *f, struct regions_wanted *w, struct err *e)
{
	struct keeper_call c = {KEEPER_REGIONS, {.max = KEEPER_URL_MAX}, read_regions, w, 0};
	int rc;

	w->out->n = 0;
	keeper_url_regions(&c.url, f->q, w->vendors);
	rc = keeper_fetch(f, &c, e);
	if (rc)
		w->out->n = 0;
	return rc;
}

int keeper_regions_ask(struct keeper_fetch *f, const struct opts_list *vendors,
                       const struct opts_list *names, struct keeper_places *out, struct err *e)
{
	struct regions_wanted w = {.vendors = vendors, .names = names, .out = out};

	return ask(f, &w, e);
}

/* Those of all pairs, where there are pairs alone; else those that were asked for. */
static const struct opts_list *vendors_to_ask(const struct keeper_query *q, struct opts_list *own,
                                              char names[OPTS_LIST_MAX][64])
{
	own->n = 0;
	for (size_t i = 0; i < q->region.n; i++) {
		size_t known = 0;
		vendor_of(q->region.v[i], names[own->n]);
		if (!*names[own->n])
			return &q->vendor;
		while (known < own->n && strcasecmp(own->v[known], names[own->n]))
			known++;
		if (known < own->n)
			continue;
		own->v[own->n] = names[own->n];
		own->n++;
	}
	return own;
}

void keeper_regions_wanted(struct keeper_fetch *f, struct keeper_places *out, struct err *e)
{
	char names[OPTS_LIST_MAX][64];
	struct opts_list own;
	struct regions_wanted w = {.names = &f->q->region, .out = out};

	out->n = 0;
	if (!f->q->region.n)
		return;
	w.vendors = vendors_to_ask(f->q, &own, names);
	if (ask(f, &w, e) || !w.all_found || !w.by_name)
		out->n = 0;
}
