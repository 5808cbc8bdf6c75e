/*
 * keeper_parse: parsers of the Keeper API's answers: text in, values out. No I/O, no clock.
 *
 * json must be NUL-terminated after its n bytes. Any field may be null, absent or of another type.
 * An answer that is not JSON, is nested deeper than 32 levels, or has more than half a million
 * values is an error: -1 with a sentence that begins with "the answer". Fields: docs/keeper.md.
 */
#ifndef REPORT_PRICES_KEEPER_PARSE_H
#define REPORT_PRICES_KEEPER_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/prices/keeper_query.h"
#include "report/prices/keeper_result.h"

/* /servers. Checks every row against q, and puts the cheapest q->servers of the rows that pass into
 * out->server, by (price, vendor_id, server_id); sets out->n and out->looked_at. Details of the
 * run's own server, and how its vendor bills, go to out->present; the rows of the servers to
 * q->records. Changes nothing else. */
int keeper_parse_servers(const char *json, size_t n, const struct keeper_query *q,
                         struct keeper_result *out, struct err *e);

/* 0, or -1 with a sentence about `what` if the text is more than the functions here read. */
int keeper_parse_check(const char *json, size_t n, const char *what, struct err *e);

/* /servers. Appends its rows to a list, with commas between, with the members that a report reads;
 * adds their number to *rows. */
int keeper_parse_page(const char *json, size_t n, struct buf *list, size_t *rows, struct err *e);

/* /servers for one vendor and one compliance framework: *out is whether there are rows and all of
 * them are of this vendor. Otherwise the service dropped the filter: the vendor does not comply. */
int keeper_parse_confirms(const char *json, size_t n, const char *vendor, bool *out, struct err *e);

#define KEEPER_PRICES_MAX 256

/* A region's lowest prices, over its zones. */
struct keeper_price {
	char region_id[64];
	double price_hour; /* on demand; always known */
	double spot;       /* NAN: none */
};

struct keeper_prices {
	struct keeper_price v[KEEPER_PRICES_MAX];
	size_t n;
};

/* /prices. The Linux prices per hour in this currency, one for each region with an on-demand price.
 */
int keeper_parse_prices(const char *json, size_t n, const char *currency, struct keeper_prices *out,
                        struct err *e);

/* /server_prices. Sets s->region, .zone and .price_day to those of the lowest Linux price that q
 * and ids allow, if that is s->price_hour; else they stay unknown. */
int keeper_parse_place(const char *json, size_t n, const struct keeper_query *q,
                       const struct keeper_region_ids *ids, struct keeper_server *s, struct err *e);

#define KEEPER_REGION_LIST_MAX ((size_t)2048)

/* A vendor's region. */
struct keeper_region {
	char vendor_id[64], region_id[64];
	char name[64], api_reference[64], city[64]; /* "": unknown */
	char aliases[256];                          /* each followed by a line feed */
};

/* {0} is valid: empty. */
struct keeper_region_list {
	struct keeper_region *v;
	size_t n;
};

/* /regions. Replaces *out with at most KEEPER_REGION_LIST_MAX regions. */
int keeper_parse_regions(const char *json, size_t n, struct keeper_region_list *out, struct err *e);
void keeper_parse_free_regions(struct keeper_region_list *r);

/* /v2/server. Fills in the unknown fields of *s. An answer for another server than s->vendor_id and
 * s->server_id (an id or API reference) is an error. */
int keeper_parse_specs(const char *json, size_t n, struct keeper_server *s, struct err *e);

/* /benchmarks. Fills in the unknown scores of *s: .score_asked is of this measure. */
int keeper_parse_scores(const char *json, size_t n, const struct speed_measure *m,
                        struct keeper_server *s, struct err *e);

/* The message of an error answer: `detail` is a string, or a list of {loc, msg}. "" without one. */
void keeper_parse_detail(const char *json, size_t n, char out[256]);

#endif
