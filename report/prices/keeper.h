/*
 * keeper: asks the Spare Cores Keeper API for the cheapest servers, and for the price of the server
 * that the run was on.
 *
 * docs/keeper.md describes the calls, checks, cache and errors. Whatever the network does, all
 * calls end within KEEPER_FETCH_BUDGET_S (2 s if the host does not answer). Whatever stays unknown
 * has a sentence that says why.
 */
#ifndef REPORT_PRICES_KEEPER_H
#define REPORT_PRICES_KEEPER_H

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_result.h"

/* All servers that fit, of all sizes. Valid when zero. */
struct keeper_pool {
	struct keeper_server *v;
	size_t n;
	/* Chooses those to report, once all are known: fills out->sized, and returns the one of
	 * them that is proposed, or NULL. NULL: none are chosen. */
	const struct keeper_server *(*choose)(void *ctx, const struct keeper_pool *p,
	                                      struct keeper_result *out);
	void *ctx;
};

void keeper_pool_free(struct keeper_pool *p);

/* Overwrites *out. p: NULL, or gets the servers of q's sizes: with .choose alone before,
 * keeper_pool_free after. The region, zone and date are then asked for of the price of the server
 * that is proposed and, if a call is left, of the cheapest one.
 * Returns 0 if out->known or out->present_known, else -1. If out->wrong is set,
 * nothing is known. */
int keeper_ask(const struct keeper_query *q, struct keeper_result *out, struct keeper_pool *p);

/* Asks for all servers that any report with q's vendors, regions, countries, frameworks, currency
 * and workload may need: *out gets the content of a file (keeper_file.h). -1 with a sentence. */
int keeper_save(const struct keeper_query *q, struct buf *out, struct err *e);

/* The attribution that must be shown next to prices; takes keeper_result.retrieved_at. */
void keeper_attribution(double retrieved_at, char out[160]);

#endif
