/*
 * keeper_machines: prices per hour of the types of machines that many runs were on, from the Keeper
 * API.
 *
 * Each vendor's type is asked for once, when it is first needed. All requests together take at most
 * KEEPER_MACHINES_BUDGET_S; docs/keeper.md describes calls, cache and errors.
 */
#ifndef FLEET_GROUPS_KEEPER_MACHINES_H
#define FLEET_GROUPS_KEEPER_MACHINES_H

#include "core/base/buf.h"
#include "fleet/catalog/catalog.h"
#include "report/prices/keeper_query.h"

#define KEEPER_MACHINES_BUDGET_S 20.0
#define KEEPER_MACHINES_MAX      ((size_t)1024) /* types and regions; further ones are unknown */

struct keeper_machines;

/* Borrows q, of which base_url, offline, fetcher, cache_dir, spot and currency count. NULL without
 * memory. */
struct keeper_machines *keeper_machines_new(const struct keeper_query *q);
void keeper_machines_free(struct keeper_machines *k); /* NULL is fine */

/* The price per hour in the machine's region or, if that is unknown or has none, the lowest of all
 * regions; spot if the query asks for it. NAN: unknown. machines: struct keeper_machines. A
 * fleet_price. */
double keeper_machines_price(void *machines, const struct catalog_machine *m);

/* Counts of the prices that were asked for. */
struct keeper_machines_count {
	size_t types;        /* vendors' types that were asked for */
	size_t unpriced;     /* of them, those without a price */
	size_t lowest;       /* machines whose price is the lowest of all regions */
	size_t unknown;      /* kinds of machines whose vendor or type is unknown */
	double retrieved_at; /* Unix time of the oldest answer that was used; NAN without one */
};

struct keeper_machines_count keeper_machines_counted(const struct keeper_machines *k);

/* Appends sentences: how many types have a price, of which kind, from where, and when; how many
 * have none, and why the service could not be asked. */
void keeper_machines_basis(const struct keeper_machines *k, struct buf *out);

/* Why the first type without a price has none: a clause; "" if all have one. */
const char *keeper_machines_why(const struct keeper_machines *k);

#endif
