/* offer: a server of the Keeper API as a report shows it. */
#include "report/prices/offer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report/prices/keeper_filters.h"

const char *offer_server(const struct keeper_server *s)
{
	if (*s->name)
		return s->name;
	return *s->api_reference ? s->api_reference : s->server_id;
}

const char *offer_vendor(const struct keeper_server *s)
{
	return *s->vendor_name ? s->vendor_name : s->vendor_id;
}

const char *offer_vendor_short(const struct keeper_server *s)
{
	const struct keeper_vendor *v = keeper_filters_vendor(s->vendor_id);

	return v ? v->short_name : offer_vendor(s);
}

bool offer_is_plain(const char *s)
{
	return *s && *s != '.' && *s != '-' &&
	       !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")];
}

const char *offer_url(const struct keeper_server *s, char url[OFFER_URL_MAX])
{
	bool plain = offer_is_plain(s->vendor_id) && offer_is_plain(s->api_reference);

	url[0] = '\0';
	if (plain)
		snprintf(url, OFFER_URL_MAX, "https://sparecores.com/server/%s/%s", s->vendor_id,
		         s->api_reference);
	return url;
}

struct cost_billing offer_billing(const struct keeper_server *s)
{
	return cost_billing_of(s->vendor_id, s->billing_min_s, s->billing_increment_s);
}

double offer_alone(const struct keeper_server *s, double price_hour, double duration_s)
{
	return cost_alone(price_hour, duration_s, offer_billing(s));
}

bool offer_is_called(const struct keeper_server *s, const char *vendor, const char *type)
{
	return !strcasecmp(s->vendor_id, vendor) &&
	       (!strcasecmp(s->server_id, type) || !strcasecmp(s->api_reference, type));
}

bool offer_is(const struct keeper_server *s, const struct keeper_server *named)
{
	return offer_is_called(s, named->vendor_id, named->server_id);
}

bool offer_is_present(const struct keeper_result *k)
{
	return k->known && k->present_known && offer_is(&k->server[0], &k->present);
}

struct offer_price offer_price_of_run(const struct keeper_result *k)
{
	if (k->present_known)
		return (struct offer_price){&k->present, k->present.price_hour, true, false};
	if (k->known && k->n)
		return (struct offer_price){&k->server[0], k->server[0].price_hour, false, k->spot};
	return (struct offer_price){.hour = NAN};
}

struct offer_pair offer_pair(const struct keeper_result *k)
{
	const struct keeper_server *here = &k->present, *there = &k->server[0];

	if (!k->known || !k->present_known)
		return (struct offer_pair){NAN, NAN, false, "", ""};
	if (!k->spot)
		return (struct offer_pair){here->price_ondemand, there->price_ondemand, false, "",
		                           ""};
	if (here->price_spot > 0)
		return (struct offer_pair){here->price_spot, there->price_spot, true,
		                           ", comparing spot prices", ""};
	if (there->price_ondemand > 0)
		return (struct offer_pair){
		    here->price_ondemand, there->price_ondemand, false,
		    ", comparing on-demand prices because this server's spot price is unknown", ""};
	return (struct offer_pair){NAN, NAN, false, "",
	                           "No savings are shown: this server's spot price is unknown, "
	                           "and so is the cheapest server's on-demand price."};
}
