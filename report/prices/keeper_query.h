/*
 * keeper_query: what is wanted, as the URLs of the Keeper API's calls and in words. Pure.
 */
#ifndef REPORT_PRICES_KEEPER_QUERY_H
#define REPORT_PRICES_KEEPER_QUERY_H

#include <stdbool.h>

#include "core/buf.h"
#include "report/prices/keeper.h"
#include "report/prices/keeper_parse.h"

/* Whether a word that a recording tells is one: not NULL, "" or "unknown". */
bool keeper_told(const char *s);

/* /servers. places, where it holds any, stands in for q->region. all: as many rows as the service
 * gives at once, and not some more than are shown. */
void keeper_url_servers(struct buf *out, const struct keeper_query *q,
                        const struct keeper_places *places, bool all);

/* /servers, asked so that only rows of this vendor come where it complies with this framework, and
 * rows of others too where it does not. */
void keeper_url_complying(struct buf *out, const struct keeper_query *q, const char *vendor,
                          const char *framework);

/* How many rows /servers is asked for. */
size_t keeper_limit(const struct keeper_query *q, bool all);

/* /server/{vendor}/{server}/prices of the present server. */
void keeper_url_prices(struct buf *out, const struct keeper_query *q);

/* Its specs, and its benchmarks. */
void keeper_url_specs(struct buf *out, const struct keeper_query *q);
void keeper_url_benchmarks(struct buf *out, const struct keeper_query *q);

/* /regions of these vendors; of all where the list is empty. */
void keeper_url_regions(struct buf *out, const struct keeper_query *q,
                        const struct opts_list *vendors);

/* "at least 2 CPUs, 4 GiB of memory; vendor aws" into out->asked. regions: what the regions that
 * were asked for are called; "": as they were asked for. */
void keeper_words(const struct keeper_query *q, const char *regions, struct keeper_result *out);

/* The architecture as the service spells it: "aarch64" → "arm64". Name's or static. */
const char *keeper_arch(const char *name);

/* The currency asked for, as it was spelled; "USD" where none was. */
const char *keeper_currency(const struct keeper_query *q);

/* v where it is a positive number, else 0: a wish that is none. */
double keeper_wanted(double v);

/* The number of servers asked for, within its bounds. */
size_t keeper_count(const struct keeper_query *q);

#endif
