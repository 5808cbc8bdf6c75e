/* price_fetcher: sends the requests to the Keeper API from a worker process. */
#include "report/prices/price_fetcher.h"

#define TRY_MS     2000L
#define CONNECT_MS 1500L /* name, connection and TLS: a host that is down is not waited for twice */
#define TRIES      3

void price_fetcher_start(struct price_fetcher *c, const char *base, double timeout_s)
{
	/* Somebody who waits longer wants each try to wait longer. */
	long try_ms = timeout_s * 1000 / TRIES > TRY_MS ? (long)(timeout_s * 1000 / TRIES) : TRY_MS;
	const struct fetcher_service keeper = {
	    .base = base,
	    .call = {.method = "GET",
	             .headers = {"X-Application-ID: rtrack", "Accept: application/json"},
	             .gzip = true,
	             .tries = TRIES,
	             .if_reached = true,
	             .try_ms = try_ms,
	             .connect_ms = CONNECT_MS * try_ms / TRY_MS}};

	*c = (struct price_fetcher){0};
	fetcher_start(&c->fetcher, &keeper, &c->why);
}

struct gathered {
	long *status;
	struct buf *body;
};

static int gather_piece(void *ctx, long status, const char *p, size_t n, struct err *e)
{
	struct gathered *g = ctx;

	*g->status = status;
	buf_add(g->body, p, n);
	return g->body->failed ? err_set(e, "the answer is too large") : 0;
}

int price_fetcher_get(const struct price_fetcher *c, const char *url, long budget_ms, long *status,
                      struct buf *body, struct err *e)
{
	const struct fetcher_request q = {.url = url, .limit_ms = budget_ms};
	struct gathered g = {status, body};

	*status = 0;
	body->max = HTTP_BODY_MAX + 1;
	if (*c->why.msg)
		return err_set(e, "%s", c->why.msg);
	return fetcher_send(&c->fetcher, &q, gather_piece, &g, e);
}

void price_fetcher_stop(struct price_fetcher *c)
{
	fetcher_stop(&c->fetcher);
}
