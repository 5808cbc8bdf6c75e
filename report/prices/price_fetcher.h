/*
 * price_fetcher: sends the requests to the Keeper API from a worker process (fetcher.h).
 */
#ifndef REPORT_PRICES_PRICE_FETCHER_H
#define REPORT_PRICES_PRICE_FETCHER_H

#include "core/base/buf.h"
#include "report/http/fetcher.h"

#define PRICE_FETCHER_URL_MAX ((size_t)64 << 10)

/* {0} is valid: no worker; all requests fail. */
struct price_fetcher {
	struct fetcher fetcher;
	struct err why; /* why the worker could not be started; or "" */
};

/* base: the address that every URL begins with. If this fails, price_fetcher_get returns the
 * reason. timeout_s: what all tries of an answer may take; 0, or less than the default: 6 s. */
void price_fetcher_start(struct price_fetcher *c, const char *base, double timeout_s);

/* 0 if the service answered, with any status, within budget_ms; body: {0} before, with an end of
 * text after. -1 with a sentence. */
int price_fetcher_get(const struct price_fetcher *c, const char *url, long budget_ms, long *status,
                      struct buf *body, struct err *e);

/* Ends the worker: no more requests are possible. */
void price_fetcher_stop(struct price_fetcher *c);

#endif
