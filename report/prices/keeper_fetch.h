/*
 * keeper_fetch: one answer of the Keeper API, from the cache or from the network.
 *
 * A fresh answer in the cache is used without a request. Otherwise the service is asked, and its
 * answer is cached once the reader accepted it. If the service cannot be reached (no answer, 429,
 * 5xx, a redirect, or something else than an answer, such as a captive portal's page) or must not
 * be asked (offline), an expired answer is used, and its age is noted.
 */
#ifndef REPORT_PRICES_KEEPER_FETCH_H
#define REPORT_PRICES_KEEPER_FETCH_H

#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/prices/keeper_cache.h"
#include "report/prices/keeper_query.h"
#include "report/prices/price_fetcher.h"

#define KEEPER_FETCH_BUDGET_S 6.0 /* for all calls together */
#define KEEPER_FETCH_URL_MAX  PRICE_FETCHER_URL_MAX

/* All calls for one query: keeper_fetch_begin sets it up, keeper_fetch_end releases it. */
struct keeper_fetch {
	const struct keeper_query *q;
	double budget_s; /* for all calls together */
	int64_t end_ms;  /* when the budget ends, on the monotonic clock */
	size_t calls;    /* so far, to the cache or the service */
	size_t kept;     /* of KEEPER_CALLS_MAX, for what is asked later */
	long status;     /* of the last one (keeper_fetch_call) */
	struct err dead; /* why the service cannot be reached: it is not asked again */
	struct keeper_cache cache;
	double oldest;        /* Unix time of the oldest answer with prices that was used; NAN */
	double age_s;         /* of the oldest expired answer that was used; 0 */
	struct err age_why;   /* why it was used */
	struct err cache_why; /* why the requested folder cannot be used; or "" */
};

/* Reads an answer: json is NUL-terminated after its n bytes. 0, or -1 with a sentence if it is not
 * the expected answer; the reader may then be called again with another one. */
typedef int keeper_fetch_reader(const char *json, size_t n, void *into, struct err *e);

/* The kind of an answer decides how long it stays fresh. */
enum keeper_fetch_kind {
	KEEPER_FETCH_SERVERS,
	KEEPER_FETCH_PRICES,
	KEEPER_FETCH_REGIONS,
	KEEPER_FETCH_SPECS
};

struct keeper_fetch_call {
	enum keeper_fetch_kind kind;
	struct buf url; /* with .max = KEEPER_FETCH_URL_MAX; keeper_fetch frees it */
	keeper_fetch_reader *read;
	void *into;
	long status; /* out: HTTP status of the service's answer; 0 without one */
};

/* otherwise_s: the budget where q has no .timeout_s. */
void keeper_fetch_begin(struct keeper_fetch *f, const struct keeper_query *q, double otherwise_s);
void keeper_fetch_end(struct keeper_fetch *f);

/* 0 if the reader accepted an answer, else -1 with a sentence. */
int keeper_fetch(struct keeper_fetch *f, struct keeper_fetch_call *c, struct err *e);

#endif
