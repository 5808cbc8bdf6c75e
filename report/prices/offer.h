/*
 * offer: a server of the Keeper API as a report speaks of it: its names, its bill, and at which
 * prices it is compared with the server of the run.
 */
#ifndef REPORT_PRICES_OFFER_H
#define REPORT_PRICES_OFFER_H

#include "report/prices/cost.h"
#include "report/prices/keeper_result.h"

/* What people call the server, and its vendor: "Hetzner Cloud"; in a narrow column: "Hetzner". */
const char *offer_server(const struct keeper_server *s);
const char *offer_vendor(const struct keeper_server *s);
const char *offer_vendor_short(const struct keeper_server *s);

struct cost_billing offer_billing(const struct keeper_server *s);

/* cost_alone at its own price, and as its vendor bills. */
double offer_alone(const struct keeper_server *s, double price_hour, double duration_s);

/* Whether the cheapest server is the one that the run was on. */
bool offer_is_present(const struct keeper_result *k);

/* The price that a run's cost is reckoned with: of the server that it was on, else of the cheapest
 * one. server: NULL where neither is known. */
struct offer_price {
	const struct keeper_server *server;
	double hour; /* NAN: not known */
	bool present, spot;
};

struct offer_price offer_price_of_run(const struct keeper_result *k);

/* The prices of the server of the run and of the cheapest one that savings compare: spot with spot,
 * or on demand with on demand, never one with the other. */
struct offer_pair {
	double here, there; /* per hour; NAN: there is nothing to compare */
	bool spot;
	const char
	    *end; /* how the comparison is told behind its figures: ", spot with spot", or "" */
	const char
	    *why; /* a sentence where both servers are known and cannot be compared, else "" */
};

struct offer_pair offer_pair(const struct keeper_result *k);

#endif
