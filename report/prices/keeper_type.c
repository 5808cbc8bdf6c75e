/* keeper_type: the prices per hour of one type of server. */
#include "report/prices/keeper_type.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_region.h"
#include "report/prices/keeper_result.h"

const struct keeper_price *keeper_type_in_region(const struct keeper_prices *p,
                                                 const char *region_id)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcasecmp(p->v[i].region_id, region_id))
			return &p->v[i];
	return NULL;
}

const struct keeper_price *keeper_type_cheapest(const struct keeper_prices *p)
{
	const struct keeper_price *best = &p->v[0];

	for (size_t i = 1; i < p->n; i++)
		if (p->v[i].price_hour < best->price_hour)
			best = &p->v[i];
	return best;
}

const struct keeper_price *keeper_type_in_named_region(const struct keeper_region_list *all,
                                                       const struct keeper_query *q,
                                                       const struct keeper_prices *p)
{
	const struct keeper_price *best = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct keeper_region *r = &all->v[i];
		const struct keeper_price *here;
		if (strcasecmp(r->vendor_id, q->present_vendor) != 0 ||
		    !keeper_region_is_called(r, q->present_region))
			continue;
		here = keeper_type_in_region(p, r->region_id);
		if (here && (!best || here->price_hour < best->price_hour))
			best = here;
	}
	return best;
}

/* A type of "." or ".." would change the path of the URL. */
static bool is_askable(const char *word)
{
	return keeper_query_is_known(word) && strcmp(word, ".") != 0 && strcmp(word, "..") != 0 &&
	       strlen(word) < 128;
}

bool keeper_type_is_askable(const struct keeper_query *q)
{
	return is_askable(q->present_vendor) && is_askable(q->present_type);
}

struct prices_wanted {
	struct keeper_prices *prices;
	const char *currency;
};

static int read_prices(const char *json, size_t n, void *into, struct err *e)
{
	struct prices_wanted *w = into;

	return keeper_parse_prices(json, n, w->currency, w->prices, e);
}

int keeper_type_ask(struct keeper_fetch *f, const char *currency, struct keeper_prices *out,
                    struct err *e)
{
	struct prices_wanted w = {out, currency};
	struct keeper_fetch_call c = {
	    KEEPER_FETCH_PRICES, {.max = KEEPER_FETCH_URL_MAX}, read_prices, &w, 0};
	int rc;

	keeper_query_prices_url(&c.url, f->q);
	rc = keeper_fetch(f, &c, e);
	if (rc && c.status == 404)
		return err_set(e, "the service has no such server");
	if (!rc && !out->n)
		return err_set(e, "the service has no on-demand Linux price in %s", currency);
	return rc;
}

/* -- the run's server -------------------------------------------------------------------------- */

/* The name to show for a region id; the id itself if its name is unknown. */
static const char *region_name_of(const struct keeper_region_list *all,
                                  const struct keeper_query *q, const char *id)
{
	for (size_t i = 0; i < all->n; i++)
		if (!strcasecmp(all->v[i].vendor_id, q->present_vendor) &&
		    !strcasecmp(all->v[i].region_id, id))
			return keeper_region_name(&all->v[i]);
	return id;
}

static void choose_price(struct keeper_fetch *f, const struct keeper_prices *prices,
                         struct keeper_result *out)
{
	const struct keeper_query *q = f->q;
	struct opts_list vendor = {.v = {q->present_vendor}, .n = 1};
	bool known = keeper_query_is_known(q->present_region);
	const struct keeper_price *any = keeper_type_cheapest(prices), *p;
	struct keeper_region_list all = {0};
	struct err where = {0};

	p = known ? keeper_type_in_region(prices, q->present_region) : NULL;
	/* Asks for the region's names only if one is needed: to find the region, or to show it. */
	if ((known && !p) || keeper_region_is_number((p ? p : any)->region_id))
		keeper_region_ask_list(f, &vendor, &all, NULL);
	if (known && !p)
		p = keeper_type_in_named_region(&all, q, prices);
	if (p)
		err_set(&where, "On-demand price in %.64s.",
		        region_name_of(&all, q, q->present_region));
	else if (known)
		err_set(&where,
		        "No price in %.64s is known: this is the lowest price of all regions (%s).",
		        region_name_of(&all, q, q->present_region),
		        region_name_of(&all, q, any->region_id));
	else
		err_set(&where,
		        "The region is unknown: this is the lowest price of all regions (%s).",
		        region_name_of(&all, q, any->region_id));
	p = p ? p : any;
	out->present.price_hour = out->present.price_ondemand = p->price_hour;
	out->present.price_spot = p->spot;
	out->present_known = true;
	keeper_result_copy(out->present_where, sizeof out->present_where, where.msg);
	keeper_parse_free_regions(&all);
}

static int read_specs(const char *json, size_t n, void *into, struct err *e)
{
	return keeper_parse_specs(json, n, into, e);
}

struct scores_wanted {
	const struct speed_measure *measure;
	struct keeper_server *of;
};

static int read_scores(const char *json, size_t n, void *into, struct err *e)
{
	struct scores_wanted *w = into;

	return keeper_parse_scores(json, n, w->measure, w->of, e);
}

/* Errors are ignored: these values are optional, and stay unknown. */
static void ask_specs(struct keeper_fetch *f, const struct speed_measure *m,
                      struct keeper_server *s)
{
	struct scores_wanted w = {m, s};
	struct keeper_fetch_call specs = {
	    KEEPER_FETCH_SPECS, {.max = KEEPER_FETCH_URL_MAX}, read_specs, s, 0};
	struct keeper_fetch_call scores = {
	    KEEPER_FETCH_SPECS, {.max = KEEPER_FETCH_URL_MAX}, read_scores, &w, 0};

	keeper_query_specs_url(&specs.url, f->q);
	keeper_fetch(f, &specs, NULL);
	if (!isnan(s->score) && (!isnan(s->score_asked) || !*m->id))
		return;
	keeper_query_benchmarks_url(&scores.url, f->q);
	keeper_fetch(f, &scores, NULL);
}

void keeper_type_ask_present(struct keeper_fetch *f, struct keeper_result *out)
{
	const struct keeper_query *q = f->q;
	struct keeper_server *s = &out->present;
	struct keeper_prices prices = {.n = 0};
	struct err e = {0};

	if (!keeper_type_is_askable(q)) {
		keeper_result_copy(
		    out->present_why, sizeof out->present_why,
		    "This machine's cloud server type is unknown, and so is its price.");
		return;
	}
	keeper_result_copy(s->vendor_id, sizeof s->vendor_id, q->present_vendor);
	keeper_result_copy(s->server_id, sizeof s->server_id, q->present_type);
	keeper_result_copy(s->name, sizeof s->name, q->present_type);
	keeper_result_copy(s->api_reference, sizeof s->api_reference, q->present_type);
	if (!keeper_type_ask(f, out->currency, &prices, &e)) {
		choose_price(f, &prices, out);
		ask_specs(f, &out->measure, s);
		return;
	}
	if (q->file && s->price_ondemand > 0) {
		s->price_hour = s->price_ondemand;
		out->present_known = true;
		keeper_result_copy(out->present_where, sizeof out->present_where,
		                   "This is its lowest price in the file of prices.");
		return;
	}
	s->price_ondemand = s->price_spot = NAN;
	err_wrap(&e, "The price of %.60s %.120s is unknown", q->present_vendor, q->present_type);
	keeper_result_copy(out->present_why, sizeof out->present_why, e.msg);
}
