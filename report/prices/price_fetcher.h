/*
 * price_fetcher: sends the requests to the Keeper API from a worker process, so that the process
 * that reads recordings needs no network access.
 *
 * The worker sends requests only to the address that it was started with, writes no files and runs
 * no programs.
 */
#ifndef REPORT_PRICES_PRICE_FETCHER_H
#define REPORT_PRICES_PRICE_FETCHER_H

#include "report/http/http.h"
#include "report/sandbox/worker_process.h"

#define PRICE_FETCHER_URL_MAX ((size_t)64 << 10)

/* {0} is valid: no worker; all requests fail. */
struct price_fetcher {
	struct worker_process worker;
	struct err why; /* why the worker could not be started; or "" */
};

/* base: the address that every URL begins with; borrowed. If this fails, price_fetcher_get returns
 * the reason. */
void price_fetcher_start(struct price_fetcher *c, const char *base);

/* Like http_get of this URL within budget_ms. c NULL: this process sends the request itself. */
int price_fetcher_get(const struct price_fetcher *c, const char *url, long budget_ms,
                      struct http_answer *a, struct err *e);

/* Ends the worker: no more requests are possible. */
void price_fetcher_stop(struct price_fetcher *c);

#endif
