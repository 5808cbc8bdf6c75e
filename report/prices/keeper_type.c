/* keeper_type: the prices per hour of one type of server. */
#include "report/prices/keeper_type.h"

#include <string.h>
#include <strings.h>

#include "report/prices/keeper_url.h"

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

	keeper_url_prices(&c.url, f->q);
	rc = keeper_fetch(f, &c, e);
	if (rc && c.status == 404)
		return err_set(e, "the service has no such server");
	if (!rc && !out->n)
		return err_set(e, "the service has no on-demand Linux price in %s", currency);
	return rc;
}
