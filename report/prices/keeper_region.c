/* keeper_region: finds the query's regions among the Keeper API's. */
#include "report/prices/keeper_region.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/edit_distance.h"
#include "report/prices/keeper_filters.h"
#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_result.h"

bool keeper_region_is_called(const struct keeper_region *r, const char *name)
{
	size_t n = strlen(name);

	if (!n)
		return false;
	if (!strcasecmp(r->region_id, name) || !strcasecmp(r->name, name) ||
	    !strcasecmp(r->api_reference, name) || !strcasecmp(r->city, name))
		return true;
	for (const char *p = r->aliases; *p; p += strcspn(p, "\n") + 1)
		if (strcspn(p, "\n") == n && !strncasecmp(p, name, n))
			return true;
	return false;
}

const char *keeper_region_name(const struct keeper_region *r)
{
	if (*r->name)
		return r->name;
	return *r->api_reference ? r->api_reference : r->region_id;
}

bool keeper_region_is_number(const char *id)
{
	return *id && id[strspn(id, "0123456789")] == '\0';
}

/* Splits VENDOR~NAME: out gets the vendor, or "" without one; returns NAME. */
static const char *split_vendor(const char *word, char out[64])
{
	const char *tilde = strchr(word, '~'), *id;

	snprintf(out, 64, "%.*s", tilde ? (int)(tilde - word) : 0, word);
	id = *out ? keeper_filters_value(KEEPER_FILTER_VENDOR, out, NULL) : NULL;
	if (id)
		snprintf(out, 64, "%s", id);
	return tilde ? tilde + 1 : word;
}

/* -- the service's list of regions ------------------------------------------------------------- */

static int read_regions(const char *json, size_t n, void *into, struct err *e)
{
	return keeper_parse_regions(json, n, into, e);
}

int keeper_region_ask_list(struct keeper_fetch *f, const struct opts_list *vendors,
                           struct keeper_region_list *out, struct err *e)
{
	struct keeper_fetch_call c = {
	    KEEPER_FETCH_REGIONS, {.max = KEEPER_FETCH_URL_MAX}, read_regions, out, 0};

	keeper_query_regions_url(&c.url, f->q, vendors);
	return keeper_fetch(f, &c, e);
}

/* -- the query's regions ----------------------------------------------------------------------- */

struct wanted {
	const struct keeper_query *q;
	struct keeper_region_list all;
	struct keeper_region_ids *out;
	struct buf *words;
};

/* The answer may have regions of other vendors. of: the vendor of VENDOR~NAME, or "". */
static bool is_wanted_vendor(const struct keeper_query *q, const char *of, const char *vendor_id)
{
	if (*of)
		return !strcasecmp(of, vendor_id);
	for (size_t i = 0; i < q->of.vendor.n; i++)
		if (!strcasecmp(q->of.vendor.v[i], vendor_id))
			return true;
	return q->of.vendor.n == 0;
}

static void add_region_id(struct keeper_region_ids *out, const struct keeper_region *r)
{
	for (size_t i = 0; i < out->n; i++)
		if (!strcmp(out->v[i].vendor_id, r->vendor_id) &&
		    !strcmp(out->v[i].region_id, r->region_id))
			return;
	if (out->n == KEEPER_REGION_IDS_MAX)
		return;
	keeper_result_copy(out->v[out->n].vendor_id, sizeof out->v->vendor_id, r->vendor_id);
	keeper_result_copy(out->v[out->n].region_id, sizeof out->v->region_id, r->region_id);
	out->n++;
}

/* Adds the query's own spelling, but the region's name instead of a number. */
static void add_region_words(struct buf *words, const char *asked, const char *name,
                             const struct keeper_region *r)
{
	if (words->len)
		buf_str(words, " or ");
	if (!keeper_region_is_number(name))
		buf_str(words, asked);
	else
		buf_printf(words, "%.*s%s", (int)(name - asked), asked, keeper_region_name(r));
}

/* Replaces *best if the region has a name that is nearer than *least. */
static void nearest_name(const struct keeper_region *r, const char *name, size_t *least,
                         char best[64])
{
	const char *const own[] = {r->region_id, r->name, r->api_reference, r->city};
	char alias[64];

	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		size_t d = keeper_filters_distance(name, own[i]);
		if (d >= *least || keeper_region_is_number(own[i]))
			continue;
		*least = d;
		snprintf(best, 64, "%s", own[i]);
	}
	for (const char *p = r->aliases; *p; p += strcspn(p, "\n") + 1) {
		snprintf(alias, sizeof alias, "%.*s", (int)strcspn(p, "\n"), p);
		if (keeper_filters_distance(name, alias) >= *least)
			continue;
		*least = keeper_filters_distance(name, alias);
		snprintf(best, 64, "%s", alias);
	}
}

static enum keeper_region_found report_unknown_region(const struct wanted *w, const char *asked,
                                                      const char *of, const char *name,
                                                      struct err *e)
{
	size_t least = keeper_filters_tolerance(name) + 1, candidates = 0;
	char best[64] = "";

	for (size_t i = 0; i < w->all.n; i++) {
		if (!is_wanted_vendor(w->q, of, w->all.v[i].vendor_id))
			continue;
		candidates++;
		nearest_name(&w->all.v[i], name, &least, best);
	}
	if (!candidates) {
		err_set(e, "the service lists no regions of these vendors");
		return KEEPER_REGION_UNCHECKED;
	}
	err_set(e, "--region: unknown region \"%.64s\"%s; %s%s", asked,
	        *of || w->q->of.vendor.n ? " for this vendor" : "",
	        *best ? "the nearest is " : "give the id, the name or the city of one", best);
	return KEEPER_REGION_UNKNOWN;
}

static enum keeper_region_found find_region(struct wanted *w, const char *asked, struct err *e)
{
	char of[64];
	const char *name = split_vendor(asked, of);
	const struct keeper_region *first = NULL;

	for (size_t i = 0; i < w->all.n; i++) {
		const struct keeper_region *r = &w->all.v[i];
		if (!is_wanted_vendor(w->q, of, r->vendor_id) || !keeper_region_is_called(r, name))
			continue;
		add_region_id(w->out, r);
		first = first ? first : r;
	}
	if (!first)
		return report_unknown_region(w, asked, of, name, e);
	add_region_words(w->words, asked, name, first);
	return KEEPER_REGION_FOUND;
}

/* If every region is VENDOR~NAME, their vendors; else the vendors of the query. */
static const struct opts_list *vendors_to_ask(const struct keeper_query *q, struct opts_list *own,
                                              char names[OPTS_LIST_MAX][64])
{
	own->n = 0;
	for (size_t i = 0; i < q->of.region.n; i++) {
		size_t known = 0;
		split_vendor(q->of.region.v[i], names[own->n]);
		if (!*names[own->n])
			return &q->of.vendor;
		while (known < own->n && strcmp(own->v[known], names[own->n]) != 0)
			known++;
		if (known < own->n)
			continue;
		own->v[own->n] = names[own->n];
		own->n++;
	}
	return own;
}

enum keeper_region_found keeper_region_ask(struct keeper_fetch *f, struct keeper_region_ids *out,
                                           struct buf *words, struct err *e)
{
	char names[OPTS_LIST_MAX][64];
	struct opts_list own;
	struct wanted w = {.q = f->q, .out = out, .words = words};
	enum keeper_region_found found = KEEPER_REGION_FOUND;

	out->n = 0;
	if (!f->q->of.region.n)
		return found;
	if (keeper_region_ask_list(f, vendors_to_ask(f->q, &own, names), &w.all, e))
		found = KEEPER_REGION_UNCHECKED;
	for (size_t i = 0; !found && i < f->q->of.region.n; i++)
		found = find_region(&w, f->q->of.region.v[i], e);
	if (found) {
		out->n = 0;
		buf_clear(words);
	}
	keeper_parse_free_regions(&w.all);
	return found;
}
