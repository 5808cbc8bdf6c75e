/* keeper: asks the Spare Cores Keeper API which servers are cheapest, and what the present one
 * costs. */
#include "keeper.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../core/mem.h"
#include "keeper_fetch.h"
#include "keeper_parse.h"
#include "keeper_present.h"
#include "keeper_query.h"
#include "keeper_regions.h"

/* -- cheapest servers ----------------------------------------------------------------------------
 */

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
static void narrow_vendors(struct keeper_query *q, const struct keeper_places *places)
{
	if (q->vendor.n)
		return;
	for (size_t i = 0; i < places->n && q->vendor.n < OPTS_LIST_MAX; i++)
		q->vendor.v[q->vendor.n++] = places->v[i].vendor_id;
}

static int fetch_servers(struct keeper_fetch *f, struct servers_wanted *w,
                         const struct keeper_places *places, bool all, struct err *e)
{
	struct keeper_call c = {KEEPER_SERVERS, {.max = KEEPER_URL_MAX}, read_servers, w, 0};

	keeper_url_servers(&c.url, f->q, places, all);
	return keeper_fetch(f, &c, e);
}

static void say_none_fits(struct keeper_result *out, const struct err *regions)
{
	struct err e;

	if (out->looked_at)
		err_set(&e, "None of the %zu servers in the answer passes the check: %s.",
		        out->looked_at, out->asked);
	else if (*regions->msg)
		err_set(&e, "No server fits: %s. Regions could not be looked up by name: %.200s",
		        out->asked, regions->msg);
	else
		err_set(&e, "No server fits: %s.", out->asked);
	keeper_copy(out->why, sizeof out->why, e.msg);
}

static void say_not_known(const struct keeper_query *q, struct err *e, struct keeper_result *out)
{
	if (q->offline)
		err_set(e, "Prices were not asked for (--offline).");
	else
		err_wrap(e, "The cheapest servers are not known");
	keeper_copy(out->why, sizeof out->why, e->msg);
}

/* Where a whole answer came and too little of it fits, as servers without a price may stand first
 * in the order of prices: all that the service gives at once. */
static void fetch_more(struct keeper_fetch *f, struct servers_wanted *w,
                       const struct keeper_places *places)
{
	struct keeper_result *out = w->out, *more;

	if (out->n >= keeper_count(f->q) || out->looked_at < keeper_limit(f->q, false) ||
	    keeper_limit(f->q, false) == keeper_limit(f->q, true))
		return;
	more = mem_noted(malloc(sizeof *more));
	if (!more)
		return;
	*more = *out;
	w->out = more;
	if (!fetch_servers(f, w, places, true, NULL))
		*out = *more;
	w->out = out;
	free(more);
}

static void ask_servers(struct keeper_fetch *f, struct keeper_result *out)
{
	struct servers_wanted w = {.q = *f->q, .out = out};
	struct keeper_places places;
	struct err e = {0}, regions = {0};

	keeper_regions_wanted(f, &places, &regions);
	narrow_vendors(&w.q, &places);
	if (fetch_servers(f, &w, &places, false, &e)) {
		out->n = 0;
		say_not_known(f->q, &e, out);
	} else {
		fetch_more(f, &w, &places);
		if (!out->n)
			say_none_fits(out, &regions);
	}
	out->known = out->n > 0;
}

/* -- all of it -----------------------------------------------------------------------------------
 */

static void set_up(const struct keeper_query *q, struct keeper_result *out)
{
	*out = (struct keeper_result){.retrieved_at = NAN, .spot = q->spot};
	out->present = (struct keeper_server){.vcpus = NAN,
	                                      .memory_mib = NAN,
	                                      .gpu_count = NAN,
	                                      .gpu_memory_total_mib = NAN,
	                                      .price_hour = NAN,
	                                      .price_ondemand = NAN,
	                                      .price_spot = NAN,
	                                      .price_month = NAN,
	                                      .score = NAN,
	                                      .billing_min_s = NAN,
	                                      .billing_increment_s = NAN};
	keeper_copy(out->currency, sizeof out->currency, keeper_currency(q));
	for (char *c = out->currency; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	keeper_words(q, out);
}

int keeper_ask(const struct keeper_query *q, struct keeper_result *out)
{
	struct keeper_fetch f;

	set_up(q, out);
	keeper_fetch_begin(&f, q);
	ask_servers(&f, out);
	keeper_present_ask(&f, out);
	out->retrieved_at = f.oldest;
	out->age_s = f.age_s;
	keeper_copy(out->age_why, sizeof out->age_why, f.age_why.msg);
	keeper_copy(out->cache_why, sizeof out->cache_why, f.cache_why.msg);
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
