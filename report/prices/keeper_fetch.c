/* keeper_fetch: one answer of the Keeper API, from the cache or from the network. */
#include "report/prices/keeper_fetch.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/quantity.h"
#include "report/http/http_host.h"
#include "report/prices/keeper_file.h"
#include "report/prices/keeper_parse.h"

#define LAST_MS 100 /* less than this is not worth a try */

static const struct {
	double fresh_s;
	bool priced;
} kinds[] = {
    [KEEPER_FETCH_SERVERS] = {QUANTITY_HOUR_S, true},
    [KEEPER_FETCH_PRICES] = {900, true},
    [KEEPER_FETCH_REGIONS] = {QUANTITY_HOUR_S, false},
    [KEEPER_FETCH_SPECS] = {QUANTITY_HOUR_S, false},
};

static int64_t fetch_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void keeper_fetch_begin(struct keeper_fetch *f, const struct keeper_query *q, double otherwise_s)
{
	double budget_s = q->timeout_s > 0 ? q->timeout_s : otherwise_s;
	char path[KEEPER_CACHE_PATH];

	*f = (struct keeper_fetch){.q = q,
	                           .budget_s = budget_s,
	                           .end_ms = fetch_now_ms() + (int64_t)(budget_s * 1000),
	                           .oldest = NAN};
	/* The default folder is optional: it is not an error if it cannot be used. */
	if (!q->cache_dir && keeper_cache_default(path))
		keeper_cache_open(&f->cache, path, !q->offline, NULL);
	else if (q->cache_dir && *q->cache_dir)
		keeper_cache_open(&f->cache, q->cache_dir, !q->offline, &f->cache_why);
}

void keeper_fetch_end(struct keeper_fetch *f)
{
	keeper_cache_close(&f->cache);
}

/* The error for a status other than 200. */
static int report_status(const char *url, long status, const struct buf *body, struct err *e)
{
	char host[HTTP_HOST_MAX], detail[256];

	http_host(url, host);
	keeper_parse_detail(buf_cstr(body), body->len, detail);
	if (status >= 300 && status < 400)
		return err_set(e,
		               "%s: answered with a redirect (status %ld), which is not followed",
		               host, status);
	return err_set(e, "%s: answered with status %ld%s%s", host, status, *detail ? ": " : "",
	               detail);
}

/* Answers that came in time are in the cache, so the next report has more time for the others. */
static int report_slow(const struct keeper_fetch *f, const char *what, struct err *e)
{
	return err_set(e, "%s within %g s (run again, or with --keeper-timeout %gs%s)", what,
	               f->budget_s, ceil(5 * f->budget_s),
	               f->cache.open ? ", or with --offline for what is cached" : "");
}

static int try_fetch(struct keeper_fetch *f, const char *url, long *status, struct buf *body,
                     struct err *e)
{
	long left = (long)(f->end_ms - fetch_now_ms());

	if (f->q->offline)
		return err_set(e, "no request was sent (--offline)");
	if (*f->dead.msg) {
		*e = f->dead;
		return -1;
	}
	if (left < LAST_MS)
		return report_slow(f, "the service does not give all answers", e);
	if (price_fetcher_get(f->q->fetcher, url, left, status, body, &f->dead)) {
		struct err why = f->dead;
		/* Earlier calls used the time up: what was left of it says nothing to a reader. */
		if ((double)left < f->budget_s * 1000 / 2 && fetch_now_ms() >= f->end_ms)
			report_slow(f, "the service does not give all answers", &f->dead);
		else if (fetch_now_ms() + LAST_MS >= f->end_ms)
			report_slow(f, why.msg, &f->dead);
		*e = f->dead;
		return -1;
	}
	return *status == 200 ? 0 : report_status(url, *status, body, e);
}

static void note_price_time(struct keeper_fetch *f, enum keeper_fetch_kind kind, double at)
{
	if (kinds[kind].priced && !(f->oldest <= at))
		f->oldest = at;
}

/* The URL without the address of the service. */
static const char *path_of(const struct keeper_fetch *f, const struct keeper_fetch_call *c)
{
	return buf_cstr(&c->url) + keeper_query_base(f->q);
}

static int from_network(struct keeper_fetch *f, struct keeper_fetch_call *c, struct err *e)
{
	const char *url = buf_cstr(&c->url);
	struct buf body = {0};
	double now = (double)time(NULL);
	int rc = -1;

	if (try_fetch(f, url, &c->status, &body, e) ||
	    c->read(buf_cstr(&body), body.len, c->into, e))
		goto out;
	note_price_time(f, c->kind, now);
	keeper_cache_put(&f->cache, url, buf_cstr(&body), body.len, now);
	if (f->q->save && c->kind != KEEPER_FETCH_SERVERS) /* keeper_save joins their pages */
		keeper_file_add(f->q->save, path_of(f, c), false, buf_cstr(&body), body.len);
	rc = 0;
out:
	buf_free(&body);
	return rc;
}

/* The service itself refused the request: an older answer from the cache would be wrong. */
static bool is_refused(long status)
{
	return status >= 400 && status < 500 && status != 429;
}

/* why: why an expired answer is used; NULL if it is fresh. */
static int from_cache(struct keeper_fetch *f, struct keeper_fetch_call *c,
                      const struct keeper_cached *old, double now, const struct err *why)
{
	if (!old->body || c->read(old->body, old->len, c->into, NULL))
		return -1;
	note_price_time(f, c->kind, old->at);
	if (why && kinds[c->kind].priced && now - old->at >= f->age_s) {
		f->age_s = fmax(1, now - old->at);
		f->age_why = *why;
	}
	return 0;
}

/* A benchmark whose scores are not in the file is one that the service does not know. */
static int from_file(struct keeper_fetch *f, struct keeper_fetch_call *c, struct err *e)
{
	bool other;
	size_t n;
	const char *body =
	    keeper_file_get(f->q->file, path_of(f, c), c->kind == KEEPER_FETCH_SERVERS, &n, &other);

	if (!body) {
		c->status = other ? 422 : 0;
		return err_set(e, "the file of prices does not have it: save it with the same "
		                  "--region, --country, --compliance, --currency and --workload");
	}
	note_price_time(f, c->kind, f->q->file->saved_at);
	return c->read(body, n, c->into, e);
}

int keeper_fetch(struct keeper_fetch *f, struct keeper_fetch_call *c, struct err *e)
{
	double now = (double)time(NULL);
	struct keeper_cached old = {0};
	struct err why = {0};
	int rc = -1;

	f->calls++;
	c->status = 0;
	if (c->url.failed) {
		err_set(e, "the request is too long");
		goto out;
	}
	if (f->q->file) {
		rc = from_file(f, c, e);
		goto out;
	}
	keeper_cache_get(&f->cache, buf_cstr(&c->url), now, &old);
	if (!f->q->offline && now - old.at <= kinds[c->kind].fresh_s)
		rc = from_cache(f, c, &old, now, NULL);
	if (rc)
		rc = from_network(f, c, &why);
	if (rc && !is_refused(c->status))
		rc = from_cache(f, c, &old, now, &why);
	if (rc && e)
		*e = why;
out:
	f->status = c->status;
	free(old.body);
	buf_free(&c->url);
	return rc;
}
