/*
 * keeper_url: the URLs of the Keeper API's calls for a query (docs/keeper.md). Pure.
 *
 * All functions append to *out.
 */
#ifndef REPORT_PRICES_KEEPER_URL_H
#define REPORT_PRICES_KEEPER_URL_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_region.h"

/* /servers. ids: replaces q->region; NULL or empty: q->region is sent as it is. all: request
 * as many rows as the service returns at once. */
void keeper_url_servers(struct buf *out, const struct keeper_query *q,
                        const struct keeper_region_ids *ids, bool all);

/* How many rows keeper_url_servers requests. */
size_t keeper_url_limit(const struct keeper_query *q, bool all);

/* /servers with only a vendor and a compliance framework: the answer has only this vendor's rows
 * if it complies, and rows of other vendors if it does not. */
void keeper_url_compliance(struct buf *out, const struct keeper_query *q, const char *vendor,
                           const char *framework);

/* The server of the run, q->present_*: /server/{vendor}/{server}/prices, /v2/server/{vendor}/
 * {server}, and /server/{vendor}/{server}/benchmarks. */
void keeper_url_prices(struct buf *out, const struct keeper_query *q);
void keeper_url_specs(struct buf *out, const struct keeper_query *q);
void keeper_url_benchmarks(struct buf *out, const struct keeper_query *q);

/* /regions of these vendors; of all vendors if the list is empty. */
void keeper_url_regions(struct buf *out, const struct keeper_query *q,
                        const struct opts_list *vendors);

#endif
