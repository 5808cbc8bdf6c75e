/* keeper: asks the Spare Cores Keeper API which servers are cheapest, and what the present one
 * costs. */
#include "report/prices/keeper.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/alloc_failed.h"
#include "report/prices/keeper_compliance.h"
#include "report/prices/keeper_current.h"
#include "report/prices/keeper_fetch.h"
#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_region_search.h"
#include "report/prices/keeper_text.h"
#include "report/prices/keeper_url.h"

/* -- cheapest servers -------------------------------------------------------------------------- */

struct servers_wanted {
	struct keeper_query q; /* as the rows are checked */
	struct keeper_result *out;
};

static int read_servers(const char *json, size_t n, void *into, struct err *e)
{
	struct servers_wanted *w = into;

	return keeper_parse_servers(json, n, &w->q, w->out, e);
}

/* A region belongs to a vendor: whose regions alone were asked for, whose servers alone fit. */
static void narrow_vendors(struct keeper_query *q, const struct keeper_region_ids *places)
{
	if (q->vendor.n)
		return;
	for (size_t i = 0; i < places->n && q->vendor.n < OPTS_LIST_MAX; i++)
		q->vendor.v[q->vendor.n++] = places->v[i].vendor_id;
}

static int fetch_servers(struct keeper_fetch *f, struct servers_wanted *w,
                         const struct keeper_query *as, const struct keeper_region_ids *places,
                         bool all, struct err *e)
{
	struct keeper_fetch_call c = {
	    KEEPER_FETCH_SERVERS, {.max = KEEPER_FETCH_URL_MAX}, read_servers, w, 0};

	keeper_url_servers(&c.url, as, places, all);
	return keeper_fetch(f, &c, e);
}

static void say_none_fits(struct keeper_result *out)
{
	struct err e;

	if (out->looked_at)
		err_set(&e, "None of the %zu servers in the answer passes the check: %s.%s%.300s",
		        out->looked_at, out->asked, *out->filters_why ? " " : "", out->filters_why);
	else
		err_set(&e, "No server fits: %s.%s%.300s", out->asked, *out->filters_why ? " " : "",
		        out->filters_why);
	keeper_text_copy(out->why, sizeof out->why, e.msg);
}

static void say_not_known(const struct keeper_query *q, struct err *e, struct keeper_result *out)
{
	if (q->offline)
		err_set(e, "Prices were not asked for (--offline).");
	else
		err_wrap(e, "The cheapest servers are not known");
	keeper_text_copy(out->why, sizeof out->why, e->msg);
}

/* One call; and where a whole answer came and too little of it fits, as servers without a price may
 * stand first in the order of prices, another one for all that the service gives at once. */
static int fetch_part(struct keeper_fetch *f, struct servers_wanted *w,
                      const struct keeper_query *as, const struct keeper_region_ids *places,
                      struct err *e)
{
	struct keeper_result *out = w->out, *more;

	if (fetch_servers(f, w, as, places, false, e))
		return -1;
	if (out->n >= keeper_query_count(as) || out->looked_at < keeper_url_limit(as, false) ||
	    keeper_url_limit(as, false) == keeper_url_limit(as, true))
		return 0;
	more = alloc_failed_note(malloc(sizeof *more));
	if (!more)
		return 0;
	*more = *out;
	w->out = more;
	if (!fetch_servers(f, w, as, places, true, NULL))
		*out = *more;
	w->out = out;
	free(more);
	return 0;
}

/* The service takes one country and three regions in a call of somebody who has not logged in. */
#define REGIONS_AT_ONCE 3

/* Of n regions, how many the i-th call asks for. */
static size_t regions_in_call(size_t n, size_t i)
{
	size_t left = n - i * REGIONS_AT_ONCE;

	return left < REGIONS_AT_ONCE ? left : REGIONS_AT_ONCE;
}

static void narrow_query(struct keeper_query *as, const struct keeper_query *q,
                         struct keeper_region_ids *places, const struct keeper_region_ids *all,
                         size_t country, size_t region)
{
	size_t from = region * REGIONS_AT_ONCE;

	*as = *q;
	places->n = 0;
	if (q->country.n)
		as->country = (struct opts_list){{q->country.v[country]}, 1};
	if (all->n) {
		places->n = regions_in_call(all->n, region);
		memcpy(places->v, all->v + from, places->n * sizeof *places->v);
	} else if (q->region.n) {
		as->region.n = regions_in_call(q->region.n, region);
		memcpy(as->region.v, q->region.v + from, as->region.n * sizeof *as->region.v);
	}
}

static void merge_result(struct keeper_result *out, const struct keeper_result *part, size_t max)
{
	for (size_t i = 0; i < part->n; i++)
		keeper_result_add(out, &part->server[i], max);
	out->looked_at += part->looked_at;
	out->present = part->present;
}

/* A call for each country and for every few regions. All must be answered: the cheapest server may
 * be in any of them. */
static int fetch_parts(struct keeper_fetch *f, const struct keeper_query *q,
                       const struct keeper_region_ids *all, struct keeper_result *out,
                       struct err *e)
{
	size_t regions = all->n ? all->n : q->region.n;
	size_t countries = q->country.n ? q->country.n : 1;
	struct servers_wanted w = {.q = *q, .out = alloc_failed_note(malloc(sizeof *w.out))};
	struct keeper_region_ids places;
	struct keeper_query as;
	int rc = w.out ? 0 : err_set(e, "no memory");

	regions = regions ? (regions + REGIONS_AT_ONCE - 1) / REGIONS_AT_ONCE : 1;
	narrow_vendors(&w.q, all);
	for (size_t i = 0; !rc && i < countries * regions; i++) {
		*w.out = *out;
		narrow_query(&as, q, &places, all, i / regions, i % regions);
		rc = fetch_part(f, &w, &as, &places, e);
		if (!rc)
			merge_result(out, w.out, keeper_query_count(q));
	}
	keeper_result_share_billing(out);
	free(w.out);
	return rc;
}

static void ask_servers(struct keeper_fetch *f, struct keeper_result *out,
                        const struct keeper_region_ids *places)
{
	struct keeper_query q = *f->q;
	struct err e = {0};
	int rc = keeper_compliance_filter(f, &q.vendor, out->filters_why, &e);

	/* Without one vendor that complies, the service would drop the filter. */
	if (!rc && (q.vendor.n || !f->q->vendor.n))
		rc = fetch_parts(f, &q, places, out, &e);
	if (rc) {
		out->n = 0;
		say_not_known(f->q, &e, out);
	} else if (!out->n)
		say_none_fits(out);
	out->known = out->n > 0;
}

/* False where a region is not one. */
static bool ask_regions(struct keeper_fetch *f, struct keeper_result *out,
                        struct keeper_region_ids *places)
{
	struct buf words = {.max = 4096};
	struct err e = {0};
	enum keeper_region_found found = keeper_region_search(f, places, &words, &e);

	keeper_query_words(f->q, buf_cstr(&words), out->asked);
	buf_free(&words);
	if (found == KEEPER_REGION_UNKNOWN)
		keeper_text_copy(out->wrong, sizeof out->wrong, e.msg);
	if (found == KEEPER_REGION_UNCHECKED)
		snprintf(out->filters_why, sizeof out->filters_why,
		         "The regions could not be checked: %.400s.", e.msg);
	return found != KEEPER_REGION_UNKNOWN;
}

/* -- all of it --------------------------------------------------------------------------------- */

static void init_result(const struct keeper_query *q, struct keeper_result *out)
{
	*out = (struct keeper_result){.retrieved_at = NAN, .spot = q->spot};
	out->present = keeper_server_unknown();
	keeper_text_copy(out->currency, sizeof out->currency, keeper_query_currency(q));
	for (char *c = out->currency; *c; c++)
		*c = (char)toupper((unsigned char)*c);
}

int keeper_ask(const struct keeper_query *q, struct keeper_result *out)
{
	struct keeper_fetch f;
	struct keeper_region_ids places;

	init_result(q, out);
	keeper_fetch_begin(&f, q);
	if (ask_regions(&f, out, &places)) {
		ask_servers(&f, out, &places);
		keeper_current_ask(&f, out);
	}
	out->retrieved_at = f.oldest;
	out->age_s = f.age_s;
	keeper_text_copy(out->age_why, sizeof out->age_why, f.age_why.msg);
	keeper_text_copy(out->cache_why, sizeof out->cache_why, f.cache_why.msg);
	keeper_fetch_end(&f);
	return out->known || out->present_known ? 0 : -1;
}

void keeper_attribution(double retrieved_at, char out[160])
{
	char when[64] = "at an unknown time";
	struct tm tm;

	if (retrieved_at >= 0 && retrieved_at < 4e11) { /* years of at most five digits */
		time_t t = (time_t)retrieved_at;
		if (gmtime_r(&t, &tm))
			strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &tm);
	}
	snprintf(out, 160,
	         "Prices and server data: Spare Cores Navigator, CC BY-SA 4.0, retrieved %s", when);
}
