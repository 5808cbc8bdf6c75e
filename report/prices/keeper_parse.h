/*
 * keeper_parse: the answers of the Keeper API: text in, values out. No I/O, no clock.
 *
 * json must be NUL-terminated after its n bytes. Any field may be null, absent or of another type;
 * an answer that is no JSON, nested deeper than 32 levels or of more than half a million values is
 * an error: -1 with a sentence that begins with "the answer". Fields: docs/keeper.md.
 */
#ifndef REPORT_PRICES_KEEPER_PARSE_H
#define REPORT_PRICES_KEEPER_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "report/prices/keeper.h"

/* Checks every row against q, and puts the cheapest q->servers of those that pass into out->server,
 * by (price, vendor_id, server_id); sets out->n and out->looked_at. What a row tells of the present
 * server, or of how its vendor bills, goes to out->present. Nothing else is touched. */
int keeper_parse_servers(const char *json, size_t n, const struct keeper_query *q,
                         struct keeper_result *out, struct err *e);

/* An answer of /servers to one vendor and one compliance framework: *out is whether it has rows,
 * and all of them are of this vendor. Else the service dropped the filter: the vendor does not
 * comply. */
int keeper_parse_confirms(const char *json, size_t n, const char *vendor, bool *out, struct err *e);

#define KEEPER_PRICES_MAX 256

/* A region's prices: the least of its zones. */
struct keeper_price {
	char region_id[64];
	double price_hour; /* on demand: always there */
	double spot;       /* NAN: none */
};

struct keeper_prices {
	struct keeper_price v[KEEPER_PRICES_MAX];
	size_t n;
};

/* The Linux prices per hour in this currency, one a region that has an on-demand price. */
int keeper_parse_prices(const char *json, size_t n, const char *currency, struct keeper_prices *out,
                        struct err *e);

#define KEEPER_REGIONS_MAX ((size_t)2048)

struct keeper_region {
	char vendor_id[64], region_id[64];
	char name[64], api_reference[64]; /* "" where not told */
	char aliases[256];                /* each with a line feed behind it */
};

/* {0} is valid: none. */
struct keeper_regions {
	struct keeper_region *v;
	size_t n;
};

/* Replaces *out by the regions of the answer, KEEPER_REGIONS_MAX at most. */
int keeper_parse_regions(const char *json, size_t n, struct keeper_regions *out, struct err *e);
void keeper_regions_free(struct keeper_regions *r);

#define KEEPER_PLACES_MAX 64

/* Regions as the service is asked for them. */
struct keeper_places {
	struct {
		char vendor_id[64], region_id[64];
	} v[KEEPER_PLACES_MAX];
	size_t n;
};

/* The row of one server (/v2/server): fills in what is not known of *s yet. A row that is not of
 * s->vendor_id and s->server_id (its id or its API reference) is an error. */
int keeper_parse_specs(const char *json, size_t n, struct keeper_server *s, struct err *e);

/* The stress-ng score of all cores among the benchmarks of a server; NAN where there is none. */
int keeper_parse_score(const char *json, size_t n, double *score, struct err *e);

/* What an error answer says in `detail`: a string, or a list of {loc, msg}. "" where it says none.
 */
void keeper_parse_detail(const char *json, size_t n, char out[256]);

/* Copies text, cut to fit, at a character's boundary; control characters become spaces. */
void keeper_copy(char *out, size_t size, const char *text);

#endif
