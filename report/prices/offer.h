/*
 * offer: a server of the Keeper API as a report shows it: its names, its billing, and the prices
 * at which it is compared with the run's server.
 */
#ifndef REPORT_PRICES_OFFER_H
#define REPORT_PRICES_OFFER_H

#include <stdbool.h>

#include "report/prices/cost.h"
#include "report/prices/keeper_result.h"

/* Names to show: of the server; of its vendor, "Hetzner Cloud"; for narrow columns, "Hetzner". */
const char *offer_server(const struct keeper_server *s);
const char *offer_vendor(const struct keeper_server *s);
const char *offer_vendor_short(const struct keeper_server *s);

/* Whether it is a plain identifier: letters, digits, ".", "_" and "-", not beginning with "." or
 * "-". */
bool offer_is_plain(const char *s);

/* The address of the server's page in the Navigator; "" unless vendor and API reference are plain.
 */
#define OFFER_URL_MAX 256
const char *offer_url(const struct keeper_server *s, char url[OFFER_URL_MAX]);

struct cost_billing offer_billing(const struct keeper_server *s);

/* cost_alone with its vendor's billing terms. */
double offer_alone(const struct keeper_server *s, double price_hour, double duration_s);

/* Whether s is the server that a machine's metadata, or another answer, calls so: by its id or its
 * API reference. */
bool offer_is_called(const struct keeper_server *s, const char *vendor, const char *type);
bool offer_is(const struct keeper_server *s, const struct keeper_server *named);

/* Whether the run was on the cheapest server. */
bool offer_is_present(const struct keeper_result *k);

/* The price for the run's cost: that of its own server, else of the cheapest one. server: NULL if
 * neither is known. */
struct offer_price {
	const struct keeper_server *server;
	double hour; /* NAN: unknown */
	bool present, spot;
};

struct offer_price offer_price_of_run(const struct keeper_result *k);

/* The prices that savings compare, of the run's server and of the cheapest one: both are spot
 * prices, or both are on-demand prices. */
struct offer_pair {
	double here, there; /* per hour; NAN: nothing to compare */
	bool spot;
	/* Which prices are compared, to end a sentence: ", comparing spot prices", or "". */
	const char *end;
	/* A sentence if both servers are known but cannot be compared, else "". */
	const char *why;
};

struct offer_pair offer_pair(const struct keeper_result *k);

#endif
