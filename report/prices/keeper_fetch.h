/*
 * keeper_fetch: one answer of the Keeper API, from the cache or from the network.
 *
 * An answer that is fresh in the cache is not asked for. Else the service is asked, and what it
 * says is kept once its reader took it. Where the service cannot be reached (no answer, 429, 5xx, a
 * redirect, an answer that is none: a hotel's page) or must not be asked (offline), an older one
 * serves, and its age is told.
 */
#ifndef REPORT_PRICES_KEEPER_FETCH_H
#define REPORT_PRICES_KEEPER_FETCH_H

#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "report/prices/keeper.h"
#include "report/prices/keeper_cache.h"
#include "report/prices/price_fetcher.h"

#define KEEPER_URL_MAX PRICE_FETCHER_URL_MAX

/* A conversation with the service: set_up by keeper_fetch_begin, ended by keeper_fetch_end. */
struct keeper_fetch {
	const struct keeper_query *q;
	int64_t end_ms;  /* of the budget, on the monotonic clock */
	struct err dead; /* why the service cannot be reached: then it is asked nothing more */
	struct keeper_cache cache;
	double oldest;        /* Unix time of the oldest answer with prices that was used; NAN */
	double age_s;         /* of the oldest one that was used though not fresh; 0 */
	struct err age_why;   /* why it was used */
	struct err cache_why; /* why the folder that was asked for cannot be used; or "" */
};

/* What an answer is read by: json is NUL-terminated after its n bytes. 0, or -1 with a sentence
 * where it is no such answer; then it may be called again with another. */
typedef int keeper_reader(const char *json, size_t n, void *into, struct err *e);

enum keeper_kind { KEEPER_SERVERS, KEEPER_PRICES, KEEPER_REGIONS, KEEPER_SPECS };

struct keeper_call {
	enum keeper_kind kind;
	struct buf url; /* with .max = KEEPER_URL_MAX; freed by keeper_fetch */
	keeper_reader *read;
	void *into;
	long status; /* out: of the service's answer; 0 without one */
};

void keeper_fetch_begin(struct keeper_fetch *f, const struct keeper_query *q);
void keeper_fetch_end(struct keeper_fetch *f);

/* 0 where the reader took an answer, else -1 with a sentence. */
int keeper_fetch(struct keeper_fetch *f, struct keeper_call *c, struct err *e);

#endif
