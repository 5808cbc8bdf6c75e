/*
 * price_fetcher: asks the Keeper, from a process of its own, so that the one that reads recordings
 * needs
 * no network.
 *
 * That process asks nobody but the address that it was started with, writes no file and runs
 * nothing.
 */
#ifndef REPORT_PRICES_PRICE_FETCHER_H
#define REPORT_PRICES_PRICE_FETCHER_H

#include "core/http.h"
#include "report/sandbox/worker_process.h"

#define PRICE_FETCHER_URL_MAX ((size_t)64 << 10)

/* {0}: none, which asks nobody. */
struct price_fetcher {
	struct worker_process worker;
	struct err why; /* it could not be started; or "" */
};

/* base: what every URL begins with; borrowed. Where this fails, price_fetcher_get tells why. */
void price_fetcher_start(struct price_fetcher *c, const char *base);

/* As http_get of this URL within budget_ms. NULL for c: this process asks by itself. */
int price_fetcher_get(const struct price_fetcher *c, const char *url, long budget_ms,
                      struct http_answer *a, struct err *e);

/* There is no network from here on. */
void price_fetcher_stop(struct price_fetcher *c);

#endif
